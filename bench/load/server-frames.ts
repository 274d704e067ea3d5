/** Reads what a WebSocket server sends (RFC 6455 §5.2): the answer to the upgrade, then frames of text, whole and unmasked. */

const opcodeMask = 0x0f
const text = 0x1
const lengthMask = 0x7f
const lengthOf16Bits = 126
const endOfHead = '\r\n\r\n'

interface Ends {
  opened(): void
  received(text: string): void
}

/** Takes the bytes as they arrive. Frames of other kinds are passed over; one of 64 kB or more is not expected. */
export function serverFrames({ opened, received }: Ends): (bytes: Buffer) => void {
  let isOpen = false
  let unread: Buffer = Buffer.alloc(0)
  return (bytes) => {
    unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes])
    if (!isOpen) {
      const end = unread.indexOf(endOfHead)
      if (end < 0) return
      isOpen = true
      unread = unread.subarray(end + endOfHead.length)
      opened()
    }
    while (unread.length >= 2) {
      const short = (unread[1] as number) & lengthMask
      const from = short < lengthOf16Bits ? 2 : 4
      if (unread.length < from) return
      const to = from + (short < lengthOf16Bits ? short : unread.readUInt16BE(2))
      if (unread.length < to) return
      const frame = unread
      unread = unread.subarray(to)
      if (((frame[0] as number) & opcodeMask) === text) received(frame.toString('utf8', from, to))
    }
  }
}
