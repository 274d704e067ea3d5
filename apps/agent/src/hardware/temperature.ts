import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The range of plausible readings in degrees Celsius; broken sensors show 0 or far more. */
const [lowestC, highestC] = [-40, 150]

/**
 * The hottest of the machine's thermal zones or, without any, of its other sensors (hwmon), in whole degrees Celsius; null
 * where Linux knows none. `folder` is that of the kernel's devices by class.
 */
export function readTemperature(folder = '/sys/class'): number | null {
  return (
    hottestOf(join(folder, 'thermal'), /^thermal_zone\d+$/, /^temp$/) ??
    hottestOf(join(folder, 'hwmon'), /^hwmon\d+$/, /^temp\d+_input$/)
  )
}

function hottestOf(folder: string, devices: RegExp, files: RegExp): number | null {
  const paths = namesIn(folder, devices).flatMap((device) =>
    namesIn(join(folder, device), files).map((file) => join(folder, device, file)),
  )
  const degrees = paths.map(degreesIn).filter((value) => value > lowestC && value < highestC && value !== 0)
  return degrees.length === 0 ? null : Math.round(Math.max(...degrees))
}

function namesIn(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => pattern.test(name))
  } catch {
    return []
  }
}

/** The kernel counts in thousandths; a sensor that is off cannot be read. */
function degreesIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8')) / 1000
  } catch {
    return Number.NaN
  }
}
