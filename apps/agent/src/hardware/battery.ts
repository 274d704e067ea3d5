import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Battery } from '@backhaul/contract/nouns/battery'

/** The machine's battery as Linux reports it, or null when it has none. */
export function readBattery(folder = '/sys/class/power_supply'): Battery | null {
  for (const name of namesIn(folder)) {
    const word = (file: string) => readWord(join(folder, name, file))
    // Batteries of mice and pens are power supplies too; their scope is "Device".
    if (word('type') !== 'Battery' || word('scope') === 'Device') continue
    const capacity = Number(word('capacity') ?? Number.NaN)
    return {
      connected: word('present') !== '0',
      charging: word('status') === 'Charging',
      percentage: Number.isFinite(capacity) ? Math.min(100, Math.max(0, capacity)) : null,
    }
  }
  return null
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

function readWord(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}
