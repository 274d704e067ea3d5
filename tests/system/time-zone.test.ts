// The time zone of a hub's machine: set from the console by the command that the owner allows, and by nothing else.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'backhaul-time-zone-'))
/** The time zone set by the owner's command. */
const zoneFile = join(folder, 'zone')
let stage: Stage
let person: Person

beforeAll(async () => {
  stage = await openStage({ demo: 0 })
  person = await signIn(stage.url, 'admin', adminPassword)
})
afterAll(async () => {
  await stage?.stop()
  rmSync(folder, { recursive: true })
})

/** The id of a hub with this command, once core knows what it supports. */
async function startHub(as: string, command?: string): Promise<{ id: string }> {
  await stage.start('hub', { as, ...(command && { env: { BACKHAUL_HUB_TIMEZONE: command } }) })
  const tokenFile = join(stage.dataFolder, as, 'token.json')
  const { deviceId } = await until('the token', () => {
    try {
      return JSON.parse(readFileSync(tokenFile, 'utf8')) as { deviceId: string }
    } catch {
      return undefined
    }
  })
  await until('the capabilities', () => supported(deviceId))
  return { id: deviceId }
}

const supported = async (id: string) =>
  (await person.call(api.servers.one, { params: { id } })).capabilities?.settings
const setZone = (params: { id: string }, timezone: 'UTC+2' | 'UTC-3') =>
  person.call(api.deviceAdministration.changeServer, { params, body: { settings: { timezone } } })

test('the owner’s command sets the zone that was chosen', async () => {
  const hub = await startHub('hub', `printf '%s' > ${zoneFile}`)
  expect(await supported(hub.id)).toContain('timezone')
  const zone = () => {
    try {
      return readFileSync(zoneFile, 'utf8')
    } catch {
      return ''
    }
  }
  await setZone(hub, 'UTC+2')
  await until('the zone of the machine', () => zone() === 'Etc/GMT-2')
  await setZone(hub, 'UTC-3')
  await until('the next zone of the machine', () => zone() === 'Etc/GMT+3')
})

test('without a command, or after it has failed, the console cannot set it', async () => {
  const unsupported = { status: 409, fields: [{ field: 'settings.timezone' }] }
  const without = await startHub('hub-without')
  await expect(setZone(without, 'UTC+2')).rejects.toMatchObject(unsupported)
  const failing = await startHub('hub-failing', 'false')
  await setZone(failing, 'UTC+2')
  await until('the failure', async () => !(await supported(failing.id))?.includes('timezone'))
  await expect(setZone(failing, 'UTC-3')).rejects.toMatchObject(unsupported)
})
