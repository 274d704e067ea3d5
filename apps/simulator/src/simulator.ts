/** The whole fleet in one process: every unit and server a device of its own at the gateway. */
import { join } from 'node:path'
import { createServerDevice, type ServerDevice } from '@backhaul/device/server-device'
import { createTicker } from '@backhaul/device/ticker'
import { createUnitDevice, type UnitDevice } from '@backhaul/device/unit-device'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { steadyMs } from '@backhaul/runtime/signed-requests'
import {
  type Fleet,
  planFleet,
  type ReturnServerPlan,
  type ServerPlan,
  type UnitPlan,
} from './fleet/fleet.ts'
import type { FileContent } from './hardware/file-content.ts'
import { createMedia } from './hardware/media.ts'
import { SimulatedReturnServer } from './hardware/simulated-return-server.ts'
import { SimulatedServer } from './hardware/simulated-server.ts'
import { SimulatedUnit } from './hardware/simulated-unit.ts'
import { openJsonStore } from './json-store.ts'
import { Random, seedOf } from './random.ts'
import type { SimulatorSettings } from './settings.ts'
import { openDeviceTokens } from './token-store.ts'
import { createWorld, type World } from './world.ts'

export interface Simulator {
  readonly fleet: Fleet
  readonly world: World
  /** Number of connected devices. */
  connectedCount(): { units: number; servers: number; live: number }
  stop(): Promise<void>
}

type Options = Pick<
  SimulatorSettings,
  | 'coreUrl'
  | 'dataFolder'
  | 'seed'
  | 'units'
  | 'servers'
  | 'switching'
  | 'loops'
  | 'reportIntervalMs'
  | 'registrationKeyOf'
> & { content?: FileContent | undefined }

/** At most this many devices connect at a time, so that a whole fleet does not overload core. */
const joiningAtOnce = 40
/** After this time the next device may connect too. */
const joinsWithinMs = 10_000
const roundMs = 100
/** A unit must be known to core before it is switched off. */
const offAfterMs = 15_000
const darkMs = 5 * 60_000
const channelsWithLevels = 24
const phases = 20

interface RunningUnit {
  plan: UnitPlan
  hardware: SimulatedUnit
  device: UnitDevice | undefined
  isOn: boolean
  /** When it is switched off, or on again. */
  switchAtMs: number
}

interface RunningServer {
  plan: ServerPlan
  hardware: SimulatedServer
  device: ServerDevice | undefined
}

export function createSimulator(options: Options, clock: Clock, log: Log): Simulator {
  const { seed, loops, coreUrl, registrationKeyOf, content: held } = options
  const content = held && { footage: held.footage, port: held.door.port }
  const fleet = planFleet(options)
  const tokens = openDeviceTokens(join(options.dataFolder, 'tokens.json'), clock)
  const versions = openJsonStore<string>(join(options.dataFolder, 'versions.json'), clock)
  const media = createMedia(clock)
  const unitTicker = createTicker(clock, options.reportIntervalMs, phases)
  const serverTicker = createTicker(clock, 1000, 5)
  const levelsTicker = createTicker(clock, 200)
  const chance = new Random(seedOf('switching', seed))
  const world = createWorld(clock, fleet, (index) => units[index]?.hardware.isLive ?? false)
  // Samples are kept in memory while core is unreachable: a large fleet keeps fewer.
  const keptSamples = Math.max(5, Math.min(60, Math.floor(60_000 / Math.max(1, options.units))))
  const levelsEach = Math.max(1, Math.floor(channelsWithLevels / fleet.servers.length))
  let joining: { isThere: () => boolean; untilMs: number }[] = []
  let timer: Timer | undefined

  const servers: RunningServer[] = fleet.servers.map((plan) => ({
    plan,
    hardware: new SimulatedServer({
      plan,
      seed,
      media,
      clock,
      channelsWithLevels: levelsEach,
      loops,
      content,
    }),
    device: undefined,
  }))
  const units: RunningUnit[] = fleet.units.map((plan) => {
    const unit: RunningUnit = {
      plan,
      hardware: new SimulatedUnit({
        plan,
        seed,
        world,
        media,
        clock,
        onEmpty: () => goDark(unit),
        footage: content?.footage,
      }),
      device: undefined,
      isOn: true,
      switchAtMs: Number.POSITIVE_INFINITY,
    }
    return unit
  })

  type Plan = Pick<
    UnitPlan | ServerPlan | ReturnServerPlan,
    'serialNumber' | 'name' | 'swVersion' | 'groupId'
  >

  function common({ serialNumber, name, swVersion, groupId }: Plan, product: string) {
    return {
      coreUrl,
      identity: { product, serialNumber, name, swVersion: versions.get(serialNumber) ?? swVersion },
      registrationKey: registrationKeyOf(groupId),
      tokens: tokens.storeOf(serialNumber),
      onUpgraded: (version: string) => versions.set(serialNumber, version),
      clock,
      log,
    }
  }

  function joinServer(server: RunningServer): void {
    const { plan, hardware } = server
    const device = createServerDevice({
      ...common(plan, 'MMH Server'),
      hardware,
      slots: hardware.slots,
      ticker: serverTicker,
      levelsTicker,
      onWelcome({ previewKey: secret, previewTime }) {
        if (secret !== undefined && previewTime !== undefined)
          held?.door.admit(hardware.files, { secret, coreAheadMs: previewTime - steadyMs() })
      },
    })
    server.device = device
    joining.push({ isThere: device.isConnected, untilMs: clock.monotonicMs() + joinsWithinMs })
  }

  function joinReturnServer(plan: ReturnServerPlan): ServerDevice {
    const hardware = new SimulatedReturnServer({ plan, seed, media, clock, loops })
    return createServerDevice({
      ...common(plan, 'Video Return Server'),
      hardware,
      slots: hardware.slots,
      ticker: serverTicker,
      levelsTicker,
    })
  }

  function joinUnit(unit: RunningUnit): void {
    const { plan, hardware } = unit
    const device = createUnitDevice({
      ...common(plan, plan.product.name),
      hardware,
      ticker: unitTicker,
      keptSamples,
    })
    unit.device = device
    if (plan.isOff && options.switching)
      unit.switchAtMs = Math.min(unit.switchAtMs, clock.monotonicMs() + offAfterMs)
    joining.push({ isThere: device.isConnected, untilMs: clock.monotonicMs() + joinsWithinMs })
  }

  function switchOff(unit: RunningUnit, againInMs: number): void {
    unit.isOn = false
    unit.switchAtMs = clock.monotonicMs() + againInMs
    void unit.device?.stop()
    unit.device = undefined
  }

  function goDark(unit: RunningUnit): void {
    // The model detects this in the middle of a sample; the device ends after it.
    if (unit.isOn) clock.setTimeout(() => switchOff(unit, darkMs), 0)
    unit.isOn = false
  }

  function switchUnits(nowMs: number): void {
    for (const unit of units) {
      if (nowMs < unit.switchAtMs) continue
      unit.switchAtMs = Number.POSITIVE_INFINITY
      if (unit.isOn && !unit.hardware.isLive) switchOff(unit, chance.between(20, 120) * 60_000)
      else if (!unit.isOn) {
        unit.isOn = true
        unit.hardware.swapBattery()
        // For each unit that is switched off another one is switched on, so that the number of units is constant.
        const other = chance.chance(0.8) ? units[chance.whole(0, units.length - 1)] : undefined
        if (other?.isOn && other !== unit) other.switchAtMs = nowMs + chance.between(1, 20) * 60_000
      }
    }
  }

  function followCrashes(): void {
    for (const server of servers) {
      const isDown = world.isServerDown(server.plan.index)
      if (isDown && server.device) {
        server.hardware.crash()
        void server.device.stop()
        server.device = undefined
        log.info({ server: server.plan.name }, 'simulated server has lost power')
      } else if (!isDown && !server.device && hasBegun) {
        server.hardware.boot()
        joinServer(server)
      }
    }
  }

  let hasBegun = false
  /** Servers first, so that units find their channels; then as many units as may connect at a time. */
  function round(): void {
    const nowMs = clock.monotonicMs()
    joining = joining.filter(({ isThere, untilMs }) => !isThere() && nowMs < untilMs)
    switchUnits(nowMs)
    followCrashes()
    for (const unit of units) {
      if (joining.length >= joiningAtOnce) return
      if (unit.isOn && !unit.device) joinUnit(unit)
    }
  }

  for (const server of servers) joinServer(server)
  const returnServers = fleet.returnServers.map(joinReturnServer)
  hasBegun = true
  timer = clock.setInterval(round, roundMs)

  return {
    fleet,
    world,
    connectedCount: () => ({
      units: units.filter(({ device }) => device?.isConnected()).length,
      servers: servers.filter(({ device }) => device?.isConnected()).length,
      live: units.filter(({ hardware }) => hardware.isLive).length,
    }),
    async stop() {
      clock.clearInterval(timer)
      const devices = [...[...units, ...servers].flatMap(({ device }) => device ?? []), ...returnServers]
      await Promise.all(devices.map((device) => device.stop()))
      tokens.close()
      versions.close()
    },
  }
}
