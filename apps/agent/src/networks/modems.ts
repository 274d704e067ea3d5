// The modems of the unit, read every few seconds, and what they add to the links.
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Interface } from '../hardware/interfaces.ts'
import type { Bus } from './bus.ts'
import { readModems, type ServedModem } from './modem-service.ts'
import type { Modem } from './modem-values.ts'

const readPeriodMs = 5000

export interface Modems {
  all(): readonly ServedModem[]
  /** Resolves when they have been read again. */
  readNow(): Promise<void>
  stop(): void
}

export interface ModemsOptions {
  bus: Bus
  clock: Clock
  log: Log
  onChange: () => void
}

export function followModems({ bus, clock, log, onChange }: ModemsOptions): Modems {
  let modems: readonly ServedModem[] = []
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const before = modems
    try {
      modems = await readModems(bus)
    } catch (error) {
      log.debug({ err: error }, 'modems not read')
      modems = []
    }
    reading = undefined
    if (!isDeepStrictEqual(before, modems)) onChange()
  }

  /** One reading at a time. */
  function readOnce(): Promise<void> {
    reading ??= read()
    return reading
  }

  void readOnce()
  const timer = clock.setInterval(() => void readOnce(), readPeriodMs)
  return {
    all: () => modems,
    async readNow() {
      await reading
      await readOnce()
    },
    stop: () => clock.clearInterval(timer),
  }
}

/** The interfaces with what their modems know; a modem whose data go nowhere yet is a link without an address. */
export function withModems(interfaces: readonly Interface[], modems: readonly Modem[]): Interface[] {
  const isOf = ({ netPort }: Modem, { id }: Interface) => netPort === id
  const rest = modems.filter((modem) => !interfaces.some((entry) => isOf(modem, entry)))
  return [
    ...interfaces.map((entry) => {
      const modem = modems.find((one) => isOf(one, entry))
      return modem ? { ...entry, kind: 'modem' as const, imei: modem.imei, ...modem.details } : entry
    }),
    ...rest.map(({ imei, netPort, details }) => ({
      id: nameOf({ imei, netPort }),
      kind: 'modem' as const,
      address: '',
      imei,
      ...details,
    })),
  ]
}

/** The name of the link: its interface, or another name until it has one. */
export const nameOf = ({ imei, netPort }: Pick<Modem, 'imei' | 'netPort'>): string =>
  netPort ?? `Modem ${imei.slice(-4)}`
