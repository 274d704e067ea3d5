// ModemManager over D-Bus: the modems of the machine, as they are now.
import { type Bus, type Properties, plain, type Target } from './bus.ts'
import { type Modem, modemOf } from './modem-values.ts'

const service = 'org.freedesktop.ModemManager1'
/** How often a modem measures its signal, in seconds. */
const measuredEveryS = 5

const target = (path: string, name: string): Target => ({ service, path, interface: `${service}.${name}` })

/** None where the service has none; rejects where it is absent. */
export async function readModems(bus: Bus): Promise<Modem[]> {
  const objects = { service, path: '/org/freedesktop/ModemManager1' }
  const [all] = await bus.call(
    { ...objects, interface: 'org.freedesktop.DBus.ObjectManager' },
    'GetManagedObjects',
  )
  const known = Object.entries(plain(all) as Record<string, Record<string, Properties>>)
  const modems = await Promise.all(
    known.map(async ([path, parts]) => {
      const signal = parts[`${service}.Modem.Signal`]
      const modem = modemOf(path, {
        Modem: parts[`${service}.Modem`] ?? {},
        Modem3gpp: parts[`${service}.Modem.Modem3gpp`],
        Signal: signal,
      })
      if (modem?.isEnabled && signal?.Rate === 0) await measure(bus, path)
      return modem
    }),
  )
  return modems.flatMap((modem) => modem ?? [])
}

/** A modem that does not measure, or an account that may not request it, leaves the bars alone. */
async function measure(bus: Bus, path: string): Promise<void> {
  await bus.call(target(path, 'Modem.Signal'), 'Setup', 'u', [measuredEveryS]).catch(() => {})
}
