// SRTP (RFC 3711, RFC 7714) for packets that many viewers get: what werift does for one, without making a packet of its own of each.
import { createCipheriv, createHmac, createSecretKey } from 'node:crypto'
import { ProtectionProfileAeadAes128Gcm } from 'werift'

const HEADER_BYTES = 12
const GCM_TAG_BYTES = 16
const HMAC_TAG_BYTES = 10

/** The session keys of one direction, as werift derives them. */
export interface SrtpKeys {
  readonly profile: number
  readonly srtpSessionKey: Buffer
  readonly srtpSessionSalt: Buffer
  readonly srtpSessionAuthTag: Buffer
}

/**
 * Returns what goes over the wire, under the viewer's source and payload type, or undefined for a packet from before the
 * first one. A packet that is sealed again must have the same stamp. Packets have no more than the fixed header.
 */
export type SrtpSeal = (packet: Buffer, stamp?: number) => Buffer | undefined

export function createSrtpSeal(keys: SrtpKeys, stream: { ssrc: number; payloadType: number }): SrtpSeal {
  const indexOf = createIndexCounter()
  const close =
    keys.profile === ProtectionProfileAeadAes128Gcm ? gcm(keys, stream.ssrc) : hmac(keys, stream.ssrc)
  return (packet, stamp) => {
    const index = indexOf(packet.readUInt16BE(2))
    if (index < 0) return undefined
    const sealed = Buffer.allocUnsafe(packet.length + close.tagBytes)
    packet.copy(sealed, 0, 0, HEADER_BYTES)
    sealed[1] = (packet[1]! & 0x80) | stream.payloadType
    if (stamp !== undefined) sealed.writeUInt32BE(stamp, 4)
    sealed.writeUInt32BE(stream.ssrc, 8)
    close.write(sealed, packet.subarray(HEADER_BYTES), Math.floor(index / 0x10000))
    return sealed
  }
}

/** 48-bit packet indices from sequence numbers of 16 bits, late ones too (RFC 3711 §3.3.1). */
function createIndexCounter() {
  let highest: number | undefined
  return (sequence: number): number => {
    highest ??= sequence
    const ahead = ((sequence - highest + 0x8000) & 0xffff) - 0x8000
    const index = highest + ahead
    highest = Math.max(highest, index)
    return index
  }
}

interface Closing {
  readonly tagBytes: number
  /** Writes payload and tag behind the header. */
  write(sealed: Buffer, payload: Buffer, rollOver: number): void
}

/** The salt with the source in it (RFC 3711 §4.1.1); `tail` is where the packet's index goes. */
function startOf(salt: Buffer, { bytes, ssrcAt, ssrc }: { bytes: number; ssrcAt: number; ssrc: number }) {
  const start = Buffer.alloc(bytes)
  salt.copy(start)
  start.writeUInt32BE((start.readUInt32BE(ssrcAt) ^ ssrc) >>> 0, ssrcAt)
  return start
}

function gcm({ srtpSessionKey, srtpSessionSalt }: SrtpKeys, ssrc: number): Closing {
  const key = createSecretKey(srtpSessionKey)
  const start = startOf(srtpSessionSalt.subarray(0, 12), { bytes: 12, ssrcAt: 2, ssrc })
  const nonce = Buffer.from(start)
  return {
    tagBytes: GCM_TAG_BYTES,
    write(sealed, payload, rollOver) {
      nonce.writeUInt32BE((start.readUInt32BE(6) ^ rollOver) >>> 0, 6)
      nonce.writeUInt16BE(start.readUInt16BE(10) ^ sealed.readUInt16BE(2), 10)
      const cipher = createCipheriv('aes-128-gcm', key, nonce)
      cipher.setAAD(sealed.subarray(0, HEADER_BYTES))
      cipher.update(payload).copy(sealed, HEADER_BYTES)
      cipher.final()
      cipher.getAuthTag().copy(sealed, HEADER_BYTES + payload.length)
    },
  }
}

function hmac({ srtpSessionKey, srtpSessionSalt, srtpSessionAuthTag }: SrtpKeys, ssrc: number): Closing {
  const key = createSecretKey(srtpSessionKey)
  const tagKey = createSecretKey(srtpSessionAuthTag)
  const start = startOf(srtpSessionSalt.subarray(0, 14), { bytes: 16, ssrcAt: 4, ssrc })
  const counter = Buffer.from(start)
  return {
    tagBytes: HMAC_TAG_BYTES,
    write(sealed, payload, rollOver) {
      counter.writeUInt32BE((start.readUInt32BE(8) ^ rollOver) >>> 0, 8)
      counter.writeUInt16BE(start.readUInt16BE(12) ^ sealed.readUInt16BE(2), 12)
      createCipheriv('aes-128-ctr', key, counter).update(payload).copy(sealed, HEADER_BYTES)
      const end = HEADER_BYTES + payload.length
      // The roll-over count is signed behind the packet, and the tag takes its place.
      sealed.writeUInt32BE(rollOver, end)
      createHmac('sha1', tagKey)
        .update(sealed.subarray(0, end + 4))
        .digest()
        .copy(sealed, end, 0, HMAC_TAG_BYTES)
    },
  }
}
