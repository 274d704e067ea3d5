import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { echoRequest, senderReport } from './rtcp.ts'
import { asRetransmission, readRtp } from './rtp.ts'
import { SessionOpener, SessionSealer } from './session-seal.ts'

const session = { key: new Uint8Array(32).fill(1), sessionId: 's' }
const header = { sequence: 65_535, timestamp: 1, ssrc: 6 }
const payload = Buffer.alloc(1316, 0x47)

function open(opener: SessionOpener, datagram: Buffer) {
  const packet = readRtp(datagram)
  return packet && opener.openMedia(datagram, packet)
}

test('Media opens with the key and carries its full index', () => {
  const sealed = new SessionSealer(session, 'sender').sealMedia(header, 3, payload)
  expect(sealed.includes(payload.subarray(0, 32))).toBe(false)
  expect(open(new SessionOpener(session, 'sender'), sealed)).toEqual({ index: 3 * 65_536 + 65_535, payload })
})

test('A retransmission opens like the packet itself', () => {
  const sealed = new SessionSealer(session, 'sender').sealMedia(header, 0, payload)
  expect(open(new SessionOpener(session, 'sender'), asRetransmission(sealed))?.payload).toEqual(payload)
})

test('Nothing opens with another key, another session, another end or any byte changed', () => {
  const sealed = new SessionSealer(session, 'sender').sealMedia(header, 0, payload)
  const others = [
    new SessionOpener({ ...session, key: new Uint8Array(32).fill(2) }, 'sender'),
    new SessionOpener({ ...session, sessionId: 't' }, 'sender'),
    new SessionOpener(session, 'receiver'),
  ]
  for (const other of others) expect(open(other, sealed)).toBeNull()
  for (let at = 0; at < sealed.length; at += 7) {
    const forged = Buffer.from(sealed)
    forged[at] = (forged[at] ?? 0) ^ 0x40
    expect(open(new SessionOpener(session, 'sender'), forged)).toBeNull()
  }
})

test('The same packet sealed by a restarted sender is under another key', () => {
  const [first, second] = [1, 2].map(() => new SessionSealer(session, 'sender').sealMedia(header, 0, payload))
  expect(first?.equals(second!)).toBe(false)
})

test('An earlier instance of the sender cannot come back once a newer one was seen', () => {
  const [first, second] = [new SessionSealer(session, 'sender'), new SessionSealer(session, 'sender')]
  const opener = new SessionOpener(session, 'sender')
  expect(open(opener, first.sealMedia(header, 0, payload))).not.toBeNull()
  expect(open(opener, second.sealMedia(header, 0, payload))).not.toBeNull()
  expect(open(opener, first.sealMedia({ ...header, sequence: 9 }, 0, payload))).toBeNull()
  expect(opener.instances).toBe(2)
})

test('Signed RTCP is accepted once, unsigned and changed RTCP never', () => {
  const report = senderReport({ ssrc: 6, wallMs: 0, timestamp: 0, packets: 0, bytes: 0 })
  const compound = Buffer.concat([report, echoRequest(6, 1n)])
  const signed = new SessionSealer(session, 'sender').sealControl(compound)
  const opener = new SessionOpener(session, 'sender')
  expect(opener.openControl(compound)).toBeNull()
  const forged = Buffer.from(signed)
  forged[40] = (forged[40] ?? 0) ^ 1
  expect(opener.openControl(forged)).toBeNull()
  expect(opener.openControl(signed)).toEqual(compound)
  expect(opener.openControl(signed)).toBeNull()
})

test('A key of the wrong length is refused by name', () => {
  expect(() => new SessionSealer({ key: new Uint8Array(16), sessionId: 's' }, 'sender')).toThrow(
    'key: must be 32 bytes, got 16',
  )
})

test('A stream is AES-256-GCM for packets of any order and length', () => {
  const sealer = new SessionSealer(session, 'sender')
  const opener = new SessionOpener(session, 'sender')
  const lengths = [1316, 188, 1504, 512, 1328, 940, 1303]
  const packets = Array.from({ length: 400 }, (_, at) => {
    const content = randomBytes(lengths[at % lengths.length] ?? 0)
    const index = 65_400 + at
    const sealed = sealer.sealMedia(
      { ...header, sequence: index % 65_536 },
      Math.floor(index / 65_536),
      content,
    )
    expect(openByOpenSsl(sealed, index)).toEqual(content)
    return { index, content, sealed }
  })
  // Packets of a slow link come late, and one is far ahead and one far behind the others.
  const order = packets.map((packet, at) => ({ ...packet, place: at + (at % 3 === 0 ? 90 : 0) }))
  order.sort((a, b) => a.place - b.place)
  order.unshift(order.pop()!)
  order.push(order.splice(1, 1)[0]!)
  for (const { index, content, sealed } of order) {
    const forged = Buffer.from(sealed)
    forged[40] = (forged[40] ?? 0) ^ 1
    expect(open(opener, forged)).toBeNull()
    expect(open(opener, sealed)).toEqual({ index, payload: content })
    expect(open(opener, asRetransmission(sealed))).toEqual({ index, payload: content })
  }
})

/** By the wire form that session-seal.ts describes, one cipher for each packet. */
function openByOpenSsl(sealed: Buffer, index: number): Buffer {
  const salt = sealed.subarray(16, 24)
  const derived = Buffer.from(hkdfSync('sha256', session.key, salt, 'backhaul bonding 1 sender s', 64))
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(index, 6, 6)
  const decipher = createDecipheriv('aes-256-gcm', derived.subarray(0, 32), nonce)
  decipher.setAAD(sealed.subarray(0, 28))
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(28, -16)), decipher.final()])
}
