// Tunnels over simulated links in simulated time: alone, with limits and ranks, and next to a live picture.
import { expect, test } from 'vitest'
import { readTerms, type TunnelTerms, writeTerms } from './link-terms.ts'
import { type LinkShape, LinkShaper, OPEN_SHAPE, seededRandom } from './testing/link-shaper.ts'
import { SimulatedBond } from './testing/simulated-bond.ts'
import { createTunnelFlow, RECORD_BYTES } from './tunnel-flow.ts'

const TICK_MS = 20
const SEAL_BYTES = 44
const calm: TunnelTerms = { ranks: {}, limits: [], isBackground: false }

/** Records from one end to the other, as many as fit, over shapers that may carry other traffic too; back without limits. */
function transfer(
  clock: { nowMs: number },
  up: ReadonlyMap<string, LinkShaper>,
  from: 'near' | 'far' = 'near',
) {
  const flights: { atMs: number; order: number; land: () => void }[] = []
  const carried = new Map(
    [...up.keys()].flatMap((id) => [
      [`near ${id}`, 0],
      [`far ${id}`, 0],
    ]),
  )
  const cut = new Set<string>()
  let order = 0
  let put = 0
  let arrived = 0
  const back = new Map(
    [...up].map(([id, { shape }]) => [id, new LinkShaper({ ...shape, kbps: null }, seededRandom(9))]),
  )
  const over =
    (end: 'near' | 'far', land: (packet: Buffer) => void) => (ids: readonly string[], packet: Buffer) => {
      const shapers = end === from ? up : back
      for (const id of ids) {
        const atMs = cut.has(id) ? null : shapers.get(id)!.offer(packet.length + SEAL_BYTES, clock.nowMs)
        carried.set(`${end} ${id}`, carried.get(`${end} ${id}`)! + packet.length)
        if (atMs !== null) flights.push({ atMs, order: order++, land: () => cut.has(id) || land(packet) })
      }
    }
  function check(record: Buffer): void {
    expect(record.readUInt32BE(0)).toBe(arrived++)
  }
  const end = { clock: { nowMs: () => clock.nowMs }, onLoose() {}, onReset() {} }
  const near = createTunnelFlow({
    ...end,
    send: over('near', (packet) => far.receive(packet)),
    onRecord: check,
  })
  const far = createTunnelFlow({
    ...end,
    send: over('far', (packet) => near.receive(packet)),
    onRecord: check,
  })
  const useLinks = () => {
    for (const flow of [near, far]) flow.setLinks([...up.keys()].filter((id) => !cut.has(id)))
  }
  useLinks()
  return {
    near,
    far,
    cut(id: string) {
      cut.add(id)
      useLinks()
    },
    turn() {
      // As a stream does: half a mebibyte waits at most.
      while (put - arrived < (512 << 10) / RECORD_BYTES) {
        const record = Buffer.alloc(RECORD_BYTES)
        record.writeUInt32BE(put++)
        ;(from === 'near' ? near : far).put(record)
      }
      flights.sort((a, b) => a.atMs - b.atMs || a.order - b.order)
      while ((flights[0]?.atMs ?? Number.POSITIVE_INFINITY) <= clock.nowMs) flights.shift()?.land()
      if (clock.nowMs % TICK_MS === 0) for (const flow of [near, far]) flow.tick()
    },
    arrivedBytes: () => arrived * RECORD_BYTES,
    /** The bytes that an end has sent over a link. */
    carried: (id: string, end: 'near' | 'far' = 'near') => carried.get(`${end} ${id}`)!,
  }
}

const shapers = (shapes: Record<string, Partial<LinkShape>>) =>
  new Map(
    Object.entries(shapes).map(([id, shape], at) => [
      id,
      new LinkShaper({ ...OPEN_SHAPE, ...shape }, seededRandom(at + 1)),
    ]),
  )

function alone(shapes: Record<string, Partial<LinkShape>>, from: 'near' | 'far' = 'near') {
  const clock = { nowMs: 1_000_000 }
  const sent = transfer(clock, shapers(shapes), from)
  return {
    ...sent,
    /** The rate of what arrived in this time. */
    run(ms: number): number {
      const before = sent.arrivedBytes()
      for (let at = 0; at < ms; at++) {
        clock.nowMs++
        sent.turn()
      }
      return ((sent.arrivedBytes() - before) * 8) / ms
    },
  }
}

const two = { fast: { kbps: 5000, delayMs: 30, jitterMs: 5 }, slow: { kbps: 3000, delayMs: 60, jitterMs: 5 } }

test('a tunnel fills two unequal links, and the other one when one is cut', () => {
  const tunnel = alone(two)
  tunnel.run(3000)
  // 8000 kbps less the headers.
  expect(tunnel.run(20_000)).toBeGreaterThan(6800)
  tunnel.cut('fast')
  tunnel.run(3000)
  expect(tunnel.run(10_000)).toBeGreaterThan(2500)
})

test('limits hold, and only links of the lowest rank that are there carry records', () => {
  const tunnel = alone(two)
  tunnel.near.setTerms({ ...calm, limits: [{ links: ['fast', 'slow'], kbps: 2000 }] })
  tunnel.run(1000)
  const limited = tunnel.run(10_000)
  expect(limited).toBeGreaterThan(1600)
  expect(limited).toBeLessThan(2000)
  tunnel.near.setTerms({ ...calm, limits: [{ links: ['slow', 'fast'], kbps: 1000 }] })
  tunnel.run(1000)
  expect(tunnel.run(10_000)).toBeLessThan(1000)

  tunnel.near.setTerms({ ...calm, ranks: { fast: 1 } })
  tunnel.run(3000)
  const before = tunnel.carried('fast')
  expect(tunnel.run(10_000)).toBeGreaterThan(2500)
  expect(tunnel.carried('fast') - before).toBeLessThan(20_000)
  tunnel.cut('slow')
  tunnel.run(3000)
  expect(tunnel.run(10_000)).toBeGreaterThan(4000)
})

test('the other end keeps the ranks and limits that it is sent, for records and for answers', () => {
  const tunnel = alone(two, 'far')
  tunnel.near.sendTerms({ ...calm, limits: [{ links: ['fast', 'slow'], kbps: 2000 }] })
  tunnel.run(2000)
  const limited = tunnel.run(10_000)
  expect(limited).toBeGreaterThan(1500)
  expect(limited).toBeLessThan(2000)
  tunnel.near.sendTerms({ ...calm, ranks: { fast: 1 } })
  tunnel.run(3000)
  const before = tunnel.carried('fast', 'far')
  expect(tunnel.run(10_000)).toBeGreaterThan(2300)
  expect(tunnel.carried('fast', 'far') - before).toBeLessThan(5000)

  const upload = alone(two)
  upload.near.setTerms({ ...calm, ranks: { fast: 1 } })
  upload.near.sendTerms({ ...calm, ranks: { fast: 1 } })
  upload.run(3000)
  const answers = upload.carried('fast', 'far')
  upload.run(10_000)
  expect(upload.carried('slow', 'far')).toBeGreaterThan(20_000)
  expect(upload.carried('fast', 'far') - answers).toBeLessThan(5000)
})

test('of two limits of the same links the lower one holds, however often they are set', () => {
  const tunnel = alone(two)
  const limits = [500, 2000].map((kbps) => ({ links: ['fast', 'slow'], kbps }))
  tunnel.near.setTerms({ ...calm, limits })
  tunnel.near.setTerms({ ...calm, limits })
  tunnel.run(1000)
  expect(tunnel.run(10_000)).toBeLessThan(500)
})

test('datagrams keep the ranks and limits too', () => {
  const tunnel = alone({ fast: {}, slow: {} })
  tunnel.near.setTerms({ ranks: { fast: 1 }, limits: [{ links: ['slow'], kbps: 1000 }], isBackground: false })
  const before = ['fast', 'slow'].map((id) => tunnel.carried(id))
  for (let at = 0; at < 1000; at++) tunnel.near.putLoose(Buffer.alloc(1000))
  const [fast, slow] = ['fast', 'slow'].map((id, at) => tunnel.carried(id) - before[at]!)
  expect(fast).toBe(0)
  // A tenth of a second of the limit, which was free.
  expect(slow).toBeGreaterThan(10_000)
  expect(slow).toBeLessThan(14_000)
})

test('terms come back from their bytes, and bytes that are none are ignored', () => {
  const terms: TunnelTerms = {
    ranks: { 'Modem ä': 3, eth0: 0 },
    limits: [
      { links: ['Modem ä'], kbps: 1500 },
      { links: ['Modem ä', 'eth0'], kbps: 20_000 },
    ],
    isBackground: true,
  }
  const bytes = writeTerms(terms)
  expect(readTerms(bytes)).toEqual(terms)
  expect(readTerms(writeTerms(calm))).toEqual(calm)
  const whole = new Set([bytes.length, bytes.length - 7, bytes.length - 13])
  for (let length = 0; length < bytes.length; length++)
    if (!whole.has(length)) expect(readTerms(bytes.subarray(0, length))).toBeUndefined()
  const noRate = Buffer.from(bytes)
  noRate.fill(0, bytes.length - 7, bytes.length - 3)
  expect(readTerms(noRate)).toBeUndefined()
  const noLink = Buffer.from(bytes)
  noLink[bytes.length - 1] = 9
  expect(readTerms(noLink)).toBeUndefined()
})

test.each([1, 2, 3])(
  'next to a live picture it gets what is left, and takes nothing from it (seed %i)',
  (seed) => {
    const bond = new SimulatedBond({ links: two, seed })
    bond.run(20_000, 3000)
    const targetKbps = bond.sender.targetKbps(bond.nowMs)
    const tunnel = transfer(bond, new Map([...bond.links].map(([id, link]) => [id, link.up])))
    tunnel.near.setTerms({ ...calm, isBackground: true })
    let leastKbps = targetKbps
    const ms = 60_000
    for (let at = 0; at < ms; at += 5) {
      bond.run(5, 3000)
      tunnel.turn()
      leastKbps = Math.min(leastKbps, bond.sender.targetKbps(bond.nowMs))
    }
    expect(leastKbps).toBeGreaterThan(targetKbps * 0.9)
    expect(bond.continuity.errors).toBe(0)
    expect(bond.longestPauseMs).toBeLessThan(100)
    // 5000 kbps less the headers.
    expect((tunnel.arrivedBytes() * 8) / ms).toBeGreaterThan(3500)
  },
)
