// The arguments of ffmpeg for one output.

import type { Output } from '@backhaul/contract/gateway/servers'
import { unbuffered } from '@backhaul/ffmpeg/encode-arguments'
import { sinkInput } from '../bus/ffmpeg-sink.ts'
import { chosenPicture, chosenSound } from './ffmpeg-coding.ts'
import { type Overlaid, overlayInput, pictureMapping } from './overlay.ts'

/** One that the hub sends to an address; players fetch HLS themselves. */
export type SentOutput = Output & { protocol: Exclude<Output['protocol'], 'hls'> }

export const isSent = (output: Output): output is SentOutput => output.protocol !== 'hls'

const schemes: Readonly<Record<Output['protocol'], RegExp>> = {
  srt: /^srt:\/\/[^\s/]/,
  rtmp: /^rtmps?:\/\/[^\s/]/,
  mpegts: /^udp:\/\/[^\s/]/,
  rtsp: /^rtsps?:\/\/[^\s/]/,
  hls: /^hls:\/\/[\w-]{16,128}$/,
}

/** Keeps ffmpeg from opening a file or a command. */
export const suitsProtocol = ({ protocol, url }: Output): boolean => schemes[protocol].test(url)

/** For a picture that is encoded again for a graphic only, without an encoding of its own. */
const OVERLAID_KBPS = 6000

/** RTSP and MP4 describe the sound before they send any, and in a transport stream AAC has no header to describe it by. */
const soundWithHeader = ['-c:a', 'aac', '-b:a', '128k', '-ar', '48000', '-ac', '2']

interface Coding {
  filters: string[]
  codecs: string[]
}

/** Picture and sound as they come, unless another format is set, for the destination or the channel, or a graphic is drawn over it. */
function codingOf({ protocol, encoding, broadcast, ffmpeg = {} }: Output, isOverlaid: boolean): Coding {
  if (broadcast) return broadcastCoding(broadcast)
  const usual = protocol === 'rtsp' || protocol === 'hls' ? soundWithHeader : ['-c:a', 'copy']
  const sound = chosenSound(ffmpeg) ?? usual
  const chosen = chosenPicture(ffmpeg, OVERLAID_KBPS)
  if (chosen) return { filters: chosen.filters, codecs: [...chosen.codecs, ...sound] }
  if (!encoding && !isOverlaid) return { filters: [], codecs: ['-c:v', 'copy', ...sound] }
  const { profile, videoKbps, resolution, maxFrameRate } = encoding ?? { videoKbps: OVERLAID_KBPS }
  const rate = videoKbps && [
    '-b:v',
    `${videoKbps}k`,
    '-maxrate',
    `${videoKbps}k`,
    '-bufsize',
    `${videoKbps}k`,
  ]
  const codecs = [
    ...sound,
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-tune',
    'zerolatency',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '50',
    ...(profile ? ['-profile:v', profile] : []),
    ...(rate || []),
    ...(maxFrameRate ? ['-fpsmax', String(maxFrameRate)] : []),
  ]
  return { filters: resolution ? [`scale=${resolution.replace('x', ':')}`] : [], codecs }
}

/** A transport stream has room for every track of sound; other receivers expect one. */
const soundsOf = ({ protocol }: Output): string =>
  protocol === 'srt' || protocol === 'mpegts' ? '0:a?' : '0:a:0?'

/** The arguments that lead from the bus to the coded streams. */
function codedStreams(output: Output, over: Overlaid | undefined): string[] {
  const { filters, codecs } = codingOf(output, over !== undefined)
  return [
    ...sinkInput,
    ...(over ? overlayInput(over) : []),
    '-progress',
    'pipe:2',
    ...pictureMapping(filters, over),
    '-map',
    soundsOf(output),
    ...codecs,
  ]
}

/** A fragment holds a picture or two, so that parts of any length can be made of them. */
const FRAGMENT_US = 40_000

/** Writes fragmented MP4 to standard output; the picture of an HEVC channel is marked as players expect it. */
export function hlsArguments(output: Output, over: Overlaid | undefined, isHevc: boolean): string[] {
  const { codecs } = codingOf(output, over !== undefined)
  const isCopied = codecs[codecs.indexOf('-c:v') + 1] === 'copy'
  return [
    ...codedStreams(output, over),
    ...(isHevc && isCopied ? ['-tag:v', 'hvc1'] : []),
    '-f',
    'mp4',
    '-movflags',
    'empty_moov+default_base_moof+delay_moov+frag_keyframe',
    '-frag_duration',
    String(FRAGMENT_US),
    '-flush_packets',
    '1',
    'pipe:1',
  ]
}

const stream = [
  ...unbuffered,
  // A track of sound that an encoder announces and does not fill would hold the others for ten seconds.
  '-max_interleave_delta',
  '500000',
  // The name and the provider of the service, by which a unit sends the labels of its story.
  '-map_metadata:g',
  '0:p:0',
  '-f',
  'mpegts',
]

/** Seven packets of the transport stream, as receivers expect them in a datagram. */
export const DATAGRAM_BYTES = 1316

/** Passes a transport stream on as it is, byte for byte; `options` is a file with more options of the output. */
export const passOnArguments = (url: string, options: string | undefined): string[] => [
  '-hide_banner',
  '-nostdin',
  '-nostats',
  '-v',
  'error',
  '-f',
  'data',
  '-raw_packet_size',
  String(DATAGRAM_BYTES),
  '-i',
  'pipe:0',
  '-map',
  '0',
  '-c',
  'copy',
  ...(options === undefined ? [] : ['-fpre', options]),
  // Datagrams are sent when they are full.
  '-flush_packets',
  '0',
  '-f',
  'data',
  url,
]

/** Writes a transport stream to standard output. */
export const transportArguments = (output: Output, over: Overlaid | undefined): string[] => [
  ...codedStreams(output, over),
  ...stream,
  'pipe:1',
]

/** `over` is drawn over the picture, which is then encoded again; `options` is a file with more options of the output. */
export function outputArguments(output: SentOutput, over?: Overlaid, options?: string): string[] {
  const { protocol, url, muxRateKbps, sourcePort } = output
  const start = [...codedStreams(output, over), ...(options === undefined ? [] : ['-fpre', options])]
  switch (protocol) {
    case 'srt':
      return [...start, ...stream, url]
    case 'rtmp':
      return [...start, '-flvflags', 'no_duration_filesize', '-f', 'flv', url]
    case 'rtsp':
      return [...start, '-f', 'rtsp', '-rtsp_transport', 'tcp', url]
    case 'mpegts': {
      const from = sourcePort ? withOption(url, `localport=${sourcePort}`) : url
      const constant = muxRateKbps ? ['-muxrate', `${muxRateKbps}k`] : []
      return [...start, ...constant, ...stream, withOption(from, 'pkt_size=1316')]
    }
  }
}

/** The coding that every provider accepts: H.264 with a key frame every two seconds, and AAC. */
function broadcastCoding({ videoKbps, height, title }: NonNullable<Output['broadcast']>): Coding {
  const codecs = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-tune',
    'zerolatency',
    '-force_key_frames',
    'expr:gte(t,n_forced*2)',
    '-b:v',
    `${videoKbps}k`,
    '-maxrate',
    `${videoKbps}k`,
    '-bufsize',
    `${2 * videoKbps}k`,
    '-c:a',
    'aac',
    '-b:a',
    '128k',
    '-ar',
    '48000',
    '-metadata',
    `title=${title}`,
  ]
  return { filters: [`scale=-2:${height}`, 'format=yuv420p'], codecs }
}

const withOption = (url: string, option: string) =>
  url.includes(option.split('=')[0]!) ? url : `${url}${url.includes('?') ? '&' : '?'}${option}`
