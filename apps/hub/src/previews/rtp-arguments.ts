import type { Picture } from '@backhaul/ffmpeg/stream-knowledge'
import { type Overlaid, overlayInput, pictureMapping } from '../outputs/overlay.ts'

export const VIDEO_PAYLOAD_TYPE = 96
export const AUDIO_PAYLOAD_TYPE = 97
/** Leaves room for SRTP and tunnels below the usual 1500. */
export const RTP_PACKET_BYTES = 1200

const baseline = 66
const main = 77
const high = 100

/** Whether browsers play the video as it is: H.264 in 8-bit 4:2:0 whose frames come in the order they are shown. */
export function isPlayableAsIs(picture: Picture): boolean {
  const { codec, profile, isPlainSampling, isReordered } = picture
  return codec === 'h264' && isPlainSampling && !isReordered && [baseline, main, high].includes(profile)
}

/** Transport stream on standard input, RTP of H.264 and Opus to one port of this machine; without `picture` of sound alone. */
export function rtpArguments(options: {
  picture: Picture | undefined
  hasAudio: boolean
  port: number
  over?: Overlaid | undefined
}): string[] {
  const { picture, hasAudio, port, over } = options
  // The sender reports go to the same port: the next one may belong to another program.
  const target = `rtp://127.0.0.1:${port}?rtcpport=${port}&pkt_size=${RTP_PACKET_BYTES}`
  const output = (payloadType: number) => ['-f', 'rtp', '-payload_type', String(payloadType), target]
  return [
    '-hide_banner',
    '-nostdin',
    '-nostats',
    '-v',
    'error',
    '-probesize',
    '500000',
    '-analyzeduration',
    '500000',
    '-fpsprobesize',
    '0',
    '-f',
    'mpegts',
    '-i',
    'pipe:0',
    ...(picture && over ? overlayInput(over) : []),
    ...(picture ? [...videoArguments(picture, over), ...output(VIDEO_PAYLOAD_TYPE)] : []),
    ...(hasAudio ? ['-map', '0:a:0', ...audioArguments, ...output(AUDIO_PAYLOAD_TYPE)] : []),
  ]
}

const audioArguments = [
  '-c:a',
  'libopus',
  '-application',
  'lowdelay',
  '-b:a',
  '96k',
  '-ac',
  '2',
  '-ar',
  '48000',
]

function videoArguments(picture: Picture, over: Overlaid | undefined): string[] {
  const framesPerSecond = String(Math.round(picture.fps) || 25)
  return [
    ...pictureMapping(["scale=w='min(1280,iw)':h=-2", 'format=yuv420p'], over),
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-profile:v',
    'baseline',
    '-b:v',
    '2500k',
    '-maxrate',
    '2500k',
    '-bufsize',
    '1250k',
    '-g',
    framesPerSecond,
  ]
}
