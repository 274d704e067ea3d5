// The lists that players of HLS read (RFC 8216bis). Pure.
import { type ListedStream, PART_TARGET_S, type Part, type Segment } from './hls-stream.ts'
import type { Mp4Tracks } from './mp4-boxes.ts'

/** The distance from the end that players keep, in target durations of segments, or of parts. */
const HOLD_BACK_TARGETS = 3
const PART_HOLD_BACK_TARGETS = 3.1
/** Parts are listed for this many target durations before the end. */
const PARTS_LISTED_TARGETS = 3

const figure = (seconds: number): string => seconds.toFixed(5)

/** The first list: one stream, its codecs and its rate. `reader` distinguishes the players. */
export function multivariantPlaylist(tracks: Mp4Tracks, peakBitRate: number, reader: string): string {
  const video = tracks.find(({ isVideo }) => isVideo)
  const codecs = tracks.map(({ codec }) => codec)
  // Players that get a list of codecs expect all of them in it.
  const isKnown = codecs.length > 0 && codecs.every((codec) => codec !== undefined)
  const attributes = [
    `BANDWIDTH=${Math.max(1, peakBitRate)}`,
    ...(isKnown ? [`CODECS="${codecs.join(',')}"`] : []),
    ...(video ? [`RESOLUTION=${video.width}x${video.height}`] : []),
  ]
  return lines([
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-STREAM-INF:${attributes.join(',')}`,
    `live.m3u8?reader=${reader}`,
  ])
}

export function mediaPlaylist(stream: ListedStream): string {
  const { targetS, isLowLatency, segments, open, nextPart } = stream
  const control = [
    'CAN-BLOCK-RELOAD=YES',
    `HOLD-BACK=${figure(HOLD_BACK_TARGETS * targetS)}`,
    ...(isLowLatency ? [`PART-HOLD-BACK=${figure(PART_HOLD_BACK_TARGETS * PART_TARGET_S)}`] : []),
  ]
  return lines([
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${targetS}`,
    `#EXT-X-SERVER-CONTROL:${control.join(',')}`,
    ...(isLowLatency ? [`#EXT-X-PART-INF:PART-TARGET=${figure(PART_TARGET_S)}`] : []),
    `#EXT-X-MEDIA-SEQUENCE:${(segments[0] ?? open)?.number ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${stream.discontinuitySequence}`,
    ...listSegments(stream),
    ...(isLowLatency ? [`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="p${nextPart}.m4s"`] : []),
  ])
}

function listSegments({ segments, open, targetS, isLowLatency }: ListedStream): string[] {
  let header: number | undefined
  let toEndS = segments.reduce((sum, { seconds }) => sum + seconds, open?.seconds ?? 0)
  const listed: string[] = []
  for (const segment of segments) {
    const hasParts = isLowLatency && toEndS <= PARTS_LISTED_TARGETS * targetS
    listed.push(...headOf(segment, header), ...(hasParts ? segment.parts.map(partLine) : []))
    listed.push(`#EXTINF:${figure(segment.seconds)},`, `s${segment.number}.m4s`)
    header = segment.header
    toEndS -= segment.seconds
  }
  // An incomplete segment is listed as parts only.
  if (isLowLatency && open && open.parts.length > 0)
    listed.push(...headOf(open, header), ...open.parts.map(partLine))
  return listed
}

const headOf = (segment: Segment, headerBefore: number | undefined): string[] => [
  ...(segment.isDiscontinuous ? ['#EXT-X-DISCONTINUITY'] : []),
  ...(segment.header === headerBefore ? [] : [`#EXT-X-MAP:URI="init-${segment.header}.mp4"`]),
  `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.startMs).toISOString()}`,
]

const partLine = ({ seconds, number, isIndependent }: Part): string =>
  `#EXT-X-PART:DURATION=${figure(seconds)},URI="p${number}.m4s"${isIndependent ? ',INDEPENDENT=YES' : ''}`

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`
