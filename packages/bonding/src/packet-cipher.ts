// AES-256-GCM of packets that come in the order of their numbers, in runs: the blocks that cover the packets of a run are
// enciphered by one call. A cipher object for each packet costs a unit several times what its encryption costs.
//
// The wire is that of any AES-256-GCM whose nonce is the 48-bit number of the packet at the end of 12 bytes.
import { type Cipheriv, createCipheriv, type KeyObject } from 'node:crypto'
import { createGhash, type Ghash, TABLE_BYTES, tableOf } from './ghash.ts'

const BLOCK_BYTES = 16
export const TAG_BYTES = 16
/** Seven packets of a transport stream, in whole blocks. */
const MOST_BYTES = Math.ceil((7 * 188) / BLOCK_BYTES) * BLOCK_BYTES
/** For shorter packets most of a run would be thrown away. */
const LEAST_BYTES = 512
const RUN_PACKETS = 32
/** The blocks of a packet: the one that covers the tag, and those that cover its bytes. */
const PACKET_BLOCKS = 1 + MOST_BYTES / BLOCK_BYTES
const STREAM_BYTES = PACKET_BLOCKS * BLOCK_BYTES
const RUN_BYTES = RUN_PACKETS * STREAM_BYTES
/** Runs that are kept: packets of slower links are less than this many runs behind. */
const KEPT_TO_OPEN = 8
const KEPT_TO_SEAL = 1

const HEAD_AT = TABLE_BYTES
const MOST_HEAD_BYTES = 32
const BODY_AT = HEAD_AT + MOST_HEAD_BYTES
/** The block of both lengths follows the body. */
const TAG_AT = BODY_AT + MOST_BYTES + BLOCK_BYTES
const STREAM_AT = TAG_AT + TAG_BYTES

const ghash = createGhash()
/** The cipher whose table is in the memory. */
let loaded: PacketCipher | undefined
/** The input of the cipher for a run: each block holds the number of the packet and that of the block. */
const counters = Buffer.alloc(RUN_BYTES)
const counterWords = new Int32Array(counters.buffer, counters.byteOffset, counters.length / 4)
for (let block = 0; block < RUN_PACKETS * PACKET_BLOCKS; block++)
  counters.writeUInt32BE(1 + (block % PACKET_BLOCKS), block * BLOCK_BYTES + 12)

/** Seals or opens the packets of one key that come in the order of their numbers. */
export class PacketCipher {
  readonly #ghash: Ghash
  readonly #blocks: Cipheriv
  readonly #table: Buffer
  /** For each run that is kept: its number, and the key stream of its packets, in memory that is reused. */
  readonly #numbers: number[]
  readonly #streams: Buffer
  #newest: number

  private constructor(ghash: Ghash, key: KeyObject, kept: number, index: number) {
    this.#ghash = ghash
    this.#numbers = new Array<number>(kept).fill(-1)
    this.#streams = Buffer.allocUnsafeSlow(kept * RUN_BYTES)
    this.#blocks = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
    this.#table = tableOf(this.#blocks.update(Buffer.alloc(BLOCK_BYTES)))
    this.#newest = runNumber(index)
  }

  /** Undefined where the processor has not what it takes. */
  static toSeal(key: KeyObject): PacketCipher | undefined {
    return ghash && new PacketCipher(ghash, key, KEPT_TO_SEAL, 0)
  }

  /** `genuine`: the number of a packet that was opened. */
  static toOpen(key: KeyObject, genuine: number): PacketCipher | undefined {
    return ghash && new PacketCipher(ghash, key, KEPT_TO_OPEN, genuine)
  }

  /** Whether a packet is of a length that is worth a run. */
  static fits(headBytes: number, bodyBytes: number): boolean {
    return headBytes <= MOST_HEAD_BYTES && bodyBytes >= LEAST_BYTES && bodyBytes <= MOST_BYTES
  }

  /** A datagram of head, body and 16 bytes for the tag, in place; the head is authenticated too. */
  seal(datagram: Buffer, headBytes: number, index: number): void {
    const { memory } = this.#ghash
    const bodyBytes = datagram.length - headBytes - TAG_BYTES
    datagram.copy(memory, BODY_AT, headBytes, headBytes + bodyBytes)
    this.#prepare(index)
    this.#ghash.cover(BODY_AT, BODY_AT + bodyBytes, STREAM_AT + BLOCK_BYTES)
    datagram.copy(memory, HEAD_AT, 0, headBytes)
    this.#tag(headBytes, bodyBytes)
    memory.copy(datagram, headBytes, BODY_AT, BODY_AT + bodyBytes)
    memory.copy(datagram, headBytes + bodyBytes, TAG_AT, TAG_AT + TAG_BYTES)
  }

  /**
   * The body of a datagram, null when it is forged, undefined when its number is far from those of genuine packets:
   * a forger shall not choose for which runs there is work to do.
   */
  open(datagram: Buffer, head: Buffer, index: number): Buffer | null | undefined {
    const number = runNumber(index)
    const kept = this.#numbers.length
    const isKnown = this.#numbers[number % kept] === number
    if (!isKnown && (number > this.#newest + 1 || number <= this.#newest + 1 - kept)) return undefined
    const { memory } = this.#ghash
    const bodyBytes = datagram.length - head.length - TAG_BYTES
    this.#prepare(index)
    head.copy(memory, HEAD_AT)
    datagram.copy(memory, BODY_AT, head.length, head.length + bodyBytes)
    this.#tag(head.length, bodyBytes)
    if (!hasTag(datagram, head.length + bodyBytes, memory)) return null
    this.#newest = Math.max(this.#newest, number)
    this.#ghash.cover(BODY_AT, BODY_AT + bodyBytes, STREAM_AT + BLOCK_BYTES)
    const body = Buffer.allocUnsafe(bodyBytes)
    memory.copy(body, 0, BODY_AT, BODY_AT + bodyBytes)
    return body
  }

  #prepare(index: number): void {
    const { memory } = this.#ghash
    if (loaded !== this) this.#table.copy(memory)
    loaded = this
    const from = this.#runAt(runNumber(index)) + (index % RUN_PACKETS) * STREAM_BYTES
    this.#streams.copy(memory, STREAM_AT, from, from + STREAM_BYTES)
  }

  /** The place of the run in the streams. */
  #runAt(number: number): number {
    const place = number % this.#numbers.length
    const at = place * RUN_BYTES
    if (this.#numbers[place] === number) return at
    for (let packet = 0; packet < RUN_PACKETS; packet++) setNumber(packet, number * RUN_PACKETS + packet)
    this.#blocks.update(counters).copy(this.#streams, at)
    this.#numbers[place] = number
    return at
  }

  /** Computes the tag of the head and the covered body in the memory. */
  #tag(headBytes: number, bodyBytes: number): void {
    const { memory } = this.#ghash
    const lengthsAt = BODY_AT + Math.ceil(bodyBytes / BLOCK_BYTES) * BLOCK_BYTES
    memory.fill(0, HEAD_AT + headBytes, BODY_AT)
    memory.fill(0, BODY_AT + bodyBytes, lengthsAt + BLOCK_BYTES)
    memory.writeUInt32BE(headBytes * 8, lengthsAt + 4)
    memory.writeUInt32BE(bodyBytes * 8, lengthsAt + 12)
    this.#ghash.tag(HEAD_AT, lengthsAt + BLOCK_BYTES, STREAM_AT, TAG_AT)
  }
}

function runNumber(index: number): number {
  return Math.floor(index / RUN_PACKETS)
}

/** The number of a packet into all its blocks; its place is the second and third word. */
function setNumber(packet: number, index: number): void {
  const first = packet * PACKET_BLOCKS
  counters.writeUIntBE(index, first * BLOCK_BYTES + 6, 6)
  const [high, low] = [counterWords[first * 4 + 1] ?? 0, counterWords[first * 4 + 2] ?? 0]
  for (let block = first + 1; block < first + PACKET_BLOCKS; block++) {
    counterWords[block * 4 + 1] = high
    counterWords[block * 4 + 2] = low
  }
}

/** Compares all of it, so that its time shows nothing. */
function hasTag(datagram: Buffer, at: number, memory: Buffer): boolean {
  let differs = 0
  for (let byte = 0; byte < TAG_BYTES; byte++)
    differs |= (datagram[at + byte] ?? 0) ^ (memory[TAG_AT + byte] ?? 0)
  return differs === 0
}
