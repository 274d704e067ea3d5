// GHASH of AES-GCM (NIST SP 800-38D §6.4) as a WebAssembly module that is assembled here: plain JavaScript takes four times as long.
//
// The product with the hash key is read from a table: for each of the 32 half bytes of a block (positions), and each of its
// 16 values, the 16 bytes that it adds to the product.

const BLOCK_BYTES = 16
const POSITION_BYTES = 16 * BLOCK_BYTES
export const TABLE_BYTES = 32 * POSITION_BYTES
/** The polynomial of GCM, its bits in the order that the standard counts them. */
const POLYNOMIAL = 0xe1n << 120n

export interface Ghash {
  /** 64 KB that the functions work on; the table is at its beginning. */
  readonly memory: Buffer
  /** Whole blocks from `at` to `end`, exclusive or with the key stream. */
  cover(at: number, end: number, keyStreamAt: number): void
  /** GHASH of the blocks from `at` to `end`, exclusive or with the block at `maskAt`, goes to `to`. */
  tag(at: number, end: number, maskAt: number, to: number): void
}

/** The table of a hash key of 16 bytes. */
export function tableOf(hashKey: Buffer): Buffer {
  const table = Buffer.alloc(TABLE_BYTES)
  const words = new Int32Array(table.buffer, table.byteOffset, TABLE_BYTES / 4)
  let product = (hashKey.readBigUInt64BE(0) << 64n) | hashKey.readBigUInt64BE(8)
  for (let bit = 0; bit < 128; bit++) {
    // The standard's first bit is the highest of the first byte; the low half of a byte comes first in a word.
    const inByte = 7 - (bit & 7)
    const position = (bit >> 3) * 2 + (inByte >> 2)
    const at = position * POSITION_BYTES + (1 << (inByte & 3)) * BLOCK_BYTES
    table.writeBigUInt64BE(product >> 64n, at)
    table.writeBigUInt64BE(product & 0xffff_ffff_ffff_ffffn, at + 8)
    product = (product >> 1n) ^ (product & 1n ? POLYNOMIAL : 0n)
  }
  for (let entry = 0; entry < TABLE_BYTES / BLOCK_BYTES; entry++) {
    const value = entry & 15
    const lowest = value & -value
    if (lowest === value) continue
    // The sum of its lowest bit and the rest, both of which precede it.
    const [one, rest] = [entry - value + lowest, entry - lowest]
    for (let word = 0; word < 4; word++)
      words[entry * 4 + word] = (words[one * 4 + word] ?? 0) ^ (words[rest * 4 + word] ?? 0)
  }
  return table
}

const V128 = 0x7b
const I64 = 0x7e
const I32 = 0x7f
/** WebAssembly by its own names, as far as it is needed. */
const op = {
  end: [0x0b],
  loop: [0x03, 0x40],
  repeatIf: [0x0d, 0],
  i32: { const: (value: number) => [0x41, ...leb(value)], add: [0x6a], and: [0x71], below: [0x49] },
  i64: { const: (value: number) => [0x42, ...leb(value)], shl: [0x86], shr: [0x88], wrap: [0xa7] },
  v128: {
    load: (offset = 0) => [0xfd, 0, 0, ...leb(offset)],
    store: [0xfd, 11, 0, 0],
    zero: [0xfd, 12, ...new Array<number>(BLOCK_BYTES).fill(0)],
    half: (lane: number) => [0xfd, 0x1d, lane],
    xor: [0xfd, 0x51],
  },
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  tee: (local: number) => [0x22, local],
}
const { end, loop, repeatIf, i32, i64, v128, get, set, tee } = op

/** Signed LEB128, which for what is used here is the unsigned form too. */
function leb(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  return rest === 0 && low < 0x40 ? [low] : [low | 0x80, ...leb(rest)]
}

const code = (...parts: readonly number[][]) => parts.flat()
const sized = (bytes: readonly number[]) => [...leb(bytes.length), ...bytes]
const section = (id: number, items: readonly number[][]) => [id, ...sized([items.length, ...items.flat()])]
const nextBlock = (pointer: number) => code(get(pointer), i32.const(BLOCK_BYTES), i32.add)
/** Repeats for the next block. */
const untilLast = (at: number, last: number) => code(nextBlock(at), tee(at), get(last), i32.below, repeatIf)

function coverFunction(): number[] {
  const [at, last, keyStream] = [0, 1, 2]
  const noLocals = [0]
  const covered = code(get(at), v128.load(), get(keyStream), v128.load(), v128.xor)
  const block = code(get(at), covered, v128.store, nextBlock(keyStream), set(keyStream))
  return code(noLocals, loop, block, untilLast(at, last), end, end)
}

function tagFunction(): number[] {
  const [at, last, mask, to, hash, sum, half] = [0, 1, 2, 3, 4, 5, 6]
  const locals = [2, 2, V128, 1, I64]
  /** The entry of the table for a half byte: its value times 16 is its offset among the values of its position. */
  const entry = (lane: number, nibble: number) => {
    const shifted = nibble === 0 ? code(i64.const(4), i64.shl) : code(i64.const(nibble * 4 - 4), i64.shr)
    const place = code(get(half), shifted, i64.wrap, i32.const(0xf0), i32.and)
    return code(place, v128.load((lane * 16 + nibble) * POSITION_BYTES))
  }
  const added = (lane: number) =>
    code(
      code(get(hash), v128.half(lane), set(half), get(sum)),
      Array.from({ length: 16 }, (_, nibble) => code(entry(lane, nibble), v128.xor)).flat(),
      set(sum),
    )
  const block = code(
    code(get(hash), get(at), v128.load(), v128.xor, set(hash)),
    code(v128.zero, set(sum), added(0), added(1), get(sum), set(hash)),
  )
  const masked = code(get(to), get(hash), get(mask), v128.load(), v128.xor, v128.store)
  return code(locals, loop, block, untilLast(at, last), end, masked, end)
}

function assemble(): Uint8Array<ArrayBuffer> {
  const exported = (name: string, kind: number, index: number) =>
    code(sized([...Buffer.from(name)]), [kind, index])
  const type = (parameters: number) => code([0x60], sized(new Array<number>(parameters).fill(I32)), [0])
  const module = code(
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, [type(3), type(4)]),
    section(3, [[0], [1]]),
    section(5, [[0, 1]]),
    section(7, [exported('memory', 2, 0), exported('cover', 0, 0), exported('tag', 0, 1)]),
    section(10, [sized(coverFunction()), sized(tagFunction())]),
  )
  return Uint8Array.from(module)
}

/** Undefined on a processor without the vector instructions. */
export function createGhash(): Ghash | undefined {
  const bytes = assemble()
  if (!WebAssembly.validate(bytes)) return undefined
  const { memory, cover, tag } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports
  return { memory: Buffer.from(memory.buffer), cover, tag }
}

/** The types of Node leave it out. */
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
  ) => { readonly exports: Omit<Ghash, 'memory'> & { readonly memory: { readonly buffer: ArrayBuffer } } }
}
