// Encryption and authentication of a keyed session: AES-256-GCM over media, HMAC-SHA-256 over RTCP.
//
// Wire form of a keyed media packet: RTP header with a 16-byte extension (profile "BK": 8 bytes of salt,
// 4 bytes of roll-over count), encrypted payload, 16 bytes of tag. The salt is random per sender instance and
// goes into the key derivation, so a restarted sender never reuses a nonce; the nonce is the 48-bit packet
// index (roll-over count and sequence number). The header is authenticated with the retransmission bit cleared:
// a retransmission is the same bytes under the same nonce.
//
// Wire form of a keyed RTCP datagram: the compound, then an APP packet "BKAU" (subtype 6) with salt, a counter
// and 16 bytes of HMAC over everything before them. RTCP is readable but cannot be forged or replayed, so
// without the key no host can steer the rate, request retransmissions or divert a link.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { PacketCipher, TAG_BYTES } from './packet-cipher.ts'
import { createReplayWindow, type ReplayWindow } from './replay-window.ts'
import { type RtpHeader, type RtpPacket, rtpHeaderBytes, writeRtpHeader } from './rtp.ts'

const KEY_BYTES = 32
const ROLL_OVER = 0x10000
const SALT_BYTES = 8
const EXTENSION_PROFILE = 0x424b
const EXTENSION_BYTES = SALT_BYTES + 4
const SIGNATURE_NAME = 'BKAU'
const SIGNATURE_SUBTYPE = 6
const SIGNATURE_BYTES = 12 + SALT_BYTES + 8 + TAG_BYTES
/** Salts of earlier instances that may not come back; older ones are dropped. */
const MOST_RETIRED_SALTS = 256

export type SessionEnd = 'sender' | 'receiver'
/** Key objects are prepared once; raw keys would be with each packet, at a quarter of the time that it takes. */
type Keys = {
  salt: Buffer
  media: KeyObject
  control: KeyObject
  /** The nonce of the current packet: a cipher copies it. */
  nonce: Buffer
  /** For packets of a stream, as soon as there is one. */
  runs?: PacketCipher | undefined
}

/** The SSRC both ends use for a session: from a hash of its id, lowest bit clear. */
export function ssrcOfSession(sessionId: string): number {
  return (createHash('sha256').update(`backhaul session ${sessionId}`).digest().readUInt32BE(0) & ~1) >>> 0
}

/** @throws RangeError when the key is not 32 bytes. */
function checkKey(key: Uint8Array): void {
  if (key.length !== KEY_BYTES) throw new RangeError(`key: must be ${KEY_BYTES} bytes, got ${key.length}`)
}

function deriveKeys(key: Uint8Array, sessionId: string, end: SessionEnd, salt: Buffer): Keys {
  const derived = Buffer.from(hkdfSync('sha256', key, salt, `backhaul bonding 1 ${end} ${sessionId}`, 64))
  return {
    salt,
    media: createSecretKey(derived.subarray(0, 32)),
    control: createSecretKey(derived.subarray(32)),
    nonce: Buffer.alloc(12),
  }
}

function nonceOf({ nonce }: Keys, index: number): Buffer {
  nonce.writeUIntBE(index, 6, 6)
  return nonce
}

/** Seals what one end sends. Use one per sender or receiver instance and never two with the same salt. */
export class SessionSealer {
  readonly #keys: Keys
  readonly #extension = { profile: EXTENSION_PROFILE, data: Buffer.alloc(EXTENSION_BYTES) }
  #counter = 0n

  constructor(session: { key: Uint8Array; sessionId: string }, end: SessionEnd) {
    checkKey(session.key)
    this.#keys = deriveKeys(session.key, session.sessionId, end, randomBytes(SALT_BYTES))
    this.#keys.salt.copy(this.#extension.data)
  }

  /** The whole datagram. A (rollOver, sequence) pair must be sealed once only. */
  sealMedia(header: RtpHeader, rollOver: number, payload: Uint8Array): Buffer {
    this.#extension.data.writeUInt32BE(rollOver, SALT_BYTES)
    const headBytes = rtpHeaderBytes(this.#extension)
    const datagram = Buffer.allocUnsafe(headBytes + payload.length + TAG_BYTES)
    writeRtpHeader(datagram, header, this.#extension)
    datagram.set(payload, headBytes)
    const index = rollOver * ROLL_OVER + header.sequence
    const runs = PacketCipher.fits(headBytes, payload.length) && this.#runs()
    if (runs) runs.seal(datagram, headBytes, index)
    else sealGcm(this.#keys, datagram, headBytes, index)
    return datagram
  }

  #runs(): PacketCipher | undefined {
    this.#keys.runs ??= PacketCipher.toSeal(this.#keys.media)
    return this.#keys.runs
  }

  sealControl(compound: Buffer): Buffer {
    const bytes = Buffer.alloc(compound.length + SIGNATURE_BYTES)
    compound.copy(bytes)
    const at = compound.length
    bytes[at] = 0x80 | SIGNATURE_SUBTYPE
    bytes[at + 1] = 204
    bytes.writeUInt16BE(SIGNATURE_BYTES / 4 - 1, at + 2)
    compound.copy(bytes, at + 4, 4, 8)
    bytes.write(SIGNATURE_NAME, at + 8, 'latin1')
    this.#keys.salt.copy(bytes, at + 12)
    bytes.writeBigUInt64BE(++this.#counter, at + 12 + SALT_BYTES)
    const signed = bytes.subarray(0, bytes.length - TAG_BYTES)
    createHmac('sha256', this.#keys.control).update(signed).digest().copy(bytes, signed.length, 0, TAG_BYTES)
    return bytes
  }
}

/** Opens what the other end sent. A new salt that proves the key replaces the old one, which never comes back. */
export class SessionOpener {
  readonly #session: { key: Uint8Array; sessionId: string }
  readonly #peer: SessionEnd
  readonly #retired = new Set<string>()
  #current: { keys: Keys; replay: ReplayWindow } | null = null
  #instances = 0

  constructor(session: { key: Uint8Array; sessionId: string }, peer: SessionEnd) {
    checkKey(session.key)
    this.#session = session
    this.#peer = peer
  }

  /** The number of instances of the other end that were seen: a change means that it restarted. */
  get instances(): number {
    return this.#instances
  }

  /** The payload and the 48-bit packet index, or null when forged, replayed from an earlier instance or plain. */
  openMedia(datagram: Buffer, packet: RtpPacket): { index: number; payload: Buffer } | null {
    const extension = packet.extension
    if (extension?.profile !== EXTENSION_PROFILE || extension.data.length !== EXTENSION_BYTES) return null
    if (packet.payload.length < TAG_BYTES) return null
    const index = extension.data.readUInt32BE(SALT_BYTES) * ROLL_OVER + packet.sequence
    const payload = this.#withKeys(extension.data, (keys) => openPacket(keys, datagram, packet, index))
    return payload && { index, payload }
  }

  /** The compound without its signature, or null when unsigned, forged or replayed. */
  openControl(datagram: Buffer): Buffer | null {
    const at = datagram.length - SIGNATURE_BYTES
    if (at < 8 || datagram.toString('latin1', at + 8, at + 12) !== SIGNATURE_NAME) return null
    const signed = datagram.subarray(0, datagram.length - TAG_BYTES)
    const counter = Number(datagram.readBigUInt64BE(at + 12 + SALT_BYTES))
    const genuine = this.#withKeys(datagram.subarray(at + 12, at + 12 + SALT_BYTES), (keys) => {
      const expected = createHmac('sha256', keys.control).update(signed).digest().subarray(0, TAG_BYTES)
      return timingSafeEqual(expected, datagram.subarray(signed.length)) ? true : null
    })
    if (!genuine || !this.#current?.replay.accept(counter)) return null
    return datagram.subarray(0, at)
  }

  /** `salt`: bytes that begin with it. */
  #withKeys<T>(salt: Buffer, open: (keys: Keys) => T | null): T | null {
    const current = this.#current
    if (current && current.keys.salt.compare(salt, 0, SALT_BYTES) === 0) return open(current.keys)
    const own = Buffer.from(salt.subarray(0, SALT_BYTES))
    if (this.#retired.has(own.toString('latin1'))) return null
    const keys = deriveKeys(this.#session.key, this.#session.sessionId, this.#peer, own)
    const opened = open(keys)
    if (opened === null) return null
    this.#retire()
    this.#current = { keys, replay: createReplayWindow() }
    this.#instances++
    return opened
  }

  #retire(): void {
    if (!this.#current) return
    this.#retired.add(this.#current.keys.salt.toString('latin1'))
    const oldest = this.#retired.values().next()
    if (this.#retired.size > MOST_RETIRED_SALTS && !oldest.done) this.#retired.delete(oldest.value)
  }
}

/** With the header as it was before it was sent again. */
function openPacket(keys: Keys, datagram: Buffer, packet: RtpPacket, index: number): Buffer | null {
  let head = datagram.subarray(0, packet.headerBytes)
  if (packet.retransmitted) {
    head = Buffer.from(head)
    head.writeUInt32BE(packet.ssrc, 8)
  }
  if (!PacketCipher.fits(head.length, packet.payload.length - TAG_BYTES))
    return openGcm(keys, head, packet, index)
  const opened = keys.runs?.open(datagram, head, index)
  if (opened !== undefined) return opened
  const payload = openGcm(keys, head, packet, index)
  if (payload) keys.runs ??= PacketCipher.toOpen(keys.media, index)
  return payload
}

/** In place, as in a run. */
function sealGcm(keys: Keys, datagram: Buffer, headBytes: number, index: number): void {
  const tagAt = datagram.length - TAG_BYTES
  const cipher = createCipheriv('aes-256-gcm', keys.media, nonceOf(keys, index))
  cipher.setAAD(datagram.subarray(0, headBytes))
  datagram.set(cipher.update(datagram.subarray(headBytes, tagAt)), headBytes)
  cipher.final()
  datagram.set(cipher.getAuthTag(), tagAt)
}

function openGcm(keys: Keys, head: Buffer, packet: RtpPacket, index: number): Buffer | null {
  const tagAt = packet.payload.length - TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', keys.media, nonceOf(keys, index), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(head)
  decipher.setAuthTag(packet.payload.subarray(tagAt))
  const payload = decipher.update(packet.payload.subarray(0, tagAt))
  try {
    decipher.final()
  } catch {
    return null
  }
  return payload
}
