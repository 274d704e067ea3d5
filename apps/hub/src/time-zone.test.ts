import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverTimeZones } from '@backhaul/contract/nouns/servers'
import { createLog } from '@backhaul/runtime/log'
import { expect, test } from 'vitest'
import { createMachineTimeZone, zoneNameOf } from './time-zone.ts'

const log = createLog({ name: 'test', format: 'json', level: 'silent' })
const file = join(mkdtempSync(join(tmpdir(), 'backhaul-zone-')), 'zone')

test.each(serverTimeZones)('%s has the name of a zone with this distance to UTC', (timezone) => {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zoneNameOf(timezone), timeZoneName: 'longOffset' })
  const offset = parts.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  expect(Number.parseInt(offset.slice('GMT'.length) || '0', 10)).toBe(Number(timezone.slice('UTC'.length)))
})

test('the command of the owner is run once for each change, and not again after a failure is offered', async () => {
  const zone = createMachineTimeZone(`test ! -e ${file}.fail && printf '%s\\n' >> ${file}`, log)
  await zone.set(undefined)
  await zone.set('UTC+2')
  await zone.set('UTC+2')
  await zone.set('UTC')
  expect(readFileSync(file, 'utf8')).toBe('Etc/GMT-2\nEtc/UTC\n')
  expect(zone.isSettable()).toBe(true)
  const failing = createMachineTimeZone('false', log)
  await failing.set('UTC')
  expect(failing.isSettable()).toBe(false)
  expect(createMachineTimeZone(undefined, log).isSettable()).toBe(false)
})
