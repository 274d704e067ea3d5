// Previews from outside the network: the feature of the group, the available picture, and relays for an hour.
import { createHmac } from 'node:crypto'
import { api } from '@backhaul/contract/api/api'
import { type PlainCode, reasonFields } from '@backhaul/contract/define/refusals'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { readCoreSettings } from '../../settings.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const turnSecret = 'shared-with-the-relay'

describe.each(enginesOfNight)('external previews on %s', (engine) => {
  let fleet: TestFleet
  let olivia: Browser
  let root: Browser
  let hub: TestDevice
  let id: string
  beforeAll(async () => {
    const { ice } = readCoreSettings({
      NODE_ENV: 'test',
      BACKHAUL_STUN_URLS: 'stun:stun.example:3478',
      BACKHAUL_TURN_URLS: 'turn:turn.example:3478, turns:turn.example:443',
      BACKHAUL_TURN_SECRET: turnSecret,
    })
    fleet = await createTestFleet(engine, { ice })
    ;[olivia, root] = [await fleet.signedIn('olivia'), await fleet.signedIn('root')]
    hub = await fleet.server('MCR', 1)
    id = hub.channelIds[0] as string
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 1)
  })
  afterAll(() => fleet.remove())

  const accessibility = (browser = olivia, group = 'london', channel = id) =>
    browser.call(api.channels.accessibility, { params: { group, id: channel } })
  const set = (name: 'externalPreview' | 'mjpegPreview', value: boolean) =>
    root.call(api.inventories.setProperty, { params: { id: 'north', name }, body: { value } })

  it('[UNIT-020] are available for a group with the feature, of channels that a server shows', async () => {
    const refused = (code: PlainCode) => ({ accessible: false, ...reasonFields(code) })
    expect(await accessibility()).toEqual(refused('feature.disabled'))
    await set('externalPreview', true)
    // A server shows no pictures until it reports its door for them.
    expect(await accessibility()).toEqual(refused('channelTip.offline'))
    hub.report({ previewPort: 9000 })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.previewPort === 9000)
    expect(await accessibility()).toEqual({ accessible: true, reason: null })
    await expect(accessibility(olivia, 'leeds')).rejects.toMatchObject({ status: 404 })
    await expect(accessibility(olivia, 'london', 'nowhere')).rejects.toMatchObject({ status: 404 })
    await expect(accessibility(await fleet.signedIn('sam'))).rejects.toMatchObject({ status: 404 })
    await set('mjpegPreview', false)
    await fleet.pass(3000)
    expect(await accessibility()).toEqual(refused('feature.disabled'))
    await set('mjpegPreview', true)
    await fleet.pass(3000)
    hub.socket.close()
    await until(() => fleet.core.channels.known(id)?.status === 'offline')
    expect(await accessibility()).toEqual(refused('channelTip.offline'))
  })

  it('[UNIT-020] reach the picture through relays whose password expires', async () => {
    const read = (identifier: string, turnExpiration = 600) =>
      olivia.call(api.channels.stunTurn, { query: { identifier, turnExpiration } })
    const nowS = Math.floor(fleet.clock.nowMs() / 1000)
    const username = `${nowS + 600}:us-olivia`
    expect(await read('North Broadcasting')).toEqual({
      iceServers: [
        { urls: ['stun:stun.example:3478'] },
        {
          urls: ['turn:turn.example:3478', 'turns:turn.example:443'],
          username,
          credential: createHmac('sha1', turnSecret).update(username).digest('base64'),
        },
      ],
      expiresAt: new Date((nowS + 600) * 1000).toISOString(),
    })
    for (const name of ['South News', 'Nowhere']) {
      await expect(read(name)).rejects.toMatchObject({ status: 404, message: 'Inventory not found.' })
    }
    await expect(read('North Broadcasting', 59)).rejects.toMatchObject({ status: 400 })
    expect(() => readCoreSettings({ NODE_ENV: 'test', BACKHAUL_TURN_URLS: 'http://x' })).toThrow(
      'BACKHAUL_TURN_URLS',
    )
  })
})
