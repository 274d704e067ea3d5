// The handshake of SRT, as far as a front needs it that gives each caller a listener of its own
// (draft-sharabayko-srt-01, sections 3.2.1 and 4.3.1). Pure.
import { createHmac } from 'node:crypto'

const HANDSHAKE_BYTES = 64
const HEADER_BYTES = 16
const at = {
  control: 0,
  destination: 12,
  version: 16,
  encryption: 20,
  extension: 22,
  type: 36,
  socketId: 40,
  cookie: 44,
} as const

const control = { handshake: 0x8000, shutdown: 0x8005 } as const
/** The extension field of the answer to the first packet of a caller. */
const MAGIC = 0x4a17
const types = { induction: 1, conclusion: 0xffff_ffff } as const
const REFUSED_FROM = 1000
const REFUSED_TO = 0x7fff_ffff
/** SRT_REJ_BACKLOG: no room for another caller. */
export const NO_ROOM = 5

export interface Handshake {
  readonly kind: 'induction' | 'conclusion' | 'refusal' | 'other'
  /** The socket id of the end that sent it. */
  readonly socketId: number
  readonly cookie: number
}

const controlOf = (packet: Buffer): number =>
  packet.length < HEADER_BYTES ? 0 : packet.readUInt16BE(at.control)

/** Undefined for every other packet. */
export function readHandshake(packet: Buffer): Handshake | undefined {
  if (packet.length < HANDSHAKE_BYTES || controlOf(packet) !== control.handshake) return undefined
  const type = packet.readUInt32BE(at.type)
  const isRefusal = type >= REFUSED_FROM && type <= REFUSED_TO
  const kind =
    type === types.induction
      ? 'induction'
      : type === types.conclusion
        ? 'conclusion'
        : isRefusal
          ? 'refusal'
          : 'other'
  return { kind, socketId: packet.readUInt32BE(at.socketId), cookie: packet.readUInt32BE(at.cookie) }
}

export const isShutdown = (packet: Buffer): boolean => controlOf(packet) === control.shutdown

/** Whether it holds a part of the stream. */
export const isData = (packet: Buffer): boolean => packet.length > HEADER_BYTES && (packet[0]! & 0x80) === 0

/** The cookie by which a caller proves that it receives the packets sent to its address. */
export const cookieFor = (secret: Buffer, caller: string, minute: number): number =>
  createHmac('sha256', secret).update(`${caller} ${minute}`).digest().readUInt32BE(0)

/** The answer to the first packet of a caller. */
export function inductionAnswer(induction: Buffer, cookie: number): Buffer {
  const answer = Buffer.from(induction.subarray(0, HANDSHAKE_BYTES))
  answer.writeUInt32BE(induction.readUInt32BE(at.socketId), at.destination)
  answer.writeUInt32BE(5, at.version)
  answer.writeUInt16BE(0, at.encryption)
  answer.writeUInt16BE(MAGIC, at.extension)
  answer.writeUInt32BE(cookie, at.cookie)
  return answer
}

/** The first packet of the caller that sent this second one. */
export function inductionOf(conclusion: Buffer): Buffer {
  const induction = Buffer.from(conclusion.subarray(0, HANDSHAKE_BYTES))
  induction.writeUInt32BE(0, at.destination)
  induction.writeUInt32BE(4, at.version)
  induction.writeUInt16BE(0, at.encryption)
  induction.writeUInt16BE(2, at.extension)
  induction.writeUInt32BE(types.induction, at.type)
  induction.writeUInt32BE(0, at.cookie)
  return induction
}

/** A first packet by which the front sees whether a listener is ready. */
export function probe(): Buffer {
  const induction = Buffer.alloc(HANDSHAKE_BYTES)
  induction.writeUInt16BE(control.handshake, at.control)
  induction.writeUInt32BE(4, at.version)
  induction.writeUInt16BE(2, at.extension)
  // Largest packet and window, as libsrt requires them.
  induction.writeUInt32BE(1500, 28)
  induction.writeUInt32BE(8192, 32)
  induction.writeUInt32BE(types.induction, at.type)
  induction.writeUInt32BE(1, at.socketId)
  return induction
}

export function withCookie(conclusion: Buffer, cookie: number): Buffer {
  const copy = Buffer.from(conclusion)
  copy.writeUInt32BE(cookie, at.cookie)
  return copy
}

export function refusalOf(conclusion: Buffer, reason: number): Buffer {
  const refusal = Buffer.from(conclusion.subarray(0, HANDSHAKE_BYTES))
  refusal.writeUInt32BE(conclusion.readUInt32BE(at.socketId), at.destination)
  refusal.writeUInt16BE(0, at.extension)
  refusal.writeUInt32BE(REFUSED_FROM + reason, at.type)
  return refusal
}
