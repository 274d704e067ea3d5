/**
 * The contents of simulated files: a test pattern of some seconds, repeated up to their length, as an MP4 in fragments of
 * one second, so that a file of any length is made of the same bytes, without being stored. Pure.
 */

/** The bytes of a file from one place to before another. */
export type ReadBytes = (from: number, to: number) => Uint8Array<ArrayBuffer>

export interface Footage {
  readonly width: number
  readonly height: number
  readonly codec: string
  /** The size of a film of that length. */
  sizeOf(seconds: number): number
  read(seconds: number, from: number, to: number): Uint8Array<ArrayBuffer>
}

const picture = { width: 1280, height: 720, codec: 'h264' } as const
const framesPerSecond = 25
/** Before it repeats. */
const patternSeconds = 5

/** Arguments of ffmpeg that write the pattern to standard output. */
export const patternArguments: readonly string[] = [
  `-nostdin -v error -f lavfi -i testsrc2=size=${picture.width}x${picture.height}:rate=${framesPerSecond}`,
  `-t ${patternSeconds} -threads 1 -c:v libx264 -preset veryfast -pix_fmt yuv420p`,
  '-b:v 600k -maxrate 600k -bufsize 600k',
  // A second begins with a picture that needs no other, and holds none of the next.
  `-bf 0 -sc_threshold 0 -g ${framesPerSecond} -keyint_min ${framesPerSecond}`,
  '-movflags +frag_keyframe+empty_moov+default_base_moof -f mp4 pipe:1',
].flatMap((line) => line.split(' '))

interface Box {
  type: string
  /** Its header included. */
  start: number
  end: number
}

const headerBytes = 8

function* boxesIn(bytes: Buffer, start = 0, end = bytes.length): Iterable<Box> {
  for (let at = start; at + headerBytes <= end; ) {
    const size = bytes.readUInt32BE(at)
    if (size < headerBytes || at + size > end) throw new Error(`a box of ${size} bytes at ${at}`)
    yield { type: bytes.toString('latin1', at + 4, at + headerBytes), start: at, end: at + size }
    at += size
  }
}

/** The beginning of the content of the box that these types lead to, from the outermost in. */
function placeOf(bytes: Buffer, ...types: readonly string[]): number {
  let [start, end] = [0, bytes.length]
  for (const wanted of types) {
    const box = [...boxesIn(bytes, start, end)].find(({ type }) => type === wanted)
    if (!box) throw new Error(`no ${types.join('/')}`)
    start = box.start + headerBytes
    end = box.end
  }
  return start
}

/** In boxes of version 0: after version, flags, and the times of creation and change. */
const timescaleAt = 12

interface Parts {
  /** The boxes before the first second. */
  head: Buffer
  /** One for each second. */
  seconds: readonly Buffer[]
  /** Units of the picture's time in a second. */
  timescale: number
}

function partsOf(film: Buffer): Parts {
  const boxes = [...boxesIn(film)]
  const first = boxes.findIndex(({ type }) => type === 'moof')
  const seconds = boxes.flatMap(({ type, start }, at) => {
    const data = boxes[at + 1]
    return type === 'moof' && data?.type === 'mdat' ? [film.subarray(start, data.end)] : []
  })
  if (seconds.length !== patternSeconds) throw new Error(`${seconds.length} seconds of test pattern`)
  const head = Buffer.concat(boxes.slice(0, first).map(({ start, end }) => film.subarray(start, end)))
  const timescale = head.readUInt32BE(placeOf(head, 'moov', 'trak', 'mdia', 'mdhd') + timescaleAt)
  return { head, seconds, timescale }
}

/** The head with the length of the film, in each of its three places. */
function headOf({ head, timescale }: Parts, seconds: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(head)
  const movie = placeOf(bytes, 'moov', 'mvhd')
  const movieTimescale = bytes.readUInt32BE(movie + timescaleAt)
  bytes.writeUInt32BE(seconds * movieTimescale, movie + 16)
  bytes.writeUInt32BE(seconds * movieTimescale, placeOf(bytes, 'moov', 'trak', 'tkhd') + 20)
  bytes.writeUInt32BE(seconds * timescale, placeOf(bytes, 'moov', 'trak', 'mdia', 'mdhd') + 16)
  return bytes
}

/** A second of the pattern at its place in the film. */
function secondAt({ seconds, timescale }: Parts, place: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(seconds[place % seconds.length] as Buffer)
  bytes.writeUInt32BE(place + 1, placeOf(bytes, 'moof', 'mfhd') + 4)
  const time = placeOf(bytes, 'moof', 'traf', 'tfdt')
  if (bytes[time] !== 1) throw new Error('a time of 32 bits')
  bytes.writeBigUInt64BE(BigInt(place * timescale), time + 4)
  return bytes
}

interface Piece {
  at: number
  length: number
  /** By places within the piece. */
  read: ReadBytes
}

/** Only the pieces in which the wanted bytes are, are made. */
function readPieces(pieces: Iterable<Piece>, from: number, to: number): Buffer<ArrayBuffer> {
  const found: Uint8Array[] = []
  for (const { at, length, read } of pieces) {
    if (at >= to) break
    if (at + length > from) found.push(read(Math.max(0, from - at), Math.min(length, to - at)))
  }
  return Buffer.concat(found)
}

/** Throws for a film that the arguments above have not made. */
export function footageOf(film: Buffer): Footage {
  const parts = partsOf(film)
  const sizes = parts.seconds.map(({ length }) => length)
  const sum = (some: readonly number[]) => some.reduce((all, size) => all + size, 0)
  const patternBytes = sum(sizes)
  const sizeOf = (seconds: number): number =>
    parts.head.length +
    Math.floor(seconds / patternSeconds) * patternBytes +
    sum(sizes.slice(0, seconds % patternSeconds))

  function* piecesOf(seconds: number, from: number): Iterable<Piece> {
    const { length } = parts.head
    yield { at: 0, length, read: (start, end) => headOf(parts, seconds).subarray(start, end) }
    const rounds = Math.max(0, Math.floor((from - length) / patternBytes))
    for (let place = rounds * patternSeconds; place < seconds; place++)
      yield {
        at: sizeOf(place),
        length: sizes[place % patternSeconds] as number,
        read: (start, end) => secondAt(parts, place).subarray(start, end),
      }
  }

  // One of another form fails here, not when it is first read.
  headOf(parts, 1)
  secondAt(parts, 0)
  return {
    ...picture,
    sizeOf,
    read: (seconds, from, to) => readPieces(piecesOf(seconds, from), from, Math.min(to, sizeOf(seconds))),
  }
}

/** The beginning of a box that players pass over. */
function skippedHeader(size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(headerBytes)
  bytes.writeUInt32BE(size)
  bytes.write('free', 4, 'latin1')
  return bytes
}

interface CardFilm {
  sizeBytes: number
  /** As long as its size holds, where it is not known. */
  seconds?: number | undefined
  /** The text at its beginning, for readers of the raw file. */
  text: string
}

/** A film on the card of a unit, filled up to its size; undefined where that is too small for any. */
export function cardFilm(
  footage: Footage,
  { sizeBytes, seconds: known, text }: CardFilm,
): ReadBytes | undefined {
  const lines = Buffer.from(text)
  const before = Buffer.concat([skippedHeader(headerBytes + lines.length), lines])
  const room = sizeBytes - before.length - headerBytes
  const bytesEach = (footage.sizeOf(patternSeconds) - footage.sizeOf(0)) / patternSeconds
  let seconds = Math.min(known ?? Number.POSITIVE_INFINITY, Math.floor(room / bytesEach))
  while (seconds > 0 && footage.sizeOf(seconds) > room) seconds--
  if (seconds < 1) return undefined
  const filmBytes = footage.sizeOf(seconds)
  const fillAt = before.length + filmBytes
  const header = skippedHeader(sizeBytes - fillAt)
  const emptyAt = fillAt + headerBytes
  const pieces: readonly Piece[] = [
    { at: 0, length: before.length, read: (from, to) => before.subarray(from, to) },
    { at: before.length, length: filmBytes, read: (from, to) => footage.read(seconds, from, to) },
    { at: fillAt, length: headerBytes, read: (from, to) => header.subarray(from, to) },
    { at: emptyAt, length: sizeBytes - emptyAt, read: (from, to) => new Uint8Array(to - from) },
  ]
  return (from, to) => readPieces(pieces, from, Math.min(to, sizeBytes))
}
