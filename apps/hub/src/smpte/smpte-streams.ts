// A channel in the networks of a studio: uncompressed picture and sound by RTP, as ffmpeg sends them, and their description
// for receivers. The shapes are those of SMPTE ST 2110-20 (RFC 4175) and -30 (AES67); without a PTP clock and without the
// pacing of ST 2110-21.
import type { SmpteNetworkSettings, SmpteStreams } from '@backhaul/contract/nouns/smpte'
import type { ColourCodes } from '@backhaul/ffmpeg/sequence-parameters'
import { joinedTracks } from '@backhaul/ffmpeg/sound-arguments'
import { sinkInput } from '../bus/ffmpeg-sink.ts'

export interface SmpteOutput {
  readonly networks: Pick<SmpteNetworkSettings, 'primary' | 'secondary'>
  readonly streams: Pick<SmpteStreams, 'video' | 'audio' | 'audio2'>
}

/** The picture as it is received; streams of one output keep this size and rate. */
export interface SmptePicture {
  readonly width: number
  readonly height: number
  /** Pictures a second. */
  readonly fps: number
  readonly colours?: ColourCodes | undefined
}

const videoType = 96
const audioType = 97
/** A line of the picture is divided among packets that fit into Ethernet. */
const videoPacketBytes = 1460
/** A millisecond of this many channels at 48 kHz and 24 bit, and the header of RTP. */
const audioPacketBytes = (channels: number) => 48 * 3 * channels + 12
/** Ten whole packets, so that none is shorter than in the description. */
const wholePackets = 'asetnsamples=n=480:p=0'
/** Tracks of two channels each. ST 2110-30 allows eight in a stream, as every receiver takes them. */
const tracksPerStream = 4
/** A whole picture leaves at once. */
const sendBufferBytes = 8_388_608
const hops = 64

/** Rates of television; others are rounded to whole pictures. */
const rates = [
  [24_000, 1001],
  [30_000, 1001],
  [60_000, 1001],
] as const

/** For example `25` or `30000/1001`, as SDP and ffmpeg write it. */
export function exactRate(fps: number): string {
  const found = rates.find(([over, under]) => Math.abs(over / under - fps) < 0.01)
  return found ? found.join('/') : String(Math.max(1, Math.round(fps)))
}

/** The number of ITU-T H.273 for a value that is not known. */
const notNamed = 2
/** Words of ST 2110-20 by the primaries and by the matrix of a stream, whose numbers are the same for these. */
const systems = new Map([
  [1, 'BT709'],
  [5, 'BT601'],
  [6, 'BT601'],
  [9, 'BT2020'],
])
/** The dynamic range by the transfer characteristics. */
const curves = new Map([
  [1, 'SDR'],
  [6, 'SDR'],
  [14, 'SDR'],
  [15, 'SDR'],
  [16, 'PQ'],
  [18, 'HLG'],
])

/** The colours of samples that are passed on unchanged. Unnamed values default to SDR and BT.709, with HDR to BT.2020. */
function colourWords(colours: ColourCodes | undefined): [transfer: string, colorimetry: string] {
  const { primaries, transfer, matrix } = colours ?? {
    primaries: notNamed,
    transfer: notNamed,
    matrix: notNamed,
  }
  const curve = transfer === notNamed ? 'SDR' : curves.get(transfer)
  const isHdr = curve === 'PQ' || curve === 'HLG'
  const named = [primaries, matrix].filter((code) => code !== notNamed).map((code) => systems.get(code))
  const [first = isHdr ? 'BT2020' : 'BT709'] = named
  const system = named.every((one) => one === first) ? first : 'UNSPECIFIED'
  return [curve ?? 'UNSPECIFIED', system === 'BT2020' && isHdr ? 'BT2100' : system]
}

/** Both networks carry the same, so that either may fail (ST 2022-7). */
function sidesOf({ primary, secondary }: SmpteOutput['networks']): string[] {
  return [primary, ...(secondary ? [secondary] : [])].map(({ address }) => address)
}

interface SoundStream {
  readonly place: SmpteStreams['audio']
  readonly tracks: readonly number[]
}

/** The streams for as many tracks as there are places for. */
function soundStreams({ audio, audio2 }: SmpteOutput['streams'], audioTracks: number): SoundStream[] {
  const places = [audio, ...(audio2 ? [audio2] : [])]
  const all = Array.from({ length: audioTracks }, (_, track) => track)
  return places.flatMap((place, stream) => {
    const tracks = all.slice(stream * tracksPerStream, (stream + 1) * tracksPerStream)
    return tracks.length > 0 ? [{ place, tracks }] : []
  })
}

/** The arguments that lead from the bus to all streams. */
export function smpteArguments(
  { networks, streams }: SmpteOutput,
  picture: SmptePicture,
  audioTracks: number,
): string[] {
  const sides = sidesOf(networks)
  const to = (type: number, { address, port }: SmpteStreams['video'], from: string, bytes: number) => [
    '-payload_type',
    String(type),
    '-f',
    'rtp',
    `rtp://${address}:${port}?localaddr=${from}&ttl=${hops}&pkt_size=${bytes}&buffer_size=${sendBufferBytes}`,
  ]
  // The colours are not changed, but the range is always the narrow one.
  const filters = `fps=${exactRate(picture.fps)},scale=out_range=limited,format=yuv422p10le`
  const video = ['-map', '0:v:0', '-vf', filters, '-c:v', 'bitpacked']
  const sounds = soundStreams(streams, audioTracks)
  // One that is a track alone may have any number of channels, and is mixed down.
  const joined = sounds.flatMap(({ tracks }, stream) => (tracks.length > 1 ? [{ tracks, stream }] : []))
  const graph = joined.flatMap(({ tracks, stream }) => [
    joinedTracks(tracks, `stream${stream}`),
    `[stream${stream}]${wholePackets},asplit=${sides.length}${sides.map((_, side) => `[sound${stream}-${side}]`).join('')}`,
  ])
  const audio = (tracks: readonly number[], stream: number, side: number) => [
    '-map',
    tracks.length > 1 ? `[sound${stream}-${side}]` : `0:a:${tracks[0]}`,
    '-c:a',
    'pcm_s24be',
    '-ar',
    '48000',
    ...(tracks.length > 1 ? [] : ['-ac', '2', '-af', `aresample=48000,${wholePackets}`]),
  ]
  return [
    ...sinkInput,
    '-progress',
    'pipe:2',
    ...(graph.length > 0 ? ['-filter_complex', graph.join(';')] : []),
    ...sides.flatMap((from, side) => [
      ...video,
      ...to(videoType, streams.video, from, videoPacketBytes),
      ...sounds.flatMap(({ tracks, place }, stream) => [
        ...audio(tracks, stream, side),
        ...to(audioType, place, from, audioPacketBytes(2 * tracks.length)),
      ]),
    ]),
  ]
}

/** The session description (RFC 4566, ST 2110-10) that receivers and their controllers read; lines end with CRLF. */
export function smpteDescription(
  name: string,
  { networks, streams }: SmpteOutput,
  picture: SmptePicture,
  audioTracks: number,
): string {
  const sides = sidesOf(networks)
  const [first = ''] = sides
  const isDouble = sides.length > 1
  const sounds = soundStreams(streams, audioTracks)
  const nameOf = (essence: string, side: number) => `${essence}-${side === 0 ? 'primary' : 'secondary'}`
  const essences = ['video', ...sounds.map((_, stream) => `audio-${stream + 1}`)]
  const { width, height } = picture
  const [transfer, colorimetry] = colourWords(picture.colours)
  // No type of sender (TP): the burst of a picture exceeds also what ST 2110-21 allows a wide one.
  const format = [
    'sampling=YCbCr-4:2:2',
    `width=${width}`,
    `height=${height}`,
    `exactframerate=${exactRate(picture.fps)}`,
    'depth=10',
    `TCS=${transfer}`,
    `colorimetry=${colorimetry}`,
    'PM=2110GPM',
    'SSN=ST2110-20:2017',
  ]
  const media = (
    essence: string,
    type: number,
    { address, port }: SmpteStreams['video'],
    lines: readonly string[],
  ) =>
    sides.flatMap((from, side) => [
      `m=${essence.replace(/-.*/, '')} ${port} RTP/AVP ${type}`,
      `c=IN IP4 ${address}/${hops}`,
      `a=source-filter: incl IN IP4 ${address} ${from}`,
      ...lines,
      'a=ts-refclk:local',
      'a=mediaclk:sender',
      ...(isDouble ? [`a=mid:${nameOf(essence, side)}`] : []),
    ])
  const lines = [
    'v=0',
    `o=- 1 1 IN IP4 ${first}`,
    // Line breaks would begin another field.
    `s=${name.replace(/[\r\n]+/g, ' ')}`,
    't=0 0',
    ...(isDouble
      ? essences.map((essence) => `a=group:DUP ${sides.map((_, side) => nameOf(essence, side)).join(' ')}`)
      : []),
    ...media('video', videoType, streams.video, [
      `a=rtpmap:${videoType} raw/90000`,
      `a=fmtp:${videoType} ${format.join('; ')}`,
    ]),
    ...sounds.flatMap(({ tracks, place }, stream) =>
      media(`audio-${stream + 1}`, audioType, place, [
        `a=rtpmap:${audioType} L24/48000/${2 * tracks.length}`,
        'a=ptime:1',
      ]),
    ),
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}
