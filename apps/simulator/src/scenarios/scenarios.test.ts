import type { UnitSample } from '@backhaul/contract/gateway/units'
import { createTransmission, shownState } from '@backhaul/device/transmission'
import { expect, test } from 'vitest'
import { distanceM } from '../fleet/places.ts'
import { createStage, mean, type Stage } from '../testing/stage.ts'

/** Mean of a figure over seconds from..to of a scenario that begins after a minute of ordinary life. */
async function play(
  stage: Stage,
  name: Parameters<Stage['world']['begin']>[0],
  seconds: number,
  named?: string,
) {
  const before: UnitSample[][] = []
  stage.run(60, ({ samples }) => before.push(samples))
  const cast = stage.world.begin(name, named)
  const during: UnitSample[][] = []
  stage.run(seconds, ({ samples }) => during.push(samples))
  return { before, during, cast }
}

const capacities = (seconds: UnitSample[][], unit: number, port: number) =>
  seconds.map((samples) => samples[unit]?.links.find((link) => link.port === port)?.capacityKbps ?? 0)

test('tunnel: every link of one unit falls together, the other units do not change, and all recover', async () => {
  const stage = createStage()
  await stage.goLive(2, 1)
  const { before, during, cast } = await play(stage, 'tunnel', 130)
  expect([...cast.units]).toEqual([2])
  const { links } = stage.fleet.units[2]!
  const used = links.filter(({ port }) => mean(capacities(before, 2, port)) > 0)
  expect(used.length).toBeGreaterThan(3)
  for (const { port } of used) {
    const usual = mean(capacities(before, 2, port))
    const inside = mean(capacities(during.slice(15, 55), 2, port))
    expect(inside / usual).toBeLessThan(0.3)
    expect(mean(capacities(during.slice(90), 2, port)) / inside).toBeGreaterThan(2)
  }
  const deepest = during[33]?.[2]
  expect(deepest?.links.every(({ up }) => !up)).toBe(true)
  const total = (seconds: UnitSample[][], unit: number) =>
    mean(seconds.map((samples) => samples[unit]?.capacityKbps ?? 0))
  expect(total(during.slice(15, 55), 3) / total(before, 3)).toBeGreaterThan(0.6)
})

test('stadium-congestion: modems near the stadium lose their room on every carrier, units elsewhere do not', async () => {
  const stage = createStage({ units: 200 })
  const { before, during, cast } = await play(stage, 'stadium-congestion', 200)
  const isNear = (unit: number) =>
    distanceM(before.at(-1)?.[unit]?.location ?? { lat: 0, lng: 0 }, cast.place!) < 600
  const near = stage.fleet.units.filter(({ index }) => isNear(index))
  expect(near.length).toBeGreaterThan(0)
  const fall = (unit: number, port: number) =>
    mean(capacities(during.slice(100), unit, port)) / mean(capacities(before, unit, port))
  const modems = near.flatMap(({ index, links }) =>
    links
      .filter(({ kind }) => kind === 'modem')
      .map(({ port, carrier }) => ({ carrier, fall: fall(index, port) })),
  )
  expect(mean(modems.map((modem) => modem.fall))).toBeLessThan(0.3)
  expect(new Set(modems.map(({ carrier }) => carrier)).size).toBeGreaterThan(1)
  const far = stage.fleet.units.find(({ index }) => !isNear(index) && index > 5)!
  const farModem = far.links.find(({ kind }) => kind === 'modem')!
  expect(fall(far.index, farModem.port)).toBeGreaterThan(0.4)
})

test('carrier-outage: modems of one carrier have no service in every unit, all other links continue', async () => {
  const stage = createStage({ units: 60 })
  const { during, cast } = await play(stage, 'carrier-outage', 60, 'EE')
  expect(cast.carrier).toBe('EE')
  let fallen = 0
  for (const { index, links } of stage.fleet.units) {
    for (const { port, kind, carrier } of links.filter((link) => link.kind === 'modem')) {
      const isUp = during.at(-1)?.[index]?.links.find((link) => link.port === port)?.up
      expect(isUp, `${kind} of ${carrier}`).toBe(carrier !== 'EE')
      if (!isUp) fallen++
    }
  }
  expect(fallen).toBeGreaterThan(5)
})

test('carrier-outage: a unit without another carrier connects until the end; it does not come and go', async () => {
  const stage = createStage({ units: 60 })
  const { index, links } = stage.fleet.units.find((unit) =>
    unit.links.some(({ carrier }) => carrier === 'EE'),
  )!
  const unit = stage.units[index]!
  await stage.goLive(index, 1)
  unit.stopTransmission()
  unit.setEnabledLinks(links.filter(({ carrier }) => carrier !== 'EE').map(({ port }) => port))
  const shown: string[] = []
  const transmission = createTransmission({
    hardware: unit,
    clock: stage.clock,
    onChange() {
      if (shown.at(-1) !== shownState(transmission)) shown.push(shownState(transmission))
    },
  })
  unit.onChange((change) => {
    if (change.kind === 'transmissionLost') transmission.lost(change.why)
  })
  transmission.start(stage.wantedOf(index, 1), 1000)
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      stage.run(1)
      await stage.clock.advanceAsync(0)
    }
  }
  await pass(20)
  expect(shown).toEqual(['connecting', 'streaming'])
  stage.world.begin('carrier-outage', 'EE')
  await pass(20)
  for (let second = 0; second < 210; second++) {
    await pass(1)
    expect(unit.isLive, 'no receiver is reached without a link').toBe(false)
  }
  expect(shown).toEqual(['connecting', 'streaming', 'connecting'])
  await pass(60)
  expect(shown.slice(2)).toEqual(['connecting', 'streaming'])
})

test('battery-death: the battery of one unit runs down within minutes and the unit goes dark', async () => {
  const stage = createStage()
  const live = stage.fleet.units.find(({ battery }) => battery === 'built-in')!.index
  await stage.goLive(live, 1)
  const { during, cast } = await play(stage, 'battery-death', 240)
  expect([...cast.units]).toEqual([live])
  const percents = during.map((samples) => samples[live]?.battery?.percentage ?? 0)
  expect(percents.every((percent, index) => index === 0 || percent <= (percents[index - 1] ?? 0))).toBe(true)
  expect(percents.at(-1)).toBe(0)
  expect(new Set(stage.dark)).toEqual(new Set([live]))
})

test('server-crash: the units of one server lose their receiver together, and it comes back', async () => {
  const stage = createStage()
  const { units, servers, fleet } = stage
  const london = fleet.units.filter(({ groupId }) => groupId === 'london-news').slice(0, 1)
  const other = fleet.units.find(({ groupId }) => groupId === 'sport-europe')!
  for (const { index } of [...london, other]) await stage.goLive(index, 1)
  const cast = stage.world.begin('server-crash', 'MCR-London')
  expect([...cast.servers]).toEqual([0])
  expect(servers.map(({ plan }) => stage.world.isServerDown(plan.index))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ])
  servers[0]?.crash()
  expect(stage.lost).toEqual(london.map(({ index }) => ({ index, why: 'transmission.receiverGone' })))
  expect(units[other.index]?.isLive).toBe(true)
  stage.clock.advance(90_000)
  expect(stage.world.isServerDown(0)).toBe(false)
})

test('election-night: the desks want six in ten on air and the centres fill', async () => {
  const stage = createStage({ units: 80 })
  expect(stage.world.liveShare()).toBeCloseTo(1 / 3)
  const { before, during } = await play(stage, 'election-night', 300)
  expect(stage.world.liveShare()).toBe(0.6)
  const modemTotal = (seconds: UnitSample[][], index: number) =>
    mean(
      seconds.map((samples) =>
        mean(
          (samples[index]?.links ?? [])
            .filter(({ signal }) => signal)
            .map(({ capacityKbps }) => capacityKbps ?? 0),
        ),
      ),
    )
  const central = stage.fleet.units.filter(
    ({ index, city }) => distanceM(before.at(-1)?.[index]?.location ?? city.stadium, city.centre) < 2000,
  )
  const falls = central.map(({ index }) => modemTotal(during.slice(150), index) / modemTotal(before, index))
  expect(central.length).toBeGreaterThan(5)
  expect(mean(falls)).toBeLessThan(0.85)
})
