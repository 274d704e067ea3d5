// Devices that send more than core can handle: users have precedence, no report is lost, newer figures win.
import { api } from '@backhaul/contract/api/api'
import type { FromDevice } from '@backhaul/contract/gateway/gateway'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'

const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('the intake of the gateway', () => {
  let fleet: TestFleet
  afterEach(() => fleet.remove())

  const open = async (intakeTurnMs = 0) => {
    fleet = await createTestFleet('sqlite', { intakeTurnMs })
  }
  const waiting = () => fleet.core.gateway.waiting

  async function figure(name: string): Promise<number> {
    const line = (await fleet.core.metrics.metrics()).split('\n').find((one) => one.startsWith(name))
    return Number(line?.split(' ').at(-1) ?? 0)
  }

  it('answers a user before it has handled the messages of devices', async () => {
    await open()
    const olivia = await fleet.signedIn('olivia')
    const units: TestDevice[] = []
    for (let at = 0; at < 15; at++) units.push(await fleet.unit(`BUSY-${at}`))
    for (const unit of units) for (let at = 0; at < 90; at++) unit.report({ state: `s${at}` })
    while (waiting() < 500) await turnOfTheLoop()
    const list = await olivia.call(api.units.ofGroup, { query: { group: 'london' } })
    expect(list).toHaveLength(units.length)
    expect(waiting()).toBeGreaterThan(0)
    await until(() => units.every(({ id }) => fleet.core.units.values(id)?.state === 's89'))
    expect(units.map(({ closed }) => closed)).toEqual(units.map(() => undefined))
  })

  it('handles a report before the figures that were sent before it', async () => {
    await open()
    const units: TestDevice[] = []
    for (let at = 0; at < 60; at++) units.push(await fleet.unit(`BUSY-${at}`))
    const other = await fleet.unit('OTHER')
    const [startMs, handled] = [fleet.clock.nowMs(), [] as FromDevice[]]
    fleet.core.events.on('device:telemetry', ({ message }) => handled.push(message))
    const figuresFirst = new Promise<number>((resolve) =>
      fleet.core.events.on('device:report', () => resolve(handled.length)),
    )
    for (const unit of units) unit.send({ type: 'telemetry', samples: [sampleOf(startMs)] })
    other.report({ state: 'before them' })
    expect(await figuresFirst).toBeLessThan(30)
    await until(() => handled.length === units.length)
  })

  it('handles figures too while other messages of devices never end', async () => {
    await open()
    const units: TestDevice[] = []
    for (let at = 0; at < 15; at++) units.push(await fleet.unit(`BUSY-${at}`))
    const other = await fleet.unit('OTHER')
    const reportsFirst = new Promise<number>((resolve) =>
      fleet.core.events.on('device:telemetry', () => resolve(waiting())),
    )
    for (const unit of units) for (let at = 0; at < 90; at++) unit.report({ state: `s${at}` })
    other.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs())] })
    while (waiting() < 500) await turnOfTheLoop()
    fleet.clock.advance(3500)
    expect(await reportsFirst).toBeGreaterThan(100)
  })

  it('handles figures too when the first device that has sent some has connected again', async () => {
    await open()
    const units: TestDevice[] = []
    for (let at = 0; at < 15; at++) units.push(await fleet.unit(`BUSY-${at}`))
    const [first, other] = [await fleet.unit('FIRST'), await fleet.unit('OTHER')]
    const again = await fleet.again(first)
    for (const unit of units) for (let at = 0; at < 90; at++) unit.report({ state: `s${at}` })
    for (const unit of [first, other])
      unit.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs())] })
    while (waiting() < 500) await turnOfTheLoop()
    await again.greet()
    const reportsFirst = new Promise<number>((resolve) =>
      fleet.core.events.on('device:telemetry', () => resolve(waiting())),
    )
    fleet.clock.advance(3500)
    expect(await reportsFirst).toBeGreaterThan(100)
  })

  it('accepts devices that dial while it is busy', async () => {
    await open(8)
    const units: TestDevice[] = []
    for (let at = 0; at < 15; at++) units.push(await fleet.unit(`BUSY-${at}`))
    for (const unit of units) for (let at = 0; at < 90; at++) unit.report({ state: `s${at}` })
    while (waiting() < 500) await turnOfTheLoop()
    await Promise.all(Array.from({ length: 40 }, () => fleet.dial()))
    expect(waiting()).toBeGreaterThan(100)
    await until(() => units.every(({ id }) => fleet.core.units.values(id)?.state === 's89'))
  })

  it('drops superseded figures when it is late, and never a report', async () => {
    await open()
    const unit = await fleet.unit('LATE')
    const handled: FromDevice[] = []
    fleet.core.events.on('device:report', ({ message }) => handled.push(message))
    fleet.core.events.on('device:telemetry', ({ message }) => handled.push(message))
    const startMs = fleet.clock.nowMs()
    for (let at = 0; at < 40; at++) {
      unit.report({ state: `s${at}` })
      unit.send({ type: 'telemetry', samples: [sampleOf(startMs + at)] })
    }
    while (waiting() < 40) await turnOfTheLoop()
    fleet.clock.advance(1500)
    expect(fleet.core.gateway.behindMs).toBeGreaterThanOrEqual(1500)
    await until(() => waiting() === 0 && fleet.core.units.values(unit.id)?.state === 's39')
    const states = handled.flatMap((one) => (one.type === 'report' ? [one.actual.state] : []))
    expect(states).toEqual(Array.from({ length: 40 }, (_, at) => `s${at}`))
    const figures = handled.filter((one) => one.type === 'telemetry')
    expect(figures.length).toBeLessThan(40)
    expect(await figure('backhaul_core_gateway_superseded_total{type="telemetry"}')).toBe(40 - figures.length)
    // The live state has the newest, and no sample is missing in the time series.
    const taken = figures.flatMap(({ samples }) => samples.map(({ ts }) => ts - startMs))
    expect(taken).toEqual(Array.from({ length: 40 }, (_, at) => at))
    expect(await figure('backhaul_core_gateway_samples_dropped_total')).toBe(0)
    expect(fleet.core.gateway.behindMs).toBe(0)
  })

  it('shows browsers how late the live data are, and when they are current again', async () => {
    await open()
    const units: TestDevice[] = []
    for (let at = 0; at < 15; at++) units.push(await fleet.unit(`BUSY-${at}`))
    const olivia = await fleet.signedIn('olivia')
    const follower = await fleet.follow(olivia, ['group.london'])
    const reported = () => follower.messages.flatMap((one) => (one.kind === 'behind' ? [one.seconds] : []))
    for (const unit of units) for (let at = 0; at < 90; at++) unit.report({ state: `s${at}` })
    while (waiting() < 500) await turnOfTheLoop()
    fleet.clock.advance(4500)
    await until(() => reported().length > 0)
    expect(reported()[0]).toBeGreaterThanOrEqual(2)
    await until(() => waiting() === 0)
    await fleet.pass(2000)
    await until(() => reported().at(-1) === 0)
  })

  it('reports how many samples are lost when a device has more waiting than a message may carry', async () => {
    await open()
    const unit = await fleet.unit('VERY-LATE')
    const startMs = fleet.clock.nowMs()
    for (let at = 0; at < 90; at++) unit.send({ type: 'telemetry', samples: [sampleOf(startMs + at)] })
    while (waiting() < 80) await turnOfTheLoop()
    const atLeast = waiting() - 60
    fleet.clock.advance(1500)
    await until(() => waiting() === 0)
    expect(await figure('backhaul_core_gateway_samples_dropped_total')).toBeGreaterThanOrEqual(atLeast)
    expect(unit.closed).toBeUndefined()
  })

  it('continues to read from a device that sent more than core buffers for one, and handles all of it', async () => {
    await open()
    const [unit, other] = [await fleet.unit('LONG'), await fleet.unit('OTHER')]
    for (let at = 0; at < 95; at++) unit.report({ state: `s${at}` })
    while (waiting() < 85) await turnOfTheLoop()
    // Two seconds later it may send as many again.
    fleet.clock.advance(900)
    for (let at = 95; at < 135; at++) unit.report({ state: `s${at}` })
    other.report({ state: 'handled' })
    await until(() => fleet.core.units.values(other.id)?.state === 'handled')
    await until(() => fleet.core.units.values(unit.id)?.state === 's134')
    expect(unit.closed).toBeUndefined()
  })

  it('keeps devices waiting, and refuses none, while it cannot register them yet', async () => {
    await open()
    const devices = await Promise.all(Array.from({ length: 12 }, () => fleet.dial()))
    const held = Promise.withResolvers<void>()
    const holding = fleet.db.transaction().execute(() => held.promise)
    for (const [at, device] of devices.entries()) {
      device.send({
        type: 'register',
        protocol: 1,
        kind: 'unit',
        product: 'LU-600',
        swVersion: '10.1.0',
        serialNumber: `sn-${at}`,
        name: `STORM-${at}`,
        registrationKey: 'key-london',
      })
    }
    await until(() => waiting() === 0)
    await fleet.pass(25_000)
    for (const device of devices) {
      await device.next('queued')
      expect(device.newest('refused')).toBeUndefined()
    }
    held.resolve()
    await holding
    for (const device of devices) await device.next('registered')
  })
})
