import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readTemperature } from './temperature.ts'

/** Thousandths of a degree, or any other content of the files, by path. */
function sensors(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-heat-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${text}\n`)
  }
  return folder
}

test('the hottest zone counts, and sensors that show nothing real do not', () => {
  const zones = {
    'thermal/thermal_zone0/temp': '48300',
    'thermal/thermal_zone1/temp': '61700',
    'thermal/thermal_zone2/temp': '0',
    'thermal/thermal_zone3/temp': '-274000',
    'thermal/thermal_zone4/temp': 'N/A',
    'thermal/cooling_device0/temp': '99000',
    'hwmon/hwmon0/temp1_input': '75000',
  }
  expect(readTemperature(sensors(zones))).toBe(62)
})

test('without zones other sensors count, and without sensors nothing is known', () => {
  const others = {
    'hwmon/hwmon0/temp1_input': '41000',
    'hwmon/hwmon1/temp2_input': '-3600',
    'hwmon/hwmon1/fan1_input': '1200',
    'hwmon/hwmon1/temp2_crit': '100000',
  }
  expect(readTemperature(sensors(others))).toBe(41)
  expect(readTemperature(sensors({ 'thermal/thermal_zone0/type': 'acpitz' }))).toBeNull()
  expect(readTemperature('/no/such/folder')).toBeNull()
})
