// The certificate of a real server: voided by an administrator, and replaced by the machine.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

let stage: Stage
let person: Person
beforeAll(async () => {
  stage = await openStage({ demo: 0 })
  await stage.start('hub', { env: { BACKHAUL_HUB_CHANNELS: '1' } })
  person = await signIn(stage.url, 'admin', adminPassword)
})
afterAll(() => stage?.stop())

test('[SRV-007] a server whose certificate is deleted has another one a moment later, and is the same server', async () => {
  const path = join(stage.dataFolder, 'hub', 'token.json')
  const certificate = () =>
    existsSync(path)
      ? (JSON.parse(readFileSync(path, 'utf8')) as { deviceId: string; token: string })
      : undefined
  const servers = async () => (await person.call(api.deviceAdministration.servers, { query: {} })).items
  const before = await until('the server with its channels', async () =>
    (await servers()).find(({ state, channels }) => state === 'online' && channels > 0),
  )
  const first = certificate()
  expect(first?.deviceId).toBe(before.uid)
  const params = { id: before.uid }
  expect(await person.call(api.deviceAdministration.deleteCertificate, { params })).toEqual({
    message: 'Deletion request sent',
  })
  const next = await until('another certificate', () => {
    const now = certificate()
    return now?.token !== first?.token ? now : undefined
  })
  expect(next.deviceId).toBe(before.uid)
  const after = await until('the server to be back with its channels', async () =>
    (await servers()).find(
      ({ uid, state, channels }) => uid === before.uid && state === 'online' && channels === before.channels,
    ),
  )
  expect(after.name).toBe(before.name)
  expect(await servers()).toHaveLength(1)
})
