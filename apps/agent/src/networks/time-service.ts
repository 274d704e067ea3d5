// Reads whether the clock of the machine follows a time server, as reported by its time service (systemd's timedate1).
import { type Bus, propertiesOf } from './bus.ts'

const timeService = {
  service: 'org.freedesktop.timedate1',
  path: '/org/freedesktop/timedate1',
  interface: 'org.freedesktop.timedate1',
}

/** null where there is no such service, or where it does not answer. */
export async function readClockSync(bus: Bus): Promise<boolean | null> {
  try {
    const { NTPSynchronized } = await propertiesOf(bus, timeService)
    return typeof NTPSynchronized === 'boolean' ? NTPSynchronized : null
  } catch {
    return null
  }
}
