// Checks whether a PNG file can be decoded without more memory than its size allows. Everything is unpacked within a limit here,
// before another program decodes it.
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'

const unpack = promisify(inflate)

export interface PngLimits {
  /** The most pixels of width and of height. */
  readonly pixelsAtMost: number
  /** The most bytes of texts and colour profiles together, unpacked. */
  readonly extraBytesAtMost: number
}

export type PngFault = 'notPng' | 'tooManyPixels' | 'tooMuchExtra' | 'damaged'

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

interface Header {
  readonly width: number
  readonly height: number
  readonly bitsPerPixel: number
  readonly colours: number
  readonly isInterlaced: boolean
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Why the picture must not be decoded, or undefined. Costs at most the memory of the pixels that the limits allow. */
export async function pngFault(file: Buffer, limits: PngLimits): Promise<PngFault | undefined> {
  const chunks = chunksOf(file)
  const header = chunks && headerOf(chunks)
  if (!chunks || !header) return 'notPng'
  if (Math.max(header.width, header.height) > limits.pixelsAtMost) return 'tooManyPixels'
  if (header.colours === indexed && !chunks.some(({ type }) => type === 'PLTE')) return 'damaged'
  return (await extraFault(chunks, limits.extraBytesAtMost)) ?? (await pixelFault(chunks, header))
}

/** Undefined for a file that is cut off, or continues after its end. */
function chunksOf(file: Buffer): Chunk[] | undefined {
  if (!file.subarray(0, signature.length).equals(signature)) return undefined
  const chunks: Chunk[] = []
  for (let at = signature.length; at + 12 <= file.length; ) {
    const [type, dataAt] = [file.toString('latin1', at + 4, at + 8), at + 8]
    const end = dataAt + file.readUInt32BE(at)
    if (end + 4 > file.length) return undefined
    chunks.push({ type, data: file.subarray(dataAt, end) })
    at = end + 4
    if (type === 'IEND') return at === file.length ? chunks : undefined
  }
  return undefined
}

const indexed = 3
/** By colour type: samples of a pixel, and the allowed bit depths. */
const kinds: Readonly<Record<number, { samples: number; bits: readonly number[] }>> = {
  0: { samples: 1, bits: [1, 2, 4, 8, 16] },
  2: { samples: 3, bits: [8, 16] },
  [indexed]: { samples: 1, bits: [1, 2, 4, 8] },
  4: { samples: 2, bits: [8, 16] },
  6: { samples: 4, bits: [8, 16] },
}

function headerOf([first, ...rest]: readonly Chunk[]): Header | undefined {
  if (first?.type !== 'IHDR' || first.data.length !== 13) return undefined
  if (rest.some(({ type }) => type === 'IHDR')) return undefined
  const [width, height] = [first.data.readUInt32BE(0), first.data.readUInt32BE(4)]
  const [bits = 0, colours = 0, compression, filter, interlace = 2] = first.data.subarray(8)
  const kind = kinds[colours]
  if (width === 0 || height === 0 || !kind?.bits.includes(bits)) return undefined
  if (compression !== 0 || filter !== 0 || interlace > 1) return undefined
  return { width, height, bitsPerPixel: kind.samples * bits, colours, isInterlaced: interlace === 1 }
}

/** Offset of the compressed data in chunks other than pixels. */
const packedFrom: Readonly<Record<string, (data: Buffer) => number | undefined>> = {
  zTXt: (data) => data.indexOf(0) + 2,
  iCCP: (data) => data.indexOf(0) + 2,
  iTXt(data) {
    const flags = data.indexOf(0) + 1
    return data[flags] === 1 ? data.indexOf(0, data.indexOf(0, flags + 2) + 1) + 1 : undefined
  },
}

async function extraFault(chunks: readonly Chunk[], bytesAtMost: number): Promise<PngFault | undefined> {
  let left = bytesAtMost
  for (const { type, data } of chunks) {
    const from = packedFrom[type]?.(data)
    if (from === undefined) continue
    const found = await unpackWithin(data.subarray(from), left)
    if (typeof found === 'string') return found === 'tooMuch' ? 'tooMuchExtra' : 'damaged'
    left -= found.length
  }
  return undefined
}

async function pixelFault(chunks: readonly Chunk[], header: Header): Promise<PngFault | undefined> {
  const packed = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])))
  const rows = rowsOf(header)
  const bytes = rows.reduce((sum, { count, bytes }) => sum + count * bytes, 0)
  const pixels = await unpackWithin(packed, bytes)
  if (typeof pixels === 'string' || pixels.length !== bytes) return 'damaged'
  let at = 0
  for (const { count, bytes } of rows)
    for (let row = 0; row < count; row++, at += bytes) if ((pixels[at] ?? 0) > lastFilter) return 'damaged'
  return undefined
}

const lastFilter = 4
/** The passes of an interlaced picture: where each begins and the distance of its pixels. */
const passes = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
]

/** Number and length of the unpacked rows of pixels; each row begins with the number of its filter. */
function rowsOf({ width, height, bitsPerPixel, isInterlaced }: Header): { count: number; bytes: number }[] {
  return (isInterlaced ? passes : [{ x: 0, y: 0, dx: 1, dy: 1 }]).flatMap(({ x, y, dx, dy }) => {
    const [columns, count] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]
    return columns > 0 && count > 0 ? [{ count, bytes: 1 + Math.ceil((columns * bitsPerPixel) / 8) }] : []
  })
}

async function unpackWithin(packed: Buffer, bytesAtMost: number): Promise<Buffer | 'tooMuch' | 'damaged'> {
  try {
    return await unpack(packed, { maxOutputLength: Math.max(1, bytesAtMost) })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'tooMuch' : 'damaged'
  }
}
