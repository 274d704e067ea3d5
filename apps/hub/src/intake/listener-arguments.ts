// Standard encoders come to us by SRT or RTMP; ffmpeg listens and hands on a transport stream.

export type ListenerProtocol = 'srt' | 'rtmp'

const SRT_LATENCY_US = 200_000

/** Listens on one port for one sender and copies what comes to standard output as MPEG-TS. */
export function listenerArguments(protocol: ListenerProtocol, port: number): string[] {
  const source =
    protocol === 'srt'
      ? ['-f', 'mpegts', '-i', `srt://0.0.0.0:${port}?mode=listener&latency=${SRT_LATENCY_US}`]
      : ['-f', 'flv', '-listen', '1', '-i', `rtmp://0.0.0.0:${port}/live/stream`]
  return [
    ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error'],
    ...['-probesize', '1000000', '-analyzeduration', '1000000', ...source],
    ...['-map', '0:v:0?', '-map', '0:a?', '-c', 'copy', '-muxdelay', '0', '-muxpreload', '0'],
    // Each piece of sound leaves by itself: gathered, they would come to viewers in bursts.
    ...['-flush_packets', '1', '-pes_payload_size', '0', '-pat_period', '0.2', '-f', 'mpegts', 'pipe:1'],
  ]
}

/** What people type into their encoder; {host} is the server's address. */
export function listenerAddress(protocol: ListenerProtocol, port: number): string {
  return protocol === 'srt' ? `srt://{host}:${port}` : `rtmp://{host}:${port}/live/stream`
}
