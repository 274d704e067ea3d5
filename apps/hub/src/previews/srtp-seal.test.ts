import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  ProtectionProfileAeadAes128Gcm,
  ProtectionProfileAes128CmHmacSha1_80,
  RtpPacket,
  SrtpSession,
} from 'werift'
import { createSrtpSeal } from './srtp-seal.ts'

const ssrc = 0xdeadbeef

function packetOf(sequence: number): Buffer {
  const packet = Buffer.concat([Buffer.alloc(12), randomBytes(400 + (sequence % 800))])
  packet[0] = 0x80
  packet[1] = 0x80 | 96
  packet.writeUInt16BE(sequence, 2)
  packet.writeUInt32BE(sequence * 3000, 4)
  return packet
}

/** A sender and the session of the viewer, who has the same keys the other way round. */
function ends(profile: number, saltBytes: number) {
  const [localMasterKey, remoteMasterKey] = [randomBytes(16), randomBytes(16)]
  const [localMasterSalt, remoteMasterSalt] = [randomBytes(saltBytes), randomBytes(saltBytes)]
  const near = new SrtpSession({
    profile,
    keys: { localMasterKey, localMasterSalt, remoteMasterKey, remoteMasterSalt },
  })
  const far = new SrtpSession({
    profile,
    keys: {
      localMasterKey: remoteMasterKey,
      localMasterSalt: remoteMasterSalt,
      remoteMasterKey: localMasterKey,
      remoteMasterSalt: localMasterSalt,
    },
  })
  return { seal: createSrtpSeal(near.localContext, { ssrc, payloadType: 102 }), far }
}

test.for([
  ['AES-GCM', ProtectionProfileAeadAes128Gcm, 12],
  ['AES-CTR with HMAC-SHA1', ProtectionProfileAes128CmHmacSha1_80, 14],
] as const)(
  'a viewer opens what is sealed with %s, across the wrap of the numbers',
  ([, profile, saltBytes]) => {
    const { seal, far } = ends(profile, saltBytes)
    const packets = Array.from({ length: 40 }, (_, at) => packetOf((65_520 + at) & 0xffff))
    // The last one before the wrap is requested again after it.
    for (const packet of [...packets, packets[15]!]) {
      const opened = RtpPacket.deSerialize(far.decrypt(seal(packet)!))
      expect(opened.header).toMatchObject({ ssrc, payloadType: 102, marker: true })
      expect(opened.header.sequenceNumber).toBe(packet.readUInt16BE(2))
      expect(opened.header.timestamp).toBe(packet.readUInt32BE(4))
      expect(opened.payload.equals(packet.subarray(12))).toBe(true)
    }
  },
)

test('a stamp that is given replaces that of the packet, and the packet is not changed', () => {
  const { seal, far } = ends(ProtectionProfileAes128CmHmacSha1_80, 14)
  const packet = packetOf(7)
  const copy = Buffer.from(packet)
  const opened = RtpPacket.deSerialize(far.decrypt(seal(packet, 123)!))
  expect(opened.header.timestamp).toBe(123)
  expect(packet.equals(copy)).toBe(true)
})

test('a packet from before the first one is not sealed', () => {
  const { seal } = ends(ProtectionProfileAes128CmHmacSha1_80, 14)
  expect(seal(packetOf(3))).toBeDefined()
  expect(seal(packetOf(65_500))).toBeUndefined()
})
