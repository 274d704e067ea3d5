// ModemManager over D-Bus: the modems of the machine, as they are now, and what they are ordered to do.
import type { CellularNetwork, SimFacts, UnitModem } from '@backhaul/contract/nouns/unit-networks'
import { type Bus, type Properties, plain, propertiesOf, type Target } from './bus.ts'
import { cellOf, cellularNetworksOf, type ModemSettings, type Modes, settingsOf } from './modem-settings.ts'
import { type Modem, modemOf } from './modem-values.ts'

const service = 'org.freedesktop.ModemManager1'
/** The interval at which a modem measures its signal, in seconds. */
const measuredEveryS = 5
/** A scan goes through all frequencies. */
const scannedWithinMs = 230_000
const registeredWithinMs = 120_000
const switchedWithinMs = 60_000
const cellSource = 0x1

const target = (path: string, name: string): Target => ({ service, path, interface: `${service}.${name}` })

/** A modem with what can be set at it. */
export interface ServedModem extends Modem {
  settings: ModemSettings
  cell: Pick<UnitModem, 'cellId' | 'locationAreaCode'>
}

/** The modems of the service; rejects where the service is absent. */
export async function readModems(bus: Bus): Promise<ServedModem[]> {
  const objects = { service, path: '/org/freedesktop/ModemManager1' }
  const [all] = await bus.call(
    { ...objects, interface: 'org.freedesktop.DBus.ObjectManager' },
    'GetManagedObjects',
  )
  const known = Object.entries(plain(all) as Record<string, Record<string, Properties>>)
  const modems = await Promise.all(
    known.map(async ([path, parts]) => {
      const signal = parts[`${service}.Modem.Signal`]
      const Modem = parts[`${service}.Modem`] ?? {}
      const Modem3gpp = parts[`${service}.Modem.Modem3gpp`]
      const modem = modemOf(path, { Modem, Modem3gpp, Signal: signal })
      if (modem?.isEnabled && signal?.Rate === 0) await measure(bus, path)
      const location = parts[`${service}.Modem.Location`]
      const cell = cellOf(modem?.isEnabled && location && (await readCell(bus, path, location)))
      return modem && { ...modem, settings: settingsOf(Modem, Modem3gpp), cell }
    }),
  )
  return modems.flatMap((modem) => modem ?? [])
}

/** A modem that does not measure, or an account that may not request it, leaves the bars alone. */
async function measure(bus: Bus, path: string): Promise<void> {
  await bus.call(target(path, 'Modem.Signal'), 'Setup', 'u', [measuredEveryS]).catch(() => {})
}

/** Undefined where the modem does not report its cell, or the account may not request it. */
async function readCell(bus: Bus, path: string, { Enabled, Capabilities }: Properties): Promise<unknown> {
  const [enabled, possible] = [Number(Enabled ?? 0), Number(Capabilities ?? 0)]
  if (!(possible & cellSource)) return undefined
  const location = target(path, 'Modem.Location')
  try {
    if (!(enabled & cellSource)) await bus.call(location, 'Setup', 'ub', [enabled | cellSource, false])
    const [found] = await bus.call(location, 'GetLocation')
    return (plain(found) as Record<string, unknown>)[cellSource]
  } catch {
    return undefined
  }
}

export async function readSim(bus: Bus, path: string): Promise<SimFacts> {
  const { SimIdentifier, Eid } = await propertiesOf(bus, target(path, 'Sim'))
  return { iccid: String(SimIdentifier ?? '').slice(0, 32), eid: String(Eid ?? '').slice(0, 40) }
}

export async function scanCellular(bus: Bus, path: string): Promise<CellularNetwork[]> {
  const [found] = await bus.call(target(path, 'Modem.Modem3gpp'), 'Scan', '', [], scannedWithinMs)
  return cellularNetworksOf(plain(found) as Properties[])
}

/** '' lets the modem choose. */
export async function register(bus: Bus, path: string, network: string): Promise<void> {
  await bus.call(target(path, 'Modem.Modem3gpp'), 'Register', 's', [network], registeredWithinMs)
}

export async function setModes(bus: Bus, path: string, modes: Modes): Promise<void> {
  await bus.call(target(path, 'Modem'), 'SetCurrentModes', '(uu)', [modes], switchedWithinMs)
}

/** The modem is reset by it, and comes back as another object. */
export async function setSlot(bus: Bus, path: string, slot: number): Promise<void> {
  await bus.call(target(path, 'Modem'), 'SetPrimarySimSlot', 'u', [slot], switchedWithinMs)
}

export async function enable(bus: Bus, path: string): Promise<void> {
  await bus.call(target(path, 'Modem'), 'Enable', 'b', [true], switchedWithinMs)
}
