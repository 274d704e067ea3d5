// ffmpeg between a standard encoder and a channel: the streams are copied into a transport stream.

const probing = ['-probesize', '1000000', '-analyzeduration', '1000000']

const remux = (...source: string[]): string[] => [
  '-hide_banner',
  '-nostats',
  '-v',
  'error',
  ...probing,
  ...source,
  '-map',
  '0:v:0?',
  '-map',
  '0:a?',
  '-c',
  'copy',
  '-muxdelay',
  '0',
  '-muxpreload',
  '0',
  // Each piece of sound is written by itself: gathered, they would reach viewers in bursts.
  '-flush_packets',
  '1',
  '-pes_payload_size',
  '0',
  '-pat_period',
  '0.2',
  '-f',
  'mpegts',
  'pipe:1',
]

/** Reads FLV from standard input. */
export const flvArguments = (): string[] => remux('-f', 'flv', '-i', 'pipe:0')

/** Reads Matroska from standard input. */
export const matroskaArguments = (): string[] => remux('-f', 'matroska', '-i', 'pipe:0')

/** Reads the output of `srtScript` from standard input: other users see the arguments of a program. */
export const srtArguments = (): string[] =>
  remux('-f', 'concat', '-safe', '0', '-protocol_whitelist', 'pipe,srt', '-i', 'pipe:0')

const SRT_LATENCY_US = 200_000

/** Listens for one sender that encrypts with the passphrase. */
export const srtScript = (port: number, passphrase: string): string =>
  [
    'ffconcat version 1.0',
    `file 'srt://0.0.0.0:${port}?mode=listener&latency=${SRT_LATENCY_US}&enforced_encryption=1&passphrase=${passphrase}'`,
    'option probesize 1000000',
    'option analyzeduration 1000000',
    '',
  ].join('\n')
