// Sender and receiver together over simulated links in simulated time.
import { expect, test } from 'vitest'
import type { LinkShape } from './testing/link-shaper.ts'
import { SimulatedBond } from './testing/simulated-bond.ts'
import { TestStream } from './testing/transport-stream.ts'

const SEEDS = [1, 2, 3, 4, 5, 6]
const key = new Uint8Array(32).fill(7)

function threeLinks(shape: Partial<LinkShape> = {}): Record<string, Partial<LinkShape>> {
  return {
    modem1: { kbps: 2000, delayMs: 20, jitterMs: 10, ...shape },
    modem2: { kbps: 2000, delayMs: 30, jitterMs: 10, ...shape },
    ethernet: { kbps: 2000, delayMs: 60, jitterMs: 10, ...shape },
  }
}

function senderLink(bond: SimulatedBond, id: string) {
  const link = bond.sender.stats(bond.nowMs).links.find((candidate) => candidate.id === id)
  if (!link) throw new Error(`no link ${id}`)
  return link
}

test('Four megabits over three links of two arrive whole', () => {
  const bond = new SimulatedBond({ links: threeLinks() })
  bond.run(10_000, 4000)
  expect(bond.continuity.errors).toBe(0)
  expect(bond.continuity.packets).toBeGreaterThan(23_000)
  expect(bond.receiver.stats(bond.nowMs).totals).toMatchObject({ lost: 0, rejected: 0 })
  for (const link of bond.sender.stats(bond.nowMs).links) expect(link.kbps).toBeGreaterThan(500)
})

test.each(SEEDS)(
  'A link that is cut, restored and another that swallows everything cost no packet (seed %i)',
  (seed) => {
    const bond = new SimulatedBond({ links: threeLinks(), seed, key })
    bond.run(8000 + seed * 50, 3000)
    bond.cut('modem1')
    bond.run(4000, 3000)
    expect(senderLink(bond, 'modem1')).toMatchObject({ up: false, condition: 'down' })
    expect(bond.continuity.errors).toBe(0)
    bond.restore('modem1')
    bond.run(6000, 3000)
    expect(senderLink(bond, 'modem1').up).toBe(true)
    expect(senderLink(bond, 'modem1').kbps).toBeGreaterThan(100)
    bond.blackHole('modem2')
    bond.run(4000, 3000)
    expect(senderLink(bond, 'modem2').up).toBe(false)
    expect(bond.continuity.errors).toBe(0)
    expect(bond.longestPauseMs).toBeLessThan(100)
  },
)

test('Three per cent of random loss is repaired on every link', () => {
  const bond = new SimulatedBond({ links: threeLinks({ lossPercent: 3 }) })
  bond.run(20_000, 3000)
  expect(bond.continuity.errors).toBe(0)
  const { totals, links } = bond.receiver.stats(bond.nowMs)
  expect(totals.recovered).toBeGreaterThan(100)
  for (const link of links) expect(link.lostPercent).toBeLessThan(10)
  expect(Math.max(...links.map((link) => link.lostPercent ?? 0))).toBeGreaterThan(1)
})

test('Unequal links end up carrying what each can when the encoder follows the target', () => {
  const links = {
    fast: { kbps: 3200, delayMs: 20 },
    middle: { kbps: 1600, delayMs: 30 },
    slow: { kbps: 600, delayMs: 50 },
  }
  const bond = new SimulatedBond({ links })
  bond.run(25_000, 'target')
  expect(bond.continuity.errors).toBe(0)
  const [fast, middle, slow] = ['fast', 'middle', 'slow'].map((id) => senderLink(bond, id).capacityKbps)
  expect(fast).toBeGreaterThan(2200)
  expect(middle).toBeGreaterThan(1100)
  expect(middle).toBeLessThan(2400)
  expect(slow).toBeGreaterThan(350)
  expect(slow).toBeLessThan(900)
  expect(bond.sender.targetKbps(bond.nowMs)).toBeGreaterThan(3500)
})

test('The target falls when a link goes and an encoder that follows it loses nothing', () => {
  const bond = new SimulatedBond({ links: threeLinks() })
  bond.run(20_000, 'target')
  const before = bond.sender.targetKbps(bond.nowMs)
  bond.cut('ethernet')
  bond.run(4000, 'target')
  expect(bond.sender.targetKbps(bond.nowMs)).toBeLessThan(before * 0.8)
  expect(bond.continuity.errors).toBe(0)
})

test('The buffer grows and shrinks while the stream runs without a continuity error', () => {
  const bond = new SimulatedBond({
    links: threeLinks({ lossPercent: 1 }),
    receiverBufferMs: 500,
    bufferMs: 2000,
  })
  bond.run(4000, 2000)
  bond.receiver.setBufferMs(2000)
  bond.run(5000, 2000)
  expect(bond.receiver.stats(bond.nowMs).delayMs).toBe(2000)
  bond.receiver.setBufferMs(400)
  bond.run(8000, 2000)
  expect(bond.receiver.stats(bond.nowMs).delayMs).toBe(400)
  expect(bond.continuity.errors).toBe(0)
  expect(bond.receiver.stats(bond.nowMs).totals.lost).toBe(0)
})

test('An outage of all links shorter than the buffer is bridged', () => {
  const bond = new SimulatedBond({ links: threeLinks({ kbps: 4000 }), bufferMs: 3000 })
  bond.run(5000, 2000)
  for (const id of bond.links.keys()) bond.cut(id)
  bond.run(1000, 2000)
  for (const id of bond.links.keys()) bond.restore(id)
  bond.run(6000, 2000)
  expect(bond.continuity.errors).toBe(0)
})

test('An outage longer than the buffer loses packets, and the stream continues afterwards', () => {
  const bond = new SimulatedBond({ links: threeLinks() })
  bond.run(3000, 2000)
  for (const id of bond.links.keys()) bond.cut(id)
  bond.run(60_000, 2000)
  for (const id of bond.links.keys()) bond.restore(id)
  bond.run(5000, 2000)
  const { totals, heldPackets, missingPackets } = bond.receiver.stats(bond.nowMs)
  expect(totals.lost).toBeGreaterThan(0)
  expect(heldPackets).toBeLessThan(400)
  expect(missingPackets).toBeLessThan(30)
  const errors = bond.continuity.errors
  bond.run(5000, 2000)
  expect(bond.continuity.errors).toBe(errors)
})

test('A link that is switched off sends nothing, one that is added is used', () => {
  const bond = new SimulatedBond({ links: threeLinks() })
  bond.run(4000, 2000)
  bond.sender.enableLink('modem1', false, bond.nowMs)
  bond.run(1500, 2000)
  const silent = bond.link('modem1').up.passed
  bond.run(1000, 2000)
  expect(bond.link('modem1').up.passed).toBe(silent)
  expect(senderLink(bond, 'modem1')).toMatchObject({ up: false, enabled: false, kbps: 0 })
  bond.sender.enableLink('modem1', true, bond.nowMs)
  bond.run(2000, 2000)
  expect(senderLink(bond, 'modem1').kbps).toBeGreaterThan(50)
  bond.sender.removeLink('ethernet', bond.nowMs)
  bond.run(2000, 2000)
  bond.sender.addLink('ethernet', bond.nowMs)
  bond.run(2000, 2000)
  expect(senderLink(bond, 'ethernet').kbps).toBeGreaterThan(50)
  expect(bond.continuity.errors).toBe(0)
})

test('A link of a higher rank gets only what those before it cannot carry', () => {
  const bond = new SimulatedBond({
    links: {
      ethernet: { kbps: 4000, delayMs: 10 },
      modem1: { kbps: 2000, delayMs: 30 },
      modem2: { kbps: 2000, delayMs: 30 },
    },
    bufferMs: 1500,
  })
  bond.sender.setRanks({ modem1: 1, modem2: 2 })
  bond.run(15_000, 2500)
  expect(senderLink(bond, 'ethernet').kbps).toBeGreaterThan(2200)
  expect(senderLink(bond, 'modem1').kbps).toBeLessThan(100)
  expect(senderLink(bond, 'modem2').kbps).toBeLessThan(20)
  bond.run(15_000, 5000)
  expect(senderLink(bond, 'ethernet').kbps).toBeGreaterThan(2800)
  expect(senderLink(bond, 'modem1').kbps).toBeGreaterThan(700)
  expect(senderLink(bond, 'modem2').kbps).toBeLessThan(senderLink(bond, 'modem1').kbps)
  bond.cut('ethernet')
  bond.run(10_000, 2500)
  expect(senderLink(bond, 'modem1').kbps).toBeGreaterThan(1000)
  expect(bond.continuity.errors).toBe(0)
  bond.sender.setRanks({})
  bond.restore('ethernet')
  bond.run(15_000, 3000)
  for (const link of bond.sender.stats(bond.nowMs).links) expect(link.kbps).toBeGreaterThan(400)
})

test('Limits of one link and of several together are kept, headers and repairs included', () => {
  const bond = new SimulatedBond({ links: threeLinks({ kbps: 4000, lossPercent: 2 }), key })
  bond.sender.setLimits(
    [
      { links: ['modem1', 'modem2'], kbps: 1500 },
      { links: ['modem1'], kbps: 1000 },
    ],
    bond.nowMs,
  )
  bond.run(5000, 'target')
  const bits = (id: string) => bond.link(id).up.offeredBits
  const before = [bits('modem1'), bits('modem2')] as const
  bond.run(20_000, 'target')
  const kbps = [bits('modem1') - before[0], bits('modem2') - before[1]].map((passed) => passed / 20_000)
  // The burst that a limit allows, spread over the time.
  expect(kbps[0]).toBeLessThan(1010)
  expect(kbps[0]! + kbps[1]!).toBeLessThan(1515)
  expect(kbps[0]! + kbps[1]!).toBeGreaterThan(1000)
  expect(senderLink(bond, 'ethernet').kbps).toBeGreaterThan(1500)
  expect(bond.continuity.errors).toBe(0)
  expect(() => bond.sender.setLimits([{ links: ['modem1'], kbps: 0 }], bond.nowMs)).toThrow(RangeError)
})

test('A limit below what is sent holds, and what does not fit in time is dropped', () => {
  const bond = new SimulatedBond({ links: { ethernet: { kbps: 8000, delayMs: 10 } } })
  bond.sender.setLimits([{ links: ['ethernet'], kbps: 1000 }], bond.nowMs)
  bond.run(10_000, 3000)
  expect(bond.link('ethernet').up.offeredBits / 10_000).toBeLessThan(1020)
  expect(bond.receiver.stats(bond.nowMs).totals.lost).toBeGreaterThan(0)
  bond.sender.setLimits([], bond.nowMs)
  bond.run(5000, 3000)
  const { errors } = bond.continuity
  bond.run(5000, 3000)
  expect(bond.continuity.errors).toBe(errors)
})

test('Both ends wake for what is due, and a receiver without a stream never does', () => {
  const bond = new SimulatedBond({ links: { ethernet: { delayMs: 10 } } })
  expect(bond.receiver.dueMs()).toBe(Number.POSITIVE_INFINITY)
  const seconds = 10
  bond.run(seconds * 1000, 2000)
  // Each burst and its end, which leaves a moment later.
  const [outputs, reports] = [2 * 50, 10]
  expect(bond.turns.receiver / seconds).toBeLessThan(outputs + reports + 5)
  expect(bond.turns.sender / seconds).toBeLessThan(outputs + reports + 5)
  expect(bond.continuity.errors).toBe(0)
})

test('Between our own ends one control datagram goes each way over a link every 100 ms, and both know the round trip', () => {
  const bond = new SimulatedBond({ links: { ethernet: { delayMs: 20 } }, key })
  bond.run(1000, 0)
  const { up, down } = bond.link('ethernet')
  const before = { up: up.passed, down: down.passed }
  bond.run(10_000, 0)
  const names = 20
  expect(down.passed - before.down).toBeGreaterThan(90)
  expect(down.passed - before.down).toBeLessThanOrEqual(101)
  expect(up.passed - before.up).toBeLessThanOrEqual(101 + names)
  expect(senderLink(bond, 'ethernet').rttMs).toBeCloseTo(40, 0)
  expect(bond.receiver.stats(bond.nowMs).links[0]?.rttMs).toBeCloseTo(40, 0)
})

test('A receiver with another key accepts nothing and answers nothing', () => {
  const receiver = { sessionId: 'session-1', key: new Uint8Array(32).fill(8) }
  const bond = new SimulatedBond({ links: threeLinks(), key, receiver })
  bond.run(2000, 1000)
  expect(bond.continuity.packets).toBe(0)
  expect(bond.receiver.stats(bond.nowMs).totals.rejected).toBeGreaterThan(20)
  expect(bond.sender.stats(bond.nowMs).links.every((link) => link.condition === 'waiting')).toBe(true)
})

test('A packet changed on the way is rejected, counted and repaired', () => {
  const bond = new SimulatedBond({ links: threeLinks(), key })
  let seen = 0
  bond.tamper = (datagram) => {
    if (++seen % 50 !== 0 || datagram.readUInt8(1) !== 33) return datagram
    const forged = Buffer.from(datagram)
    forged[200] = (forged[200] ?? 0) ^ 1
    return forged
  }
  bond.run(8000, 2000)
  const { totals } = bond.receiver.stats(bond.nowMs)
  expect(totals.rejected).toBeGreaterThan(20)
  expect(totals.recovered).toBeGreaterThan(20)
  expect(bond.continuity.errors).toBe(0)
})

test('Packets held back and played again change nothing', () => {
  const bond = new SimulatedBond({ links: threeLinks(), key })
  const recorded: Buffer[] = []
  bond.tamper = (datagram) => {
    if (recorded.length < 500) recorded.push(Buffer.from(datagram))
    return datagram
  }
  bond.run(4000, 2000)
  const before = bond.receiver.stats(bond.nowMs)
  for (const datagram of recorded) {
    bond.receiver.receiveMedia(datagram, { address: 'stranger', port: 9 }, bond.nowMs)
    bond.receiver.receiveControl(datagram, { address: 'stranger', port: 9 }, bond.nowMs)
  }
  bond.run(4000, 2000)
  expect(bond.continuity.errors).toBe(0)
  expect(bond.receiver.stats(bond.nowMs).totals.lost).toBe(before.totals.lost)
})

test('Twenty minutes, in which the sequence number wraps, keep the memory of both ends bounded', () => {
  const bond = new SimulatedBond({ links: threeLinks({ lossPercent: 1 }) })
  for (let minute = 0; minute < 20; minute++) {
    bond.run(60_000, 600)
    expect(bond.receiver.stats(bond.nowMs).heldPackets).toBeLessThan(100)
  }
  expect(bond.receiver.stats(bond.nowMs).totals.received).toBeGreaterThan(0x10000)
  expect(bond.continuity.errors).toBe(0)
})

test('The end of a picture leaves soon and does not wait for the next one to fill its packet', () => {
  const bond = new SimulatedBond({ links: { ethernet: {} } })
  bond.run(500, 1000)
  bond.run(100, 0)
  let packets = 0
  bond.tamper = (datagram) => {
    packets++
    return datagram
  }
  const [whole, rest] = [7, 3]
  bond.sender.push(new TestStream().packets(whole + rest), bond.nowMs)
  bond.run(16, 0)
  expect(packets).toBe(2)
})
