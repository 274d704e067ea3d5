/** The named scenarios. */
import type { Fleet, UnitPlan } from '../fleet/fleet.ts'
import { distanceM } from '../fleet/places.ts'
import { fadeInAndOut } from './influence.ts'
import { noTargets, type Scenario, type ScenarioName } from './scenario.ts'

/** The named unit, else a live one, else the first that is switched on. */
function leadOf(
  fleet: Fleet,
  isLive: (index: number) => boolean,
  named: string | undefined,
): UnitPlan | undefined {
  return (
    fleet.units.find(({ name }) => name === named) ??
    fleet.units.find(({ index }) => isLive(index)) ??
    fleet.units.find(({ isOff }) => !isOff)
  )
}

/** A crew drives through a tunnel: every link of one unit fades together, is nearly gone, and comes back. */
const tunnel: Scenario = {
  name: 'tunnel',
  summary: 'A crew drives through a tunnel for a minute: all links of one unit fall together',
  durationS: 70,
  cast(fleet, isLive, named) {
    const unit = leadOf(fleet, isLive, named)
    return unit ? { ...noTargets, units: new Set([unit.index]) } : noTargets
  },
  influence(atS, unit, _link, _point, cast) {
    if (!cast.units.has(unit.index)) return undefined
    const depth = fadeInAndOut(atS, 70, 6)
    // In the middle nothing at all passes for a while.
    const isDeepest = atS > 30 && atS < 38
    return {
      capacity: isDeepest ? 0 : 1 - 0.97 * depth,
      rttMs: 700 * depth,
      lossPercent: 25 * depth,
      signalDb: -34 * depth,
    }
  },
}

/** A stadium fills: every modem within a kilometre loses its capacity, regardless of its carrier; cables do not. */
const stadiumCongestion: Scenario = {
  name: 'stadium-congestion',
  summary: 'A stadium fills up for ten minutes: modems near it lose their room, on every carrier',
  durationS: 600,
  cast(fleet, isLive, named) {
    const inCity = fleet.units.find(({ city, name }) => city.code === named || name === named)
    // Sports crews work in stadiums.
    const sport = { ...fleet, units: fleet.units.filter(({ groupId }) => groupId.startsWith('sport')) }
    const unit = inCity ?? leadOf(sport, isLive, undefined) ?? leadOf(fleet, isLive, undefined)
    return unit ? { ...noTargets, place: unit.city.stadium, radiusM: 1500 } : noTargets
  },
  influence(atS, _unit, link, point, { place, radiusM = 0 }) {
    if (link.kind !== 'modem' || !place || distanceM(point, place) > radiusM) return undefined
    const crowd = fadeInAndOut(atS, 600, 60)
    return { capacity: 1 - 0.86 * crowd, rttMs: 260 * crowd, lossPercent: 4 * crowd, signalDb: 0 }
  },
}

/** One carrier fails in one country: its modems in every unit there, and nothing else. */
const carrierOutage: Scenario = {
  name: 'carrier-outage',
  summary: 'One carrier has no service for four minutes: its modems fall in every unit, the others do not',
  durationS: 240,
  cast(fleet, isLive, named) {
    const carriers = fleet.units.flatMap(({ links }) => links.flatMap(({ carrier }) => carrier ?? []))
    const lead = leadOf(fleet, isLive, undefined)
    const carrier =
      carriers.find((name) => name === named) ?? lead?.links.find((link) => link.carrier)?.carrier
    return carrier === undefined ? noTargets : { ...noTargets, carrier }
  },
  influence: (_atS, _unit, link, _point, { carrier }) =>
    link.carrier === carrier ? { capacity: 0, rttMs: 0, lossPercent: 0, signalDb: -40 } : undefined,
}

/** A crew forgot its charger: the battery of one unit falls by a percent every few seconds until it goes dark. */
const batteryDeath: Scenario = {
  name: 'battery-death',
  summary: 'The battery of one unit runs down within minutes and the unit goes dark',
  durationS: 480,
  cast(fleet, isLive, named) {
    const withBattery = { ...fleet, units: fleet.units.filter(({ battery }) => battery === 'built-in') }
    const unit = leadOf(withBattery, isLive, named)
    return unit ? { ...noTargets, units: new Set([unit.index]) } : noTargets
  },
  batteryDrain: (_atS, unit, cast) => (cast.units.has(unit.index) ? 70 : 1),
}

/** A receiving server loses its power: its channels go offline together and its units retry until it is back. */
const serverCrash: Scenario = {
  name: 'server-crash',
  summary: 'One receiving server is gone for ninety seconds with all its channels',
  durationS: 90,
  cast(fleet, isLive, named) {
    const server =
      fleet.servers.find(({ name }) => name === named) ??
      fleet.servers.find(({ groupId }) => groupId === leadOf(fleet, isLive, undefined)?.groupId)
    return server ? { ...noTargets, servers: new Set([server.index]) } : noTargets
  },
  isServerDown: (atS, serverIndex, cast) => atS >= 0 && cast.servers.has(serverIndex),
}

/** All units go live and the cells of every city centre fill. */
const electionNight: Scenario = {
  name: 'election-night',
  summary: 'For half an hour six units in ten are live and the networks of the city centres are full',
  durationS: 1800,
  cast: () => noTargets,
  influence(atS, unit, link, point) {
    if (link.kind !== 'modem' || distanceM(point, unit.city.centre) > 3000) return undefined
    const crowd = fadeInAndOut(atS, 1800, 120)
    return { capacity: 1 - 0.35 * crowd, rttMs: 60 * crowd, lossPercent: 1.2 * crowd, signalDb: 0 }
  },
  liveShare: () => 0.6,
}

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  tunnel,
  'stadium-congestion': stadiumCongestion,
  'carrier-outage': carrierOutage,
  'battery-death': batteryDeath,
  'server-crash': serverCrash,
  'election-night': electionNight,
}

export const isScenarioName = (word: string): word is ScenarioName => Object.hasOwn(scenarios, word)
