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
