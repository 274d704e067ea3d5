// Reads the boxes of fragmented MP4 that HLS needs (ISO/IEC 14496-12): tracks and codecs of the header, durations of fragments.

export interface Mp4Track {
  readonly id: number
  readonly isVideo: boolean
  /** Units a second. */
  readonly timescale: number
  /** The name of the codec by RFC 6381; undefined for one that browsers do not play. */
  readonly codec: string | undefined
  readonly width: number
  readonly height: number
  /** The duration of samples that have none of their own. */
  readonly sampleDuration: number
  readonly sampleFlags: number
}
export type Mp4Tracks = readonly Mp4Track[]

interface Box {
  readonly type: string
  readonly start: number
  /** May be after the last byte that has come. */
  readonly end: number
}

const HEAD_BYTES = 8

export function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let start = 0; start + HEAD_BYTES <= bytes.length; ) {
    const end = start + Math.max(HEAD_BYTES, bytes.readUInt32BE(start))
    yield { type: bytes.toString('latin1', start + 4, start + 8), start, end }
    start = end
  }
}

/** The contents of the boxes of a type along a path. */
function within(bytes: Buffer, ...path: readonly string[]): Buffer[] {
  const [type, ...rest] = path
  const found = [...boxesIn(bytes)]
    .filter((box) => box.type === type)
    .map(({ start, end }) => bytes.subarray(start + HEAD_BYTES, end))
  return rest.length === 0 ? found : found.flatMap((content) => within(content, ...rest))
}

/** `moov` is the content of the box. */
export function readMoov(moov: Buffer): Mp4Tracks {
  const defaults = new Map(
    within(moov, 'mvex', 'trex').map((trex) => [
      trex.readUInt32BE(4),
      { sampleDuration: trex.readUInt32BE(12), sampleFlags: trex.readUInt32BE(20) },
    ]),
  )
  return within(moov, 'trak').flatMap((trak) => {
    const [tkhd] = within(trak, 'tkhd')
    const [mdhd] = within(trak, 'mdia', 'mdhd')
    const [hdlr] = within(trak, 'mdia', 'hdlr')
    const [stsd] = within(trak, 'mdia', 'minf', 'stbl', 'stsd')
    if (!tkhd || !mdhd || !hdlr || !stsd) return []
    const id = tkhd.readUInt32BE(tkhd[0] === 1 ? 20 : 12)
    const timescale = mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12)
    const isVideo = hdlr.toString('latin1', 8, 12) === 'vide'
    const own = defaults.get(id) ?? { sampleDuration: 0, sampleFlags: 0 }
    return [{ id, isVideo, timescale, ...readEntry(stsd.subarray(8), isVideo), ...own }]
  })
}

/** Bytes of a sample entry of a picture before the boxes in it. */
const VISUAL_BYTES = 78

function readEntry(entries: Buffer, isVideo: boolean): Pick<Mp4Track, 'codec' | 'width' | 'height'> {
  const [entry] = boxesIn(entries)
  const content = entries.subarray(HEAD_BYTES)
  // The hub itself encodes the sound, as AAC-LC.
  if (!entry || !isVideo)
    return { codec: entry?.type === 'mp4a' ? 'mp4a.40.2' : undefined, width: 0, height: 0 }
  const inside = content.subarray(VISUAL_BYTES)
  const [avc] = within(inside, 'avcC')
  const [hevc] = within(inside, 'hvcC')
  return {
    codec: avc ? avcName(avc) : hevc ? hevcName(hevc) : undefined,
    width: content.readUInt16BE(24),
    height: content.readUInt16BE(26),
  }
}

const avcName = (avcC: Buffer): string => `avc1.${avcC.toString('hex', 1, 4).toUpperCase()}`

/** ISO/IEC 14496-15, annex E.3. */
function hevcName(hvcC: Buffer): string {
  const [, profile = 0] = hvcC
  const space = ['', 'A', 'B', 'C'][profile >> 6]
  const compatibility = Number.parseInt(
    [...hvcC.readUInt32BE(2).toString(2).padStart(32, '0')].reverse().join(''),
    2,
  )
  const constraints = [...hvcC.subarray(6, 12)].map((byte) => byte.toString(16).toUpperCase())
  while (constraints.at(-1) === '0') constraints.pop()
  const tier = (profile & 0x20) === 0 ? 'L' : 'H'
  const parts = [
    'hvc1',
    `${space}${profile & 31}`,
    compatibility.toString(16).toUpperCase(),
    `${tier}${hvcC[12]}`,
  ]
  return parts.concat(constraints).join('.')
}

const NOT_SYNC = 0x1_0000

/** `moof` is the content of the box. */
export function readMoof(moof: Buffer, tracks: Mp4Tracks): { seconds: number; isKey: boolean } {
  const leading = tracks.find(({ isVideo }) => isVideo) ?? tracks[0]
  const runs = within(moof, 'traf')
    .map((traf) => readRuns(traf, tracks))
    .find((one) => one !== undefined && one.trackId === leading?.id)
  if (!leading || !runs) return { seconds: 0, isKey: false }
  return { seconds: runs.duration / leading.timescale, isKey: (runs.firstFlags & NOT_SYNC) === 0 }
}

/** Bits of `tfhd` that each add a field, with its length, in the order of the fields. */
const fragmentFields = [
  [0x1, 8, 'offset'],
  [0x2, 4, 'description'],
  [0x8, 4, 'duration'],
  [0x10, 4, 'size'],
  [0x20, 4, 'flags'],
] as const

function readRuns(traf: Buffer, tracks: Mp4Tracks) {
  const [tfhd] = within(traf, 'tfhd')
  if (!tfhd) return undefined
  const trackId = tfhd.readUInt32BE(4)
  const track = tracks.find(({ id }) => id === trackId)
  const own: { duration?: number; flags?: number } = {}
  let at = 8
  for (const [bit, length, name] of fragmentFields) {
    if ((tfhd.readUInt32BE(0) & bit) === 0) continue
    if (name === 'duration' || name === 'flags') own[name] = tfhd.readUInt32BE(at)
    at += length
  }
  const defaults = {
    duration: own.duration ?? track?.sampleDuration ?? 0,
    flags: own.flags ?? track?.sampleFlags ?? 0,
  }
  const runs = within(traf, 'trun').map((trun) => readRun(trun, defaults))
  return {
    trackId,
    duration: runs.reduce((sum, run) => sum + run.duration, 0),
    firstFlags: runs[0]?.firstFlags ?? defaults.flags,
  }
}

/** `trun`: which fields each sample has is written in its flags. */
function readRun(trun: Buffer, defaults: { duration: number; flags: number }) {
  const flags = trun.readUInt32BE(0)
  const has = (bit: number) => (flags & bit) !== 0
  const count = trun.readUInt32BE(4)
  let at = 8 + (has(0x1) ? 4 : 0)
  let firstFlags = has(0x4) ? trun.readUInt32BE(at) : undefined
  if (has(0x4)) at += 4
  const before = { flags: (has(0x100) ? 4 : 0) + (has(0x200) ? 4 : 0) }
  const length = before.flags + (has(0x400) ? 4 : 0) + (has(0x800) ? 4 : 0)
  let duration = has(0x100) ? 0 : count * defaults.duration
  for (let sample = 0; sample < count; sample++, at += length) {
    if (has(0x100)) duration += trun.readUInt32BE(at)
    if (sample === 0 && has(0x400)) firstFlags ??= trun.readUInt32BE(at + before.flags)
  }
  return { duration, firstFlags: firstFlags ?? defaults.flags }
}
