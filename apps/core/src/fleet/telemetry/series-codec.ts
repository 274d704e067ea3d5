// Packs rows of whole numbers: each number as the difference to the row before, in as few bytes as it needs.

const startBytes = 512
/** A fleet has tens of thousands of writers, each on average with half of its last step unused. */
const grownBy = 1.5

/** Rows are appended as they come; all rows of one writer have the same width. */
export class RowWriter {
  readonly width: number
  count = 0
  /** Of its own, not a slice of what Node allocates for many: that would stay as long as one of them is used. */
  #bytes = Buffer.allocUnsafeSlow(startBytes)
  #length = 0
  readonly #before: Int32Array

  constructor(width: number) {
    this.width = width
    this.#before = new Int32Array(width)
  }

  append(row: ArrayLike<number>): void {
    const mostBytes = this.width * 5
    if (this.#length + mostBytes > this.#bytes.length) {
      const grown = Math.ceil(this.#bytes.length * grownBy)
      const larger = Buffer.allocUnsafeSlow(Math.max(grown, this.#length + mostBytes))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    for (let i = 0; i < this.width; i++) {
      const value = row[i] ?? 0
      this.#write(value - (this.#before[i] as number))
      this.#before[i] = value
    }
    this.count++
  }

  /** The rows so far; a view that the next append may overwrite. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Small differences of either sign become small numbers, and those take one byte. */
  #write(difference: number): void {
    let rest = ((difference << 1) ^ (difference >> 31)) >>> 0
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }
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
