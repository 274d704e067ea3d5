// Each kind of message that core pushes: an action of a device or a user makes core send it, and the open page shows it.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { topics } from '@backhaul/contract/push/push'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const groupId = 'london-news'
const inventory = 'north-atlantic'

interface Message {
  topic?: string
  kind: string
  from?: number
}

describe.runIf(hasChromium)('[LIVE-002] each kind of message', () => {
  let stage: Stage
  let chromium: Chromium
  let page: Page
  let chief: Person
  let root: Person
  let unit: StageDevice
  let server: StageDevice
  /** Changes that the page got, as `unit.unitStatus`; snapshots do not count. */
  const got: string[] = []
  const shown = new Set<string>()
  const channels: Record<string, string> = {}

  beforeAll(async () => {
    stage = await openStage({ demo: 1 })
    const slots = ['Kind-1', 'Boss150-Kind'].map((name, at) => ({ slot: `${at + 1}`, name, inputType: null }))
    server = await joinDevice(stage, {
      kind: 'server',
      name: 'MCR-Kind',
      groupId,
      slots,
      swVersion: '10.1.0',
    })
    const capabilities = { speedTest: true, upgrade: true, videoReturn: true }
    unit = await joinDevice(stage, { name: 'Kind-Van', groupId, actual: { capabilities } })
    unit.sample()
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    root = await signIn(stage.url, 'admin', adminPassword)
    await chief.call(api.client.savePreferences, { body: { groupId } })
    for (const name of ['socialMedia', 'ptmp', 'multipointContributor'] as const)
      await root.call(api.inventories.setProperty, { params: { id: inventory, name }, body: { value: true } })
    for (const { name, uniqueId } of await chief.call(api.channels.ofGroup, { query: { group: groupId } }))
      channels[name] = uniqueId
    server.channels(Object.values(channels).map((channelId) => ({ channelId, status: 'idle' })))
    chromium = await openChromium()
    page = chromium.page
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        for (const { topic, kind, from } of JSON.parse(String(payload)) as Message[])
          if (topic !== undefined && from !== 0) got.push(`${topic.split('.')[0]}.${kind}`)
      }),
    )
    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD)
  })
  afterAll(async () => {
    for (const device of [unit, server]) device?.close()
    await chromium?.close()
    await stage?.stop()
  })

  /** The cause comes from outside the page; the message reaches the page; the page shows it. */
  async function shows(
    kind: string,
    cause: () => unknown,
    effect: () => PromiseLike<unknown>,
  ): Promise<void> {
    got.length = 0
    await cause()
    await until(`${kind} at the page`, () => got.includes(kind))
    await Promise.resolve(effect()).catch((error: Error) => expect.fail(`${kind}: ${error.message}`))
    shown.add(kind)
  }
  const field = (name: string, text: string | RegExp) => () =>
    page.locator(`[data-field="${name}"] dd`, { hasText: text }).waitFor()
  const of = () => ({ params: { id: unit.id } })

  test('[LIVE-002] of a unit is shown on its page', async () => {
    await page.goto(`${stage.url}/unit/${unit.id}?ignoreRouteDefault=1`)
    await page.getByRole('button', { name: 'All fields' }).click()
    await field('status', 'idle')()

    await page.getByRole('button', { name: 'Support access' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Grant for 8 hours' }).waitFor()
    await shows(
      'access.accessApproval',
      () => root.call(api.accessApprovals.grant, { body: { device: unit.id } }),
      () => page.getByRole('dialog').getByText('Granted until').waitFor(),
    )
    await page.keyboard.press('Escape')

    await shows(
      'unit.unitStatus',
      () => unit.report({ applications: { store: { state: 'running' } } }),
      field('busy', 'true'),
    )
    await shows(
      'unit.upgradeProgress',
      async () => {
        const { id } = await root.call(api.softwareVersions.create, {
          body: { number: '7.4', path: 'r', products: ['LU-600'] },
        })
        await chief.call(api.upgrades.setTargetOfUnit, { ...of(), body: { versionNumberId: id } })
      },
      field('upgrade', 'version: 7.4'),
    )
    await chief.call(api.upgrades.clear, of())
    unit.report({ applications: {} })
    await shows(
      'unit.unitConfig',
      () => chief.call(api.units.update, { ...of(), body: { comment: 'On the quay' } }),
      field('comment', 'On the quay'),
    )
    await shows(
      'unit.location',
      () => unit.sample({ location: { lat: 51.5, lng: -0.12, address: 'Fleet Street' } }),
      field('location', 'Fleet Street'),
    )
    await shows(
      'unit.storage',
      () => unit.report({ storages: [{ path: '/media/card', totalBytes: 64e9, freeBytes: 32e9 }] }),
      field('storages', '/media/card'),
    )
    await shows(
      'unit.usageInfo',
      () =>
        chief.call(api.usageProfiles.create, {
          body: { inventory, name: 'Kinds', type: 'data', monthlyLimit: 500, resetDay: 1, units: [unit.id] },
        }),
      field('usageInfo', 'limit: 500'),
    )
    await shows(
      'unit.videoReturn',
      () => unit.report({ applications: { videoReturn: { state: 'connecting' } } }),
      field('videoReturnInTransition', 'true'),
    )
    unit.report({ applications: {} })
    await shows(
      'unit.cellularNetworks',
      () => unit.report({ cellularNetworks: [{ port: 1, networks: [], selected: '26202', scannedAt: 1 }] }),
      field('cellularNetworks', '26202'),
    )
    await shows(
      'unit.command',
      () =>
        chief.call(api.unitCommands.command, {
          params: { id: unit.id, command: 'set_virtual_channel' },
          body: { virtualChannelName: 'Kind-1' },
        }),
      field('command', 'set_virtual_channel'),
    )
    unit.report({ channelId: channels['Kind-1'] ?? null })
    await field('selectedChannelName', 'Kind-1')()
    await shows(
      'unit.speedTest',
      () => chief.call(api.unitCommands.speedTest, { ...of(), query: {} }),
      field('speedTest', 'done: false'),
    )
    const wanted = await unit.received('wanted', ({ state }) => state.transmission?.speedTestMs !== undefined)
    const transmissionId = wanted.state.transmission?.id ?? ''
    unit.report({
      transmissionId: null,
      applications: {},
      speedTest: { transmissionId, state: 'done', links: [] },
    })
    await field('speedTest', 'done: true')()
    await until('the unit to be free', async () => (await chief.call(api.units.one, of())).idle)

    await chief.call(api.unitCommands.start, { ...of(), body: { channel: channels['Kind-1'] ?? '' } })
    const live = await unit.received(
      'wanted',
      ({ state }) => state.transmission !== null && state.transmission.id !== transmissionId,
    )
    unit.report({
      transmissionId: live.state.transmission?.id ?? null,
      applications: { video: { state: 'streaming' } },
    })
    await field('status', 'streaming')()
    const tube = { name: 'Tube', domain: 'live.tube.example', application: 'live2', secure: true, icon: '' }
    const { id: provider } = await root.call(api.streamProviders.create, { body: tube })
    const standard = { name: 'Standard', provider, main: true, bitRate: 4500, resolution: 720 as const }
    const { id: profile } = await root.call(api.streamProfiles.create, { body: standard })
    server.channels([
      {
        channelId: channels['Kind-1'] ?? '',
        status: 'collecting',
        transmissionId: live.state.transmission?.id ?? null,
      },
    ])
    await shows(
      'unit.socialMediaStatus',
      () =>
        chief.call(api.socialMedia.go, {
          ...of(),
          query: {},
          body: {
            provider,
            profile,
            title: 'Election night',
            streamKey: 'live-key',
            previewKey: 'preview-key',
          },
        }),
      field('socialMediaStatus', 'Election night'),
    )
  })

  test('[LIVE-002] of channels and servers is shown on the wall', async () => {
    await page.goto(`${stage.url}/unit/multiview?ignoreRouteDefault=1`)
    const row = page.locator('[data-part="channel-row"]', { hasText: 'Kind-1' })
    const holder = (text: string) => row.getByText(text, { exact: true }).waitFor()
    await holder('Kind-Van')
    await shows(
      'channel.multipoint',
      () =>
        chief.call(api.channels.updateMultipoint, {
          body: { uniqueID: unit.id, machines: [{ uid: channels['Boss150-Kind'] ?? '' }] },
        }),
      () => row.locator('[data-tip$="→ Boss150-Kind"]').waitFor(),
    )
    const kindOf = (name: string) => () => row.locator(`[data-icon^="${name}"]`).waitFor()
    await shows(
      'channel.channelConfig',
      () => chief.call(api.channels.updateMultipoint, { body: { uniqueID: unit.id, machines: [] } }),
      kindOf('PREVIEW_CHANNEL'),
    )
    await shows(
      'channel.channelAllocation',
      async () => {
        await chief.call(api.unitCommands.stop, of())
        unit.report({ transmissionId: null, applications: {} })
      },
      () => row.getByText('Kind-Van', { exact: true }).waitFor({ state: 'detached' }),
    )
    const become = (status: 'idle' | 'collecting') =>
      server.channels([{ channelId: channels['Kind-1'] ?? '', status }])
    become('idle')
    await shows('channel.channelStatus', () => become('collecting'), kindOf('PREVIEW_CHANNEL-green'))

    await page.locator('[data-part="server-head"]', { hasText: 'MCR-Kind' }).click()
    const card = page.locator('[data-server-card]')
    await card.getByText('Storage').waitFor()
    const usage = { cpuPercent: 88, memoryPercent: 21, storagePercent: 33 }
    await shows(
      'server.serverStatus',
      () => server.send({ type: 'serverTelemetry', ts: Date.now(), usage, channels: [] }),
      () => card.getByText('88').first().waitFor(),
    )
    await page.keyboard.press('Escape')
  })

  test('[LIVE-002] of a server’s upgrade is shown in its dialog', async () => {
    server.close()
    const capabilities = {
      protocolsIn: ['bonded'],
      protocolsOut: [],
      encoders: [],
      ffmpegVersion: null,
      upgrade: true,
    }
    const slots = ['Kind-1', 'Boss150-Kind'].map((name, at) => ({ slot: `${at + 1}`, name, inputType: null }))
    server = await joinDevice(stage, {
      kind: 'server',
      name: 'MCR-Kind',
      groupId,
      slots,
      swVersion: '10.1.0',
    })
    server.send({ type: 'serverReport', actual: { capabilities } })
    const { id: versionNumberId } = await root.call(api.softwareVersions.create, {
      body: { number: '10.2', path: 'r', products: ['MMH Server'] },
    })
    await page.getByRole('link', { name: 'Devices' }).click()
    await page.locator('[data-row-id]', { hasText: 'MCR-Kind' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Upgrade software' }).click()
    const dialog = page.getByRole('dialog').first()
    await dialog.getByText('Current version: 10.1.0.').waitFor()
    await shows(
      'server.upgradeProgress',
      () => chief.call(api.upgrades.setTarget, { params: { id: server.id }, body: { versionNumberId } }),
      () => dialog.getByText(/^10\.2: /).waitFor(),
    )
    await page.keyboard.press('Escape')
  })

  test('[LIVE-002] of a group and of the user changes the list, the bell, the records and the menu', async () => {
    await page.goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
    const row = (name: string) => page.locator('[data-row-id]', { hasText: name })
    await row('Kind-Van').waitFor()
    let other: StageDevice | undefined
    await shows(
      'group.deviceAdded',
      async () => {
        other = await joinDevice(stage, { name: 'Second-Van', groupId })
      },
      () => row('Second-Van').waitFor(),
    )
    const params = { groupId, id: other?.id ?? '' }
    await shows(
      'group.deviceRemoved',
      () => chief.call(api.groupAdministration.removeUnit, { params }),
      () => row('Second-Van').waitFor({ state: 'detached' }),
    )
    other?.close()
    await shows(
      'group.alerts',
      () => unit.sample({ battery: { connected: true, charging: false, percentage: 3 } }),
      () => page.getByRole('button', { name: /^[1-9]\d* active alert/ }).waitFor(),
    )
    await page.goto(`${stage.url}/unit/${unit.id}?ignoreRouteDefault=1`)
    await page.getByRole('button', { name: 'All fields' }).click()
    await field('sipAccount', /^\W*$/)()
    // Their records are otherwise read again after a minute.
    const sipAccount = { server: 'sip.example', account: '100' }
    await shows(
      'group.sync',
      () => chief.call(api.intercom.setSipAccount, { ...of(), body: { sipAccount } }),
      field('sipAccount', 'server: sip.example, account: 100'),
    )

    await signInOnPage(page, stage.url, 'operator', DEMO_PASSWORD)
    const { items } = await root.call(api.users.list, { query: { search: 'operator' } })
    const paris = page.getByRole('menuitem', { name: 'Paris-News' })
    const isOffered = async () => {
      await page.locator('.group-switcher').click()
      const count = await paris.count()
      await page.keyboard.press('Escape')
      return count > 0
    }
    await expect.poll(isOffered).toBe(true)
    await shows(
      'user.rights',
      () =>
        root.call(api.users.change, {
          params: { id: items[0]?.id ?? '' },
          body: { groups: ['london-news', 'montreal-news', 'new-york-news'] },
        }),
      () => expect.poll(isOffered).toBe(false),
    )
  })

  test('[LIVE-002] none is left out', () => {
    const all = topics.flatMap(({ noun, kinds }) => Object.keys(kinds).map((kind) => `${noun}.${kind}`))
    expect([...shown].toSorted()).toEqual(all.toSorted())
  })
})
