// One WebSocket of a device (RFC 6455), the server's side: no extensions, whole messages of a bounded length.
//
// A fleet sends a message a second each. The receiver of `ws` is a stream for every socket, which costs more than all that core
// does with a status afterwards, and a tenth of the memory of a unit. Here a frame that arrives whole is read where it is.
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { refuseUpgrade } from '../api/upgrades.ts'

export interface DeviceSocketEnds {
  /** The bytes of a text are UTF-8. */
  message(bytes: Buffer, isBinary: boolean): void
  pong(): void
  /** It broke the protocol, and is being closed. */
  broken(isTooLarge: boolean): void
  closed(): void
}

const [CONTINUED, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10] as const
const [normal, protocolError, notUtf8, tooMany, tooLarge] = [1000, 1002, 1007, 1008, 1009] as const
const controlBytesAtMost = 125
const fragmentsAtMost = 1000
/** The time that the other side has to close after it was requested to. */
const closesWithinMs = 30_000
const nothing = Buffer.alloc(0)

/** Answers the request; undefined, and it is refused, when it is not for a WebSocket. */
export function acceptUpgrade(
  { method, headers }: IncomingMessage,
  wire: Socket,
  head: Buffer,
  bytesAtMost: number,
): DeviceSocket | undefined {
  const key = headers['sec-websocket-key'] ?? ''
  const isMeant = method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
  if (!isMeant || headers['sec-websocket-version'] !== '13' || !/^[+/0-9A-Za-z]{22}==$/.test(key)) {
    refuseUpgrade(wire, 400, 'Bad Request')
    return undefined
  }
  const accepted = hash('sha1', `${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64')
  const [protocol = ''] = (headers['sec-websocket-protocol'] ?? '').split(',')
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accepted}`,
    ...(protocol.trim() === '' ? [] : [`Sec-WebSocket-Protocol: ${protocol.trim()}`]),
  ]
  wire.setTimeout(0)
  wire.write(`${lines.join('\r\n')}\r\n\r\n`)
  if (head.length > 0) wire.unshift(head)
  return new DeviceSocket(wire, bytesAtMost)
}

/**
 * 1. open: messages are passed on;
 * 2. closing: a close frame was sent; the other side's is awaited, everything else is ignored;
 * 3. closed.
 */
type Phase = 'open' | 'closing' | 'closed'

export class DeviceSocket {
  readonly #wire: Socket
  readonly #bytesAtMost: number
  #ends: DeviceSocketEnds | undefined
  #phase: Phase = 'open'
  /** The beginning of a frame, how much of it is there, and how much is needed to read on. */
  #begun = nothing
  #filled = 0
  #needed = 0
  /** The parts so far of a message in several frames. */
  #fragments: Buffer[] | undefined
  #fragmentBytes = 0
  #isBinary = false

  constructor(wire: Socket, bytesAtMost: number) {
    this.#wire = wire
    this.#bytesAtMost = bytesAtMost
  }

  /** Reads from now on. */
  open(ends: DeviceSocketEnds): void {
    const wire = this.#wire
    this.#ends = ends
    wire.on('error', destroyed)
    // It ends when the other side has ended.
    wire.allowHalfOpen = false
    wire.on('close', () => {
      this.#phase = 'closed'
      ends.closed()
    })
    wire.on('data', (bytes: Buffer) => this.#receive(bytes))
  }

  get isOpen(): boolean {
    return this.#phase === 'open'
  }

  send(text: string): void {
    if (!this.isOpen) return
    const length = Buffer.byteLength(text)
    const [frame, at] = frameFor(TEXT, length)
    frame.write(text, at)
    this.#wire.write(frame)
  }

  /** Frames that are sent meanwhile leave together. */
  together(send: () => void): void {
    this.#wire.cork()
    try {
      send()
    } finally {
      this.#wire.uncork()
    }
  }

  ping(): void {
    if (this.isOpen) this.#sendControl(PING, nothing)
  }

  /** `reason` may have 123 bytes. */
  close(code: number, reason: string): void {
    if (!this.isOpen) return
    const payload = Buffer.allocUnsafe(2 + Buffer.byteLength(reason))
    payload.writeUInt16BE(code)
    payload.write(reason, 2)
    this.#sendControl(CLOSE, payload)
    this.#awaitClose()
  }

  terminate(): void {
    if (this.isOpen) this.#phase = 'closing'
    this.#wire.destroy()
  }

  pause(): void {
    this.#wire.pause()
  }

  resume(): void {
    this.#wire.resume()
  }

  #sendControl(opcode: number, payload: Buffer): void {
    const [frame, at] = frameFor(opcode, payload.length)
    payload.copy(frame, at)
    this.#wire.write(frame)
  }

  #awaitClose(): void {
    this.#phase = 'closing'
    this.#wire.setTimeout(closesWithinMs, () => this.#wire.destroy())
  }

  #break(code: number): void {
    if (this.isOpen) {
      this.close(code, '')
      this.#ends?.broken(code === tooLarge)
    }
    // The rest of the data cannot be read.
    this.#wire.end()
    this.#wire.removeAllListeners('data')
    this.#wire.resume()
  }

  #receive(chunk: Buffer): void {
    let bytes = chunk
    if (this.#filled > 0) {
      this.#keep(chunk)
      if (this.#filled < this.#needed) return
      bytes = this.#begun.subarray(0, this.#filled)
      this.#begun = nothing
      this.#filled = 0
    }
    for (let at = 0; at < bytes.length; ) {
      const size = this.#sizeOf(bytes, at)
      if (size === 0) return
      if (bytes.length - at < size) {
        this.#needed = size
        this.#keep(bytes.subarray(at))
        return
      }
      this.#take(bytes, at, size)
      at += size
    }
  }

  /** Grows by doubling, so that bytes that arrive one by one do not cost their square. */
  #keep(bytes: Buffer): void {
    const filled = this.#filled + bytes.length
    if (filled > this.#begun.length) {
      const larger = Buffer.allocUnsafe(Math.max(filled, this.#filled * 2))
      this.#begun.copy(larger, 0, 0, this.#filled)
      this.#begun = larger
    }
    bytes.copy(this.#begun, this.#filled)
    this.#filled = filled
  }

  /** The bytes of the frame that begins there, or how many are needed to know it; 0 when it is refused. */
  #sizeOf(bytes: Buffer, at: number): number {
    const there = bytes.length - at
    if (there < 2) return 2
    const [first, second] = [bytes[at] as number, bytes[at + 1] as number]
    if (!this.#isAllowed(first, second)) return this.#refuse(protocolError)
    const head = headBytes(second)
    if (there < head) return head
    const length = payloadBytes(bytes, at)
    return length + this.#fragmentBytes > this.#bytesAtMost ? this.#refuse(tooLarge) : head + length
  }

  #refuse(code: number): 0 {
    this.#break(code)
    return 0
  }

  /** Whether a frame is allowed, by its first two bytes: reserved bits, mask, and the order of frames. */
  #isAllowed(first: number, second: number): boolean {
    if ((first & 0x70) !== 0 || second < 0x80) return false
    const opcode = first & 0x0f
    if (opcode === CONTINUED) return this.#fragments !== undefined
    if (opcode === TEXT || opcode === BINARY) return this.#fragments === undefined
    const length = second & 0x7f
    const isControl = opcode === CLOSE || opcode === PING || opcode === PONG
    return isControl && first >= 0x80 && length <= controlBytesAtMost && !(opcode === CLOSE && length === 1)
  }

  #take(bytes: Buffer, at: number, size: number): void {
    const [first, head] = [bytes[at] as number, headBytes(bytes[at + 1] as number)]
    const payload = bytes.subarray(at + head, at + size)
    unmask(payload, bytes, at + head - 4)
    const opcode = first & 0x0f
    if (opcode === CLOSE) this.#closeRequested(payload)
    else if (opcode === PING) {
      if (this.isOpen) this.#sendControl(PONG, payload)
    } else if (opcode === PONG) this.#ends?.pong()
    else this.#takeData(payload, opcode, first >= 0x80)
  }

  #takeData(payload: Buffer, opcode: number, isLast: boolean): void {
    if (!this.#fragments) {
      this.#isBinary = opcode === BINARY
      if (isLast) this.#pass(payload)
      else this.#fragments = []
    }
    if (!this.#fragments) return
    this.#fragmentBytes += payload.length
    // A copy: it may be a small part of what the network brought.
    if (this.#fragments.push(Buffer.from(payload)) > fragmentsAtMost) this.#break(tooMany)
    else if (isLast) {
      const whole = Buffer.concat(this.#fragments)
      this.#fragments = undefined
      this.#fragmentBytes = 0
      this.#pass(whole)
    }
  }

  #pass(bytes: Buffer): void {
    if (!this.#isBinary && !isUtf8(bytes)) this.#break(notUtf8)
    else if (this.isOpen) this.#ends?.message(bytes, this.#isBinary)
  }

  /** The answer has the same code. */
  #closeRequested(payload: Buffer): void {
    const code = payload.length === 0 ? normal : payload.readUInt16BE()
    if (mayClose(code) && isUtf8(payload.subarray(2))) {
      if (this.isOpen) {
        this.#sendControl(CLOSE, payload.subarray(0, 2))
        this.#awaitClose()
      }
      this.#wire.end()
    } else this.#break(protocolError)
  }
}

/** One function for all sockets: a fleet has tens of thousands. */
function destroyed(this: Socket): void {
  this.destroy()
}

/** A frame with its head, and where its payload begins. */
function frameFor(opcode: number, length: number): [frame: Buffer, at: number] {
  const at = length <= 125 ? 2 : length <= 0xffff ? 4 : 10
  const frame = Buffer.allocUnsafe(at + length)
  frame[0] = 0x80 | opcode
  if (at === 2) frame[1] = length
  else if (at === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  return [frame, at]
}

/** The length of the head of a masked frame. */
function headBytes(second: number): number {
  const length = second & 0x7f
  return length < 126 ? 6 : length === 126 ? 8 : 14
}

function payloadBytes(bytes: Buffer, at: number): number {
  const length = (bytes[at + 1] as number) & 0x7f
  if (length < 126) return length
  return length === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
}

/** The four bytes of a mask as one number in the order of this machine. */
const maskWord = new Uint32Array(1)
const maskBytes = new Uint8Array(maskWord.buffer)

/** Four bytes at a time where they are aligned, as those of a long frame that arrives alone are. */
function unmask(payload: Buffer, bytes: Buffer, maskAt: number): void {
  let at = 0
  if (payload.length >= 64 && payload.byteOffset % 4 === 0) {
    for (let i = 0; i < 4; i++) maskBytes[i] = bytes[maskAt + i] as number
    const mask = maskWord[0] as number
    const words = new Uint32Array(payload.buffer, payload.byteOffset, payload.length >> 2)
    for (let word = 0; word < words.length; word++) words[word] = (words[word] as number) ^ mask
    at = words.length * 4
  }
  for (; at < payload.length; at++)
    payload[at] = (payload[at] as number) ^ (bytes[maskAt + (at & 3)] as number)
}

/** Whether an endpoint may send this close code. */
const mayClose = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && !(code >= 1004 && code <= 1006)) || (code >= 3000 && code <= 4999)
