/** The scenarios that run now. */
import type { Clock } from '@backhaul/runtime/clock'
import type { Fleet, LinkPlan, UnitPlan } from './fleet/fleet.ts'
import type { Point } from './fleet/places.ts'
import { calm, type Influence, together } from './scenarios/influence.ts'
import type { Cast, Scenario, ScenarioName } from './scenarios/scenario.ts'
import { scenarios } from './scenarios/scenarios.ts'

/** Share of the fleet that the desks keep on air on an ordinary day. */
const usualLiveShare = 1 / 3
const freshMs = 100

export interface World {
  /** Starts a scenario, or restarts it; returns what it affects. */
  begin(name: ScenarioName, named?: string): Cast
  /** Ends all. */
  end(): void
  running(): ScenarioName[]
  influenceOn(unit: UnitPlan, link: LinkPlan, point: Point): Influence
  batteryDrain(unit: UnitPlan): number
  isServerDown(serverIndex: number): boolean
  liveShare(): number
}

interface Running {
  scenario: Scenario
  cast: Cast
  beganAtMs: number
}

export function createWorld(clock: Clock, fleet: Fleet, isLive: (unitIndex: number) => boolean): World {
  let all: Running[] = []
  let newest: { atMs: number; running: readonly (Running & { atS: number })[] } | undefined

  /** Scenarios that have not ended, with their seconds; called for every link of the fleet, so the result is cached briefly. */
  function now(): readonly (Running & { atS: number })[] {
    if (all.length === 0) return []
    const nowMs = clock.monotonicMs()
    if (newest && nowMs >= newest.atMs && nowMs - newest.atMs < freshMs) return newest.running
    all = all.filter(({ scenario, beganAtMs }) => nowMs - beganAtMs < scenario.durationS * 1000)
    newest = { atMs: nowMs, running: all.map((one) => ({ ...one, atS: (nowMs - one.beganAtMs) / 1000 })) }
    return newest.running
  }

  return {
    begin(name, named) {
      const scenario = scenarios[name]
      const cast = scenario.cast(fleet, isLive, named)
      newest = undefined
      all = [
        ...all.filter((one) => one.scenario !== scenario),
        { scenario, cast, beganAtMs: clock.monotonicMs() },
      ]
      return cast
    },
    end() {
      newest = undefined
      all = []
    },
    running: () => now().map(({ scenario }) => scenario.name),
    influenceOn(unit, link, point) {
      let sum = calm
      for (const { scenario, cast, atS } of now()) {
        const one = scenario.influence?.(atS, unit, link, point, cast)
        if (one) sum = together(sum, one)
      }
      return sum
    },
    batteryDrain: (unit) =>
      now().reduce(
        (drain, { scenario, cast, atS }) => drain * (scenario.batteryDrain?.(atS, unit, cast) ?? 1),
        1,
      ),
    isServerDown: (index) =>
      now().some(({ scenario, cast, atS }) => scenario.isServerDown?.(atS, index, cast) === true),
    liveShare: () =>
      now().reduce(
        (share, { scenario, atS }) => Math.max(share, scenario.liveShare?.(atS) ?? 0),
        usualLiveShare,
      ),
  }
}
