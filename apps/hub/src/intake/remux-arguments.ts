// ffmpeg between a standard encoder and a channel: the streams are copied into a transport stream.
import { unbuffered } from '@backhaul/ffmpeg/encode-arguments'
import { SILENT_MS } from './input.ts'

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
  ...written,
]

const written = [
  ...unbuffered,
  // Each piece of sound is written by itself: gathered, they would reach viewers in bursts.
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

/**
 * Listens for one sender that encrypts with the passphrase, without a limit of time; ffmpeg ends when the sender is connected
 * and silent.
 */
export const srtScript = (port: number, passphrase: string): string =>
  [
    'ffconcat version 1.0',
    `file 'srt://0.0.0.0:${port}?mode=listener&latency=${SRT_LATENCY_US}&timeout=${SILENT_MS * 1000}&enforced_encryption=1&passphrase=${passphrase}'`,
    'option probesize 1000000',
    'option analyzeduration 1000000',
    '',
  ].join('\n')

/** Reads the output of `ristScript` from standard input. */
export const ristArguments = (): string[] =>
  remux('-f', 'concat', '-safe', '0', '-protocol_whitelist', 'pipe,rist', '-i', 'pipe:0')

/** Listens on this machine alone for one sender of the main profile that encrypts with the passphrase. */
export const ristScript = (port: number, passphrase: string): string =>
  [
    'ffconcat version 1.0',
    `file 'rist://@127.0.0.1:${port}?aes-type=128&secret=${passphrase}'`,
    'option probesize 1000000',
    'option analyzeduration 1000000',
    '',
  ].join('\n')

/** Reads the output of `urlScript` from standard input. */
export const fetchArguments = (): string[] =>
  remux(
    '-f',
    'concat',
    '-safe',
    '0',
    '-protocol_whitelist',
    'pipe,srt,rtmp,rtmps,rtsp,rtp,udp,tcp,tls',
    '-i',
    'pipe:0',
  )

/** A message of ffmpeg whose sender was connected and silent. */
export const isSilent = (line: string): boolean => /Connection timed out/.test(line)

/** A message of ffmpeg that has read what came, and found nothing that a channel can have. */
export const hasNoStream = (line: string): boolean => line.includes('does not contain any stream')

export const payloadTypes = { video: 96, audio: 97 } as const

/** The time for which ffmpeg waits for a packet that is sent again. */
const RTP_REPAIR_US = 200_000

/** Reads the output of `rtpScript` from standard input. Opus becomes AAC, which every destination and player takes. */
export const rtpArguments = (): string[] => [
  '-hide_banner',
  '-nostats',
  '-v',
  'error',
  '-protocol_whitelist',
  'pipe,udp,rtp',
  // From this machine alone.
  '-localaddr',
  '127.0.0.1',
  '-max_delay',
  String(RTP_REPAIR_US),
  '-probesize',
  '1000000',
  '-analyzeduration',
  '5000000',
  '-fpsprobesize',
  '0',
  '-f',
  'sdp',
  '-i',
  'pipe:0',
  '-map',
  '0:v?',
  '-map',
  '0:a?',
  '-c:v',
  'copy',
  '-c:a',
  'aac',
  '-b:a',
  '160k',
  // Lost sound is replaced by silence, so that the rest remains in sync with its picture.
  '-af',
  'aresample=async=1000',
  ...written,
]

/** RTP at ports of this machine; ffmpeg receives on the next ports too. */
export const rtpScript = ({
  media,
  ports,
}: {
  media: Readonly<Record<'video' | 'audio', boolean>>
  ports: Readonly<Record<'video' | 'audio', number>>
}): string =>
  [
    'v=0',
    'o=- 0 0 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    ...(media.video
      ? [
          `m=video ${ports.video} RTP/AVP ${payloadTypes.video}`,
          `a=rtpmap:${payloadTypes.video} H264/90000`,
          `a=fmtp:${payloadTypes.video} packetization-mode=1`,
        ]
      : []),
    ...(media.audio
      ? [
          `m=audio ${ports.audio} RTP/AVP ${payloadTypes.audio}`,
          `a=rtpmap:${payloadTypes.audio} opus/48000/2`,
          `a=fmtp:${payloadTypes.audio} sprop-stereo=1`,
        ]
      : []),
    '',
  ].join('\n')
