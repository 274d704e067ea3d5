/** Text frames of a WebSocket client (RFC 6455 §5.2), made before they are sent: coding and masking are not the load. */
import { randomFillSync } from 'node:crypto'

const textFrame = 0x81
const maskBit = 0x80
const lengthOf16Bits = 126
const headBytes = 8
const maskAt = 4
const shortest = 126

/** A frame whose payload is replaced from `at` on, with `digits` of the same number, each time that it is sent. */
export interface ClientFrame {
  bytes: Buffer
  at: number
}

/** The frame of `text` (126 bytes to 64 kB), in which `replaced` is found once. */
export function clientFrame(text: string, replaced: string): ClientFrame {
  const length = Buffer.byteLength(text)
  if (length < shortest || length > 0xffff) throw new RangeError(`no frame of ${length} bytes`)
  const bytes = Buffer.allocUnsafe(headBytes + length)
  bytes.writeUInt8(textFrame, 0)
  bytes.writeUInt8(maskBit | lengthOf16Bits, 1)
  bytes.writeUInt16BE(length, 2)
  randomFillSync(bytes, maskAt, 4)
  bytes.write(text, headBytes)
  mask(bytes, 0, length)
  return { bytes, at: Buffer.byteLength(text.slice(0, text.indexOf(replaced))) }
}

/** Puts `digits` into the payload. */
export function replaceDigits({ bytes, at }: ClientFrame, digits: string): void {
  bytes.write(digits, headBytes + at, 'latin1')
  mask(bytes, at, digits.length)
}

function mask(bytes: Buffer, from: number, length: number): void {
  for (let at = from; at < from + length; at++) {
    const place = headBytes + at
    bytes[place] = bytes[place]! ^ bytes[maskAt + (at & 3)]!
  }
}
