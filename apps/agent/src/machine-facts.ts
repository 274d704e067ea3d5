// Facts about the machine of the unit: storage, temperature, and whether its clock is correct.
import type { UnitFacts } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import { readStorages } from './hardware/storages.ts'
import { readTemperature } from './hardware/temperature.ts'
import { type Bus, openBus } from './networks/bus.ts'
import { readClockSync } from './networks/time-service.ts'

const periodMs = 30_000

export interface MachineFacts {
  facts(): Required<Pick<UnitFacts, 'storages' | 'machine'>>
  stop(): void
}

interface Options {
  mediaFolder: string
  clock: Clock
  onChange: () => void
  /** The bus of the machine's time service, which runs only while it is called. */
  bus?: Bus
  /** The kernel's folder of devices by class. */
  sensorFolder?: string
}

/** Read at the start, and then every 30 s. */
export function followMachine({
  mediaFolder,
  clock,
  onChange,
  sensorFolder,
  ...options
}: Options): MachineFacts {
  const bus = options.bus ?? openBus(undefined, true)
  let storages: UnitFacts['storages'] = []
  let isClockSynchronized: boolean | null = null
  let temperatureC: number | null = null

  async function readHere(): Promise<void> {
    temperatureC = readTemperature(sensorFolder)
    storages = await readStorages(mediaFolder)
    onChange()
  }

  async function readTimeService(): Promise<void> {
    isClockSynchronized = await readClockSync(bus)
    onChange()
  }

  function read(): void {
    void readHere()
    void readTimeService()
  }

  read()
  const timer = clock.setInterval(read, periodMs)
  return {
    facts: () => ({ storages, machine: { temperatureC, isClockSynchronized } }),
    stop() {
      clock.clearInterval(timer)
      bus.close()
    },
  }
}
