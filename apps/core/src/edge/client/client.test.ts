import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api as contract } from '@backhaul/contract/api/api'
import { demoPeople } from '@backhaul/contract/examples/demo'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { readCoreSettings } from '../../settings.ts'
import { createTestCore, password, type TestCore } from '../../testing.ts'
import { seedDemo } from '../demo/demo.ts'

const { configuration, applicationUrls } = contract.client

describe.each(enginesOfNight)('the data for a starting console on %s', (engine) => {
  let test: TestCore
  beforeEach(async () => {
    test = await createTestCore(engine)
  })
  afterEach(() => test.remove())

  it('[USER-003] shows who has signed in, with which roles, and the data of this installation', async () => {
    const olivia = await test.signedIn('olivia')
    expect(await olivia.call(configuration, {})).toEqual({
      userId: 'us-olivia',
      username: 'olivia',
      secondsToPwdExpiration: null,
      hasInternet: true,
      analyticsConfiguration: null,
      chatConfiguration: null,
      loggedUserRoles: ['luc_regular'],
      userServices: [],
      wsLibrary: '0.1.0',
      activeFeatures: ['Gauge', 'MapView', 'MjpegPreview', 'Reboot'],
      services: [],
      subscribeBatchSize: 50,
      version: '0.1.0',
      applicationConfiguration: {},
    })
    expect(await olivia.call(applicationUrls, {})).toEqual({ login: '/login' })
  })

  it('[USER-003] names the features that are on for a customer of the user, and of no other', async () => {
    const root = await test.signedIn('root')
    const turnOn = (id: string, name: 'lux') =>
      root.call(contract.inventories.setProperty, { params: { id, name }, body: { value: true } })
    const activeFeatures = async (username: string) =>
      (await (await test.signedIn(username)).call(configuration, {})).activeFeatures
    const before = await activeFeatures('olivia')
    await turnOn('north', 'lux')
    expect(await activeFeatures('olivia')).toEqual([...before, 'Lux'].toSorted())
    expect(await activeFeatures('sam')).toEqual(before)
  })

  it('[USER-003] names the services that are in force for a customer of the user, and of no other', async () => {
    const root = await test.signedIn('root')
    const give = (id: string, name: string, status: 'enabled' | 'disabled') =>
      root.call(contract.services.add, { params: { id }, body: { name, status } })
    await give('north', 'ingest', 'enabled')
    await give('north', 'audio_ifb', 'enabled')
    await give('north', 'go_plan', 'disabled')
    await give('south', 'graphics', 'enabled')
    const servicesOf = async (username: string) =>
      (await (await test.signedIn(username)).call(configuration, {})).services
    expect(await servicesOf('olivia')).toEqual(['audio_ifb', 'ingest'])
    expect(await servicesOf('sam')).toEqual(['graphics'])
  })

  it('shows only super users who still has the published password of the demo, while others can reach core', async () => {
    const closed = await createTestCore('sqlite', { isOpenToOthers: false })
    const published = async (core: TestCore, username: string) => {
      const configured = await (await core.signedIn(username)).call(configuration, {})
      return configured.usersWithPublishedPassword
    }
    await seedDemo(test.core)
    await seedDemo(closed.core)
    const names = demoPeople.map(({ username }) => username)
    expect(await published(test, 'root')).toEqual(names)
    expect(await published(test, 'nora')).toBeUndefined()
    expect(await published(closed, 'root')).toEqual([])
    const root = await test.signedIn('root')
    const body = { password, passwordConfirmation: password }
    await root.call(contract.users.setPassword, { params: { id: 'demo-operator' }, body })
    await root.call(contract.users.remove, { params: { id: 'demo-chief' } })
    await root.call(contract.users.change, { params: { id: 'demo-viewer' }, body: { active: false } })
    expect(await published(test, 'root')).toEqual(names.slice(3))
    await seedDemo(test.core, 'Sunday-rain-42')
    expect(await published(test, 'root')).toEqual([])
    await closed.remove()
  })

  it('[USER-003] names the chat and the address for page visits of the operator, which consoles may send to', async () => {
    const env = {
      BACKHAUL_CHAT_URL: 'https://chat.example/',
      BACKHAUL_PAGE_VISITS_URL: 'https://count.example/v',
    }
    const { pageServices } = readCoreSettings(env)
    const core = await createTestCore('sqlite', { pageServices })
    const olivia = await core.signedIn('olivia')
    expect(await olivia.call(configuration, {})).toMatchObject({
      chatConfiguration: { url: env.BACKHAUL_CHAT_URL },
      analyticsConfiguration: { url: env.BACKHAUL_PAGE_VISITS_URL },
    })
    const policyOf = async ({ core: { api } }: TestCore) =>
      String((await api.app.inject({ url: '/' })).headers['content-security-policy'])
    expect(await policyOf(core)).toContain("; connect-src 'self' https://count.example;")
    expect(await policyOf(test)).toContain("; connect-src 'self';")
    expect(() => readCoreSettings({ BACKHAUL_CHAT_URL: 'javascript:alert(1)' })).toThrow(/BACKHAUL_CHAT_URL/)
    await core.remove()
  })

  it('[SHELL-014] misses the internet once the address of the operator has not answered twice, until it answers', async () => {
    const server = createServer((_, answer) => answer.writeHead(500).end())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const { pageServices } = readCoreSettings({ BACKHAUL_INTERNET_CHECK_URL: `http://127.0.0.1:${port}/` })
    const core = await createTestCore('sqlite', { pageServices })
    const olivia = await core.signedIn('olivia')
    const hasInternet = async () => (await olivia.call(configuration, {})).hasInternet
    const requested = once(server, 'request')
    await core.core.start()
    await requested
    expect(await hasInternet()).toBe(true)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await expect
      .poll(async () => {
        await core.clock.advanceAsync(60_000)
        return await hasInternet()
      })
      .toBe(false)
    await once(server.listen(port, '127.0.0.1'), 'listening')
    await expect
      .poll(async () => {
        await core.clock.advanceAsync(5000)
        return await hasInternet()
      })
      .toBe(true)
    await core.remove()
    server.close()
  })

  it('names the other applications whose addresses the operator has set', async () => {
    const urls = { videoReturnPortal: 'https://return.example/', matrix: 'https://matrix.example/' }
    const env = { BACKHAUL_VIDEO_RETURN_URL: urls.videoReturnPortal, BACKHAUL_MATRIX_URL: urls.matrix }
    const { applicationUrls: given } = readCoreSettings(env)
    const linked = await createTestCore('sqlite', { applicationUrls: given })
    const olivia = await linked.signedIn('olivia')
    expect(await olivia.call(applicationUrls, {})).toEqual({ login: '/login', ...urls })
    await linked.remove()
    expect(() => readCoreSettings({ BACKHAUL_SUPPORT_URL: 'javascript:alert(1)' })).toThrow(/https/)
  })

  it('[USER-003] counts down to the expiry of a password', async () => {
    const olivia = await test.signedIn('olivia')
    const endMs = test.clock.nowMs() + 14 * 86_400_000
    await test.db
      .updateTable('users')
      .set({ password_expires_ms: endMs })
      .where('id', '=', 'us-olivia')
      .execute()
    test.clock.advance(1500)
    expect((await olivia.call(configuration, {})).secondsToPwdExpiration).toBe(14 * 86_400 - 2)
  })
})
