import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import { GATEWAY_PACKAGES_PATH } from '@backhaul/contract/gateway/shared'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'

describe.each(enginesOfNight)('packages on %s', (engine) => {
  const place = mkdtempSync(join(tmpdir(), 'backhaul-packages-'))
  const packagesFolder = join(place, 'packages')
  let fleet: TestFleet
  beforeEach(async () => {
    mkdirSync(packagesFolder, { recursive: true })
    writeFileSync(join(packagesFolder, 'agent-9.3.bhp'), 'a package of the agent')
    writeFileSync(join(place, 'secret.key'), 'not for devices')
    fleet = await createTestFleet(engine, { packagesFolder })
  })
  afterEach(async () => {
    await fleet.remove()
    rmSync(place, { recursive: true })
  })

  /** A unit that is being upgraded to a version at this path, and the id of its upgrade. */
  async function upgrading(name: string, path: string): Promise<{ unit: TestDevice; id: string }> {
    const unit = await fleet.unit(name, { swVersion: '9.2' })
    unit.report({ capabilities: { upgrade: true, hevc: true } })
    await fleet.pass()
    const root = await fleet.signedIn('root')
    const body = { number: `9.3-${name}`, path, products: ['LU-600'] }
    const version = await root.call(api.softwareVersions.create, { body })
    const nora = await fleet.signedIn('nora')
    const target = { versionNumberId: version.id, upgradeNow: true }
    await nora.call(api.upgrades.setTarget, { params: { id: unit.id }, body: target })
    const { id } = await unit.next('order', (order) => order.name === 'upgrade')
    return { unit, id }
  }

  const get = (id: string, token: string | undefined, range?: string) =>
    fetch(`${fleet.url}${GATEWAY_PACKAGES_PATH}/${id}`, {
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...(range && { range }) },
    })
  const answerOf = async (...call: Parameters<typeof get>) => {
    const answer = await get(...call)
    return [answer.status, await answer.text()]
  }

  it('are given to the device that is being upgraded, whole and in ranges, as long as the upgrade runs', async () => {
    const { unit, id } = await upgrading('U-1', 'agent-9.3.bhp')
    expect(await answerOf(id, unit.token)).toEqual([200, 'a package of the agent'])
    expect(await answerOf(id, unit.token, 'bytes=2-8')).toEqual([206, 'package'])
    expect((await get(id, unit.token, 'bytes=12-')).headers.get('content-range')).toBe('bytes 12-21/22')
    expect((await get(id, unit.token, 'bytes=22-')).status).toBe(416)
    unit.send({ type: 'upgradeProgress', upgradeId: id, percent: 20, resultCode: 105 })
    await fleet.pass()
    expect((await get(id, unit.token)).status).toBe(404)
  })

  it('are not given to any other device', async () => {
    const { unit, id } = await upgrading('U-1', 'agent-9.3.bhp')
    const other = await upgrading('U-2', 'agent-9.3.bhp')
    expect((await get(id, unit.token)).status).toBe(200)
    expect((await get(id, other.unit.token)).status).toBe(404)
    expect((await get(other.id, unit.token)).status).toBe(404)
    expect((await get(id, 'unknown')).status).toBe(401)
    expect((await get(id, undefined)).status).toBe(401)
  })

  it.each([
    '../secret.key',
    '%2e%2e/secret.key',
    '..%2fsecret.key',
    '/etc/passwd',
    '.hidden',
    'none.bhp',
    '.',
  ])('are only files in the folder: %j is not given', async (path) => {
    writeFileSync(join(packagesFolder, '.hidden'), 'not for devices')
    const { unit, id } = await upgrading('U-1', path)
    expect(await answerOf(id, unit.token)).toEqual([404, expect.stringContaining('Package not found.')])
  })
})
