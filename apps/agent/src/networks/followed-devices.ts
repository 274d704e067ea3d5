// The devices of one kind that are links of the unit, by port: read every few seconds, and again after each change.
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { type Bus, refusalOf } from './bus.ts'
import { mayChange } from './profiles.ts'
import type { Trial } from './trial.ts'

const readPeriodMs = 5000

export interface FollowOptions {
  bus: Bus
  clock: Clock
  log: Log
  /** Undefined for an interface that is no link of the unit. */
  portOf: (id: string) => number | undefined
  trial: Omit<Trial, 'fellBack'>
  onChange: () => void
}

export interface FollowedDevices<Device> {
  /** The devices; empty where no service of the machine manages any. */
  now(): ReadonlyMap<number, Device>
  /** Rejects with the reason, after the other function got it. */
  change(run: () => Promise<void>, refused: (reason: string) => void): Promise<void>
  stop(): void
}

export function followDevices<Device extends { readonly id: string }>(
  { bus, clock, log, portOf, onChange }: FollowOptions,
  /** The name in the log. */
  name: string,
  readAll: (bus: Bus) => Promise<readonly Device[]>,
  /** The facts of the devices that the unit reports. */
  facts: (devices: ReadonlyMap<number, Device>) => unknown,
): FollowedDevices<Device> {
  let devices: ReadonlyMap<number, Device> = new Map()
  let isChanging = false

  async function read(): Promise<void> {
    const before = facts(devices)
    try {
      const found = devices.size > 0 || (await mayChange(bus)) ? await readAll(bus) : []
      devices = new Map(
        found.flatMap((device) => {
          const port = portOf(device.id)
          return port === undefined ? [] : [[port, device] as const]
        }),
      )
    } catch (error) {
      log.debug({ err: error }, `${name} not read`)
      devices = new Map()
    }
    if (!isDeepStrictEqual(before, facts(devices))) onChange()
  }

  void read()
  const timer = clock.setInterval(() => {
    if (!isChanging) void read()
  }, readPeriodMs)

  return {
    now: () => devices,
    async change(run, refused) {
      isChanging = true
      try {
        await run()
      } catch (error) {
        const why = refusalOf(error)
        refused(why.message)
        throw why
      } finally {
        isChanging = false
        await read()
      }
    },
    stop: () => clock.clearInterval(timer),
  }
}
