// Packs rows of whole numbers: each number as the difference to the row before, in as few bytes as it needs.

/** A fleet has tens of thousands of writers, each on average with half of its last step unused. */
const grownBy = 1.5

/** The size of a number of the row before. */
const bytesBefore = 4

let place = new Int32Array(0)

/** A row while it is packed: what it takes is known afterwards. */
let packed = Buffer.alloc(0)

/** Rows are appended as they come; all rows of one writer have the same width. */
export class RowWriter {
  readonly width: number
  count = 0
  /**
   * The row before, in four bytes for each number, then the packed rows. A buffer of its own: a slice of Node's pool would keep
   * the whole pool in memory while one slice is used.
   */
  #bytes: Buffer
  #length: number

  /** `startBytes` is what it has room for at first. */
  constructor(width: number, startBytes: number) {
    this.width = width
    this.#length = width * bytesBefore
    this.#bytes = Buffer.allocUnsafeSlow(this.#length + startBytes).fill(0, 0, this.#length)
  }

  /** The place for the numbers of the next row, to append it; the same one for all writers. */
  next(): Int32Array {
    if (place.length < this.width) place = new Int32Array(this.width)
    return place
  }

  append(row: ArrayLike<number>): void {
    if (packed.length < this.width * 5) packed = Buffer.alloc(this.width * 5)
    let length = 0
    for (let i = 0; i < this.width; i++) {
      const value = (row[i] ?? 0) | 0
      length = write(value - this.#bytes.readInt32LE(i * bytesBefore), length)
      this.#bytes.writeInt32LE(value, i * bytesBefore)
    }
    this.#makeRoomFor(length)
    for (let at = 0; at < length; at++) this.#bytes[this.#length++] = packed[at] as number
    this.count++
  }

  #makeRoomFor(length: number): void {
    if (this.#length + length <= this.#bytes.length) return
    const grown = Math.ceil(this.#bytes.length * grownBy)
    const larger = Buffer.allocUnsafeSlow(Math.max(grown, this.#length + length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }

  /** The rows so far; a view that the next append may overwrite. */
  bytes(): Buffer {
    return this.#bytes.subarray(this.width * bytesBefore, this.#length)
  }
}

/** Small differences of either sign become small numbers, and those take one byte. Answers where the next one goes. */
function write(difference: number, from: number): number {
  let at = from
  let rest = ((difference << 1) ^ (difference >> 31)) >>> 0
  while (rest > 127) {
    packed[at++] = (rest & 127) | 128
    rest >>>= 7
  }
  packed[at++] = rest
  return at
}

export function readRows(bytes: Uint8Array, width: number): Int32Array[] {
  const rows: Int32Array[] = []
  let at = 0
  let before = new Int32Array(width)
  while (at < bytes.length) {
    const row = new Int32Array(width)
    for (let i = 0; i < width; i++) {
      let value = 0
      let shift = 0
      let byte = 128
      while (byte > 127) {
        byte = bytes[at++] ?? 0
        value |= (byte & 127) << shift
        shift += 7
      }
      row[i] = (before[i] as number) + ((value >>> 1) ^ -(value & 1))
    }
    rows.push(row)
    before = row
  }
  return rows
}
