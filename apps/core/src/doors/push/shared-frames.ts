// WebSocket frames that many readers are sent: joined, turned to UTF-8 and framed once for all that are sent the same.
//
// Half of what a delivered change costs is this work, repeated for each reader; the other half is the write to its socket.

/**
 * The number of different frames of a tick that are searched; more kinds of readers are rare, and cost what they cost
 * alone.
 */
const keptFrames = 8

interface Kept {
  texts: readonly string[]
  frame: Buffer
}

export class SharedFrames {
  #kept: Kept[] = []

  /** A frame with all these messages; the same one for readers with the same texts since the last `clear`. */
  of(texts: readonly string[]): Buffer {
    const known = this.#kept.find((one) => areSame(one.texts, texts))
    if (known) return known.frame
    const frame = frameOf(`[${texts.join(',')}]`)
    if (this.#kept.length < keptFrames) this.#kept.push({ texts, frame })
    return frame
  }

  /** The tick is over: these texts are not sent again. */
  clear(): void {
    this.#kept = []
  }
}

/** Readers get the very same texts from a topic, so that equal ones are mostly one object, and unequal ones differ in length. */
const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, at) => text === other[at])

const finalText = 0x81
const [with16Bits, with64Bits] = [126, 127] as const

/** One unfragmented text message of a server (RFC 6455, 5.2): not masked, not compressed. */
export function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headBytes = length < with16Bits ? 2 : length < 0x1_0000 ? 4 : 10
  const frame = Buffer.allocUnsafe(headBytes + length)
  frame[0] = finalText
  if (headBytes === 2) frame[1] = length
  else if (headBytes === 4) {
    frame[1] = with16Bits
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = with64Bits
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, headBytes)
  return frame
}
