// The datagrams of a session that a unit opens by calls over its links, sealed with its key (session-seal.ts).
//
// A frame is an RTP packet: the sequence number and its roll-over count number the packets of one end without a gap, the
// timestamp is the number that the caller gives the frame. A datagram that comes twice is taken once.
// A call is signed RTCP, an APP packet "BKSP" that names the link, with a stamp of the caller that comes back unchanged.
import { createReplayWindow } from './replay-window.ts'
import { isRtcp, readRtp } from './rtp.ts'
import { type SessionEnd, SessionOpener, SessionSealer, ssrcOfSession } from './session-seal.ts'

const NAME = 'BKSP'
const APPLICATION = 204
const HEAD_BYTES = 21
const LONGEST_LINK = 64
const ROLL_OVER = 0x10000

export interface CallSession {
  readonly sessionId: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

export type CallDatagram =
  | { kind: 'frame'; index: number; frame: number; instance: number; payload: Buffer }
  | { kind: 'call'; link: string; stampMs: number }

/** The session named by a datagram; undefined for one that is neither. */
export function ssrcOf(datagram: Buffer): number | undefined {
  if (datagram.length < 12) return undefined
  return isRtcp(datagram) ? datagram.readUInt32BE(4) : datagram.readUInt32BE(8)
}

export class CallSeal {
  readonly ssrc: number
  readonly #sealer: SessionSealer
  readonly #opener: SessionOpener
  #index = 0
  #instances = 0
  #seen = createReplayWindow()

  /** @throws RangeError when the key is not 32 bytes. */
  constructor(session: CallSession, end: SessionEnd) {
    this.ssrc = ssrcOfSession(session.sessionId)
    this.#sealer = new SessionSealer(session, end)
    this.#opener = new SessionOpener(session, end === 'sender' ? 'receiver' : 'sender')
  }

  sealFrame(frame: number, payload: Uint8Array): Buffer {
    const index = ++this.#index
    const header = { sequence: index % ROLL_OVER, timestamp: frame >>> 0, ssrc: this.ssrc }
    return this.#sealer.sealMedia(header, Math.floor(index / ROLL_OVER), payload)
  }

  sealCall(link: string, stampMs: number): Buffer {
    const name = Buffer.from(link, 'utf8').subarray(0, LONGEST_LINK)
    const bytes = Buffer.alloc(Math.ceil((HEAD_BYTES + name.length) / 4) * 4)
    bytes[0] = 0x80
    bytes[1] = APPLICATION
    bytes.writeUInt16BE(bytes.length / 4 - 1, 2)
    bytes.writeUInt32BE(this.ssrc, 4)
    bytes.write(NAME, 8, 'latin1')
    bytes.writeDoubleBE(stampMs, 12)
    bytes[HEAD_BYTES - 1] = name.length
    name.copy(bytes, HEAD_BYTES)
    return this.#sealer.sealControl(bytes)
  }

  /** Null for what is forged, repeated or not of this session. */
  open(datagram: Buffer): CallDatagram | null {
    if (ssrcOf(datagram) !== this.ssrc) return null
    if (isRtcp(datagram)) {
      const bytes = this.#opener.openControl(datagram)
      return bytes && readCall(bytes)
    }
    const packet = readRtp(datagram)
    if (!packet) return null
    const opened = this.#opener.openMedia(datagram, packet)
    if (!opened) return null
    this.#renew()
    if (!this.#seen.accept(opened.index)) return null
    return { kind: 'frame', ...opened, frame: packet.timestamp, instance: this.#instances }
  }

  /** An end that was started again counts its packets from 1. */
  #renew(): void {
    if (this.#opener.instances === this.#instances) return
    this.#instances = this.#opener.instances
    this.#seen = createReplayWindow()
  }
}

function readCall(bytes: Buffer): CallDatagram | null {
  if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 8, 12) !== NAME) return null
  const length = bytes.readUInt8(HEAD_BYTES - 1)
  if (HEAD_BYTES + length > bytes.length) return null
  const link = bytes.toString('utf8', HEAD_BYTES, HEAD_BYTES + length)
  return { kind: 'call', link, stampMs: bytes.readDoubleBE(12) }
}
