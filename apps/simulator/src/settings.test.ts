import { expect, test } from 'vitest'
import { intervalFor, readSimulatorSettings } from './settings.ts'

test('the usual demo has 200 units and 6 servers, BACKHAUL_DEMO or --units set another number', () => {
  expect(readSimulatorSettings({}, [])).toMatchObject({
    units: 200,
    servers: 6,
    seed: 1,
    reportIntervalMs: 1000,
  })
  expect(readSimulatorSettings({ BACKHAUL_DEMO: '3000' }, [])).toMatchObject({ units: 3000 })
  expect(readSimulatorSettings({ BACKHAUL_DEMO: '3000' }, ['--units', '12', '--seed', '9'])).toMatchObject({
    units: 12,
    seed: 9,
  })
})

test('automatic activity is on unless it is switched off', () => {
  expect(readSimulatorSettings({}, [])).toMatchObject({ desks: true, switching: true })
  const quiet = readSimulatorSettings({}, ['--no-desks', '--no-switching'])
  expect(quiet).toMatchObject({ desks: false, switching: false })
})

test('a wrong option is refused by its name and rule', () => {
  expect(() => readSimulatorSettings({}, ['--scenario', 'flood'])).toThrow(
    '--scenario: must be one of tunnel',
  )
  expect(() => readSimulatorSettings({}, ['--units', 'many'])).toThrow('--units: must be a whole number')
})

test('devices join their group with the launcher’s key', () => {
  const { registrationKeyOf } = readSimulatorSettings({ BACKHAUL_LOCAL_KEY: 'k'.repeat(43) }, [])
  expect(registrationKeyOf('london-news')).toBe(`${'k'.repeat(43)}/london-news`)
})

test('fleets of more than four thousand report less often', () => {
  expect([200, 3000, 4000, 15_000].map(intervalFor)).toEqual([1000, 1000, 1000, 4000])
})
