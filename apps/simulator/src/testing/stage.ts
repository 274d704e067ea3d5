/** For tests: a fleet on a clock that the test moves, without core; units are put on air by the test. */
import type { Reason, Wording } from '@backhaul/contract/define/refusals'
import { ChannelTelemetry } from '@backhaul/contract/gateway/servers'
import { UnitSample, type WantedTransmission } from '@backhaul/contract/gateway/units'
import { createTestClock, type TestClock } from '@backhaul/runtime/clock'
import { type Fleet, planFleet } from '../fleet/fleet.ts'
import { createMedia } from '../hardware/media.ts'
import { SimulatedServer } from '../hardware/simulated-server.ts'
import { SimulatedUnit } from '../hardware/simulated-unit.ts'
import { createWorld, type World } from '../world.ts'

export interface Stage {
  clock: TestClock
  fleet: Fleet
  world: World
  units: SimulatedUnit[]
  servers: SimulatedServer[]
  /** Units that went dark. */
  dark: number[]
  /** Units that lost their receiver, with the reason. */
  lost: { index: number; why: Reason | Wording }[]
  /** Puts a unit on the channel of this slot of a server of its group. */
  /** With `speedTestMs`, test data in place of a programme. */
  goLive(unitIndex: number, slot: number, speedTestMs?: number): Promise<void>
  /** As core requests it from a unit; the channel must have been set up by `goLive`. */
  wantedOf(unitIndex: number, slot: number): WantedTransmission
  /**
   * A second at a time: the samples of every unit and the channels of every server; now and then they are
   * checked against the contract.
   */
  run(seconds: number, onSecond?: (second: Second) => void): void
}

export interface Second {
  atS: number
  samples: UnitSample[]
  channels: ChannelTelemetry[]
}

/** Wednesday 18 November 2026, 14:00 UTC. */
const afternoonMs = Date.UTC(2026, 10, 18, 14)

export function createStage({ units: count = 12, seed = 1, startMs = afternoonMs } = {}): Stage {
  const clock = createTestClock(startMs)
  const fleet = planFleet({ seed, units: count, servers: 6 })
  const media = createMedia(clock)
  const dark: number[] = []
  const lost: Stage['lost'] = []
  const units: SimulatedUnit[] = []
  const world = createWorld(clock, fleet, (index) => units[index]?.isLive ?? false)
  for (const plan of fleet.units) {
    const unit = new SimulatedUnit({ plan, seed, world, media, clock, onEmpty: () => dark.push(plan.index) })
    unit.onChange((change) => {
      if (change.kind === 'transmissionLost') lost.push({ index: plan.index, why: change.why })
    })
    units.push(unit)
  }
  const servers = fleet.servers.map(
    (plan) => new SimulatedServer({ plan, seed, media, clock, channelsWithLevels: 2, loops: 12 }),
  )

  function pairOf(unitIndex: number): [SimulatedUnit, SimulatedServer] {
    const unit = units[unitIndex]
    const server = servers.find(({ plan }) => plan.groupId === unit?.plan.groupId)
    if (!unit || !server) throw new Error(`There is no unit ${unitIndex}, or no server for it`)
    return [unit, server]
  }

  function wantedOf(unitIndex: number, slot: number): WantedTransmission {
    const [, server] = pairOf(unitIndex)
    const port = server.facts().ports[slot - 1]?.ristPort ?? 0
    const targets = [{ host: server.plan.host, port }]
    return { id: `t-${unitIndex}`, key: 'a2V5', channelId: `ch-${unitIndex}`, targets }
  }

  return {
    clock,
    fleet,
    world,
    units,
    wantedOf,
    servers,
    dark,
    lost,
    async goLive(unitIndex, slot, speedTestMs) {
      const [unit, server] = pairOf(unitIndex)
      const { id, key, channelId } = wantedOf(unitIndex, slot)
      const intake = { transmissionId: id, unitId: `u-${unitIndex}`, key, bufferMs: 1000 }
      const channel = {
        channelId,
        slot: String(slot),
        name: channelId,
        intake,
        recording: false,
        outputs: [],
      }
      server.apply({ channels: [channel] })
      const begun = unit.startTransmission(
        { ...wantedOf(unitIndex, slot), ...(speedTestMs !== undefined && { speedTestMs }) },
        1000,
        new AbortController().signal,
      )
      await clock.advanceAsync(500)
      await begun
    },
    run(seconds, onSecond) {
      for (let atS = 1; atS <= seconds; atS++) {
        clock.advance(1000)
        const samples = units.map((unit) => unit.sample())
        const channels = servers.flatMap((server) => server.sample().channels)
        if (atS % 10 === 1) {
          UnitSample.array().parse(samples)
          ChannelTelemetry.array().parse(channels)
        }
        onSecond?.({ atS, samples, channels })
      }
    },
  }
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
