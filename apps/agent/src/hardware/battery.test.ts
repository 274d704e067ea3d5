import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBattery } from './battery.ts'

function supplies(files: Record<string, Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-power-'))
  for (const [name, values] of Object.entries(files)) {
    mkdirSync(join(folder, name))
    for (const [file, text] of Object.entries(values)) writeFileSync(join(folder, name, file), `${text}\n`)
  }
  return folder
}

test('a battery is read with its charge, and mains or the battery of a mouse is none', () => {
  const folder = supplies({
    AC: { type: 'Mains', online: '1' },
    BAT0: { type: 'Battery', present: '1', capacity: '87', status: 'Charging' },
    ABmouse: { type: 'Battery', scope: 'Device', capacity: '10' },
  })
  expect(readBattery(folder)).toEqual({ connected: true, charging: true, percentage: 87 })
  expect(readBattery(supplies({ AC: { type: 'Mains', online: '1' } }))).toBeNull()
  expect(readBattery('/no/such/folder')).toBeNull()
})

test('a battery that does not report its charge counts as none', () => {
  expect(readBattery(supplies({ BAT1: { type: 'Battery', status: 'Unknown' } }))).toEqual({
    connected: true,
    charging: false,
    percentage: null,
  })
})
