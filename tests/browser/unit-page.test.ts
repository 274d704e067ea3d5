// The page of one unit in real Chromium, with a unit and a server at the gateway that are controlled by the test.
import { api } from '@backhaul/contract/api/api'
import { because, english } from '@backhaul/contract/define/refusals'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { EnhancedUnit } from '@backhaul/contract/nouns/units'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import {
  type Chromium,
  hasChromium,
  openChromium,
  signInOnPage,
  tipOf,
  violations,
} from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const group = 'london-news'
const camera = {
  connected: true,
  kind: 'sdi',
  width: 1920,
  height: 1080,
  fps: 50,
  codec: 'H.265/HEVC' as const,
}
const location = { lat: 51.5034, lng: -0.1276, address: 'Whitehall, London' }

describe.runIf(hasChromium)('the unit page', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let unit: StageDevice
  let holder: StageDevice
  let server: StageDevice
  let gone: StageDevice

  const open = async () => {
    stage = await openStage({ demo: 2 })
    const slot = (number: number, name: string) => ({ slot: `${number}`, name, inputType: null })
    server = await joinDevice(stage, {
      kind: 'server',
      name: 'MCR-Stage',
      groupId: group,
      slots: [
        slot(1, 'Stage-1'),
        slot(2, 'Stage-2'),
        slot(3, 'Stage-3'),
        slot(4, 'Boss150-Stage'),
        { ...slot(5, 'Studio-1'), sdiNo: 1 },
      ],
    })
    gone = await joinDevice(stage, {
      kind: 'server',
      name: 'MCR-Gone',
      groupId: group,
      slots: [slot(1, 'Gone-1')],
    })
    const storages = [{ path: '/media', totalBytes: 64e9, freeBytes: 32e9 }]
    const capabilities = { hevc: true, videoReturn: true }
    const actual = { storages, camera, capabilities }
    unit = await joinDevice(stage, { name: 'Stage-Van', groupId: group, actual, reportIntervalMs: 1000 })
    holder = await joinDevice(stage, { name: 'Stage-Holder', groupId: group })
    person = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    gone.close()
    await person.call(api.client.savePreferences, { body: { groupId: group } })
    chromium = await openChromium()
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD, `/unit/${unit.id}?ignoreRouteDefault=1`)
    await page().getByRole('heading', { name: 'Stage-Van' }).waitFor()
  }
  const close = async () => {
    for (const device of [unit, holder, server]) device?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const read = (of = unit) => person.call(api.units.one, { params: { id: of.id } })
  const channelNamed = async (name: string) =>
    (await person.call(api.channels.ofGroup, { query: { group } })).find((one) => one.name === name)
  const option = (name: string) => page().getByRole('option', { name: new RegExp(name) })

  async function choose(name: string): Promise<void> {
    await page().getByLabel('Channel').click()
    await option(name).click()
  }

  test('[UNIT-016] links show rate, signal and SIM, those that are down when they were last up, and a graph grows', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
    const nowMs = Date.now()
    const halfHour = Array.from({ length: 60 }, (_, at) => ({
      ts: nowMs - (59 - at) * 30_000,
      links: [
        {
          port: 0,
          up: true,
          kbps: 2000,
          downKbps: 50,
          rttMs: 20,
          lossPercent: 0,
          rtxPercent: 0,
          capacityKbps: 3000,
        },
      ],
      encoderKbps: 2000,
      capacityKbps: 3000,
    }))
    unit.send({ type: 'telemetry', samples: halfHour })
    unit.report({ applications: { video: { state: 'streaming' } } })
    unit.sample()
    const links = page().getByRole('table', { name: 'Links' }).locator('tr')
    await links.filter({ hasText: 'Modem 1' }).getByText('1.23 Mbps').waitFor()
    await expect
      .poll(() => links.filter({ hasText: 'Modem 1' }).textContent())
      .toMatch(/Vodafone LTE.*52 ms0\.4%−91 dBm/)
    await expect
      .poll(() => tipOf(links.filter({ hasText: 'Modem 1' }).locator('th [data-tip]')))
      .toBe('Modem 1 · Vodafone · LTE · SIM B')
    const { modems } = await person.call(api.units.modems, { params: { id: unit.id } })
    expect(modems).toMatchObject([
      { port: 0, connected: true, enabled: true, uplinkKbps: 3210, downlinkKbps: 120, roaming: false },
      { port: 1, activeSim: 'B', signalQualities: { rsrp: -91, bars: 3 }, lastUpdate: expect.any(String) },
    ])
    const one = { port: 1, up: false, kbps: 0, downKbps: 0, rttMs: null, lossPercent: 0, rtxPercent: 0 }
    unit.sample({
      links: [
        { ...one, port: 0, up: true, kbps: 3000, capacityKbps: null },
        { ...one, capacityKbps: null },
      ],
    })
    await links.filter({ hasText: 'Modem 1' }).getByText('down').waitFor()
    const { offlineModems } = await person.call(api.units.modems, { params: { id: unit.id } })
    expect(offlineModems).toMatchObject([{ port: 1, connected: false, lastUpdate: expect.any(String) }])
    await page().reload()
    const graph = page().locator('[data-points]')
    const points = async () => Number(await graph.getAttribute('data-points'))
    await page().getByRole('button', { name: '30 min' }).click()
    await until('the kept half hour', async () => (await points()) >= 55)
    const kept = await points()
    const stop = setInterval(() => unit.sample(), 1000)
    await until('another point', async () => (await points()) > kept).finally(() => clearInterval(stop))
    await page().getByRole('button', { name: '5 min' }).click()
    await until('five minutes', async () => (await points()) < kept / 3)
    expect(await violations(page())).toEqual([])
    unit.report({ applications: {} })
  })

  test('[UNIT-012] all fields of the unit and its further records are shown by their names', async () => {
    unit.sample({ location, battery: { connected: true, charging: false, percentage: 71 } })
    await page().getByRole('button', { name: 'All fields' }).click()
    const field = (name: string) => page().locator(`[data-field="${name}"] dd`)
    await field('inventory').waitFor()
    const shown = await page()
      .locator('[data-field]')
      .evaluateAll((all) =>
        (all as unknown as { dataset: { field: string } }[]).map(({ dataset }) => dataset.field),
      )
    const wanted = Object.keys(EnhancedUnit.shape).filter((name) => name !== 'rev')
    expect(wanted.filter((name) => !shown.includes(name))).toEqual([])
    const words = {
      name: 'Stage-Van',
      unitUniqueId: unit.id,
      type: 'LU-600',
      serialNumber: 'STAGE-Stage-Van',
      swVersion: '7.3.0',
      shortSwVersion: '7.3',
      location: 'Whitehall, London',
      battery: 'percentage: 71',
      storages: 'path: /media',
      camera: '1920',
      capabilities: 'hevc: true',
      modems: 'lastUpdate: 20',
      inventory: 'North Atlantic News',
      groups: 'London-News',
      pairingCodeMode: 'off',
    }
    for (const [name, text] of Object.entries(words)) await field(name).getByText(text).first().waitFor()
    const enhanced = await person.call(api.units.enhanced, { params: { id: unit.id } })
    expect(enhanced).toMatchObject({ inventory: { name: 'North Atlantic News' }, groups: [{ uid: group }] })
    expect(await person.call(api.units.status, { params: { id: unit.id } })).toMatchObject({ idle: true })
    expect(await violations(page())).toEqual([])
    await page().getByRole('button', { name: 'All fields' }).click()
  })

  test('[UNIT-021] [SHELL-029] data in addition to the live state are read again by their age, and are empty when they cannot be read', async () => {
    const field = (name: string) => page().locator(`[data-field="${name}"] dd`)
    const button = page().getByRole('button', { name: 'All fields' })
    const answered: Record<string, number> = {}
    let fails = false
    const paths = {
      enhanced: `/v2/units/enhanced/${unit.id}`,
      capabilities: `/v2/units/${unit.id}/capabilities`,
      services: `/v2/units/${unit.id}/services`,
      settings: `/v2/units/${unit.id}/configurationV2`,
    }
    for (const [name, path] of Object.entries(paths))
      await page().route(
        (url) => url.pathname.endsWith(path),
        async (route) => {
          answered[name] = (answered[name] ?? 0) + 1
          if (fails && (name === 'capabilities' || name === 'services'))
            return await route.fulfill({ status: 500 })
          const { code, data } = await (await route.fetch()).json()
          const mark = `number ${answered[name]}`
          const marked = Array.isArray(data) ? [...data, mark] : { ...data, answer: mark }
          await route.fulfill({ json: { code, data: marked } })
        },
      )
    const reopen = async () => {
      await button.click()
      await button.click()
    }
    /** Only the page's own clock moves; a reload corrects it. */
    const pass = async (ms: number) => {
      await page().evaluate((more) => {
        const now = Date.now
        Date.now = () => now() + more
      }, ms)
    }
    await page().reload()
    await button.click()
    await field('capabilities').getByText('hevc: true').waitFor()
    await field('services').getByText('video').waitFor()
    await field('configurationV2').getByText('delay').waitFor()
    await field('inventory').waitFor()
    const shownIn = {
      enhanced: 'answer',
      settings: 'configurationV2',
      capabilities: 'capabilities',
      services: 'services',
    }
    /** The number of requests of each, with the newest answer on the page, or none. */
    const all = async (wanted: Record<keyof typeof paths, number>) => {
      for (const name of ['enhanced', 'settings', 'capabilities', 'services'] as const) {
        const isMissing = fails && (name === 'capabilities' || name === 'services')
        const words = isMissing ? '—' : new RegExp(`number ${wanted[name]}$`)
        await field(shownIn[name]).getByText(words).waitFor()
      }
      expect(answered).toEqual(wanted)
    }
    await all({ enhanced: 1, capabilities: 1, services: 1, settings: 1 })
    await reopen()
    expect(answered).toEqual({ enhanced: 1, capabilities: 1, services: 1, settings: 1 })

    await pass(61_000)
    await reopen()
    await all({ enhanced: 2, capabilities: 2, services: 1, settings: 2 })

    fails = true
    await pass(1_800_000)
    await reopen()
    await all({ enhanced: 3, capabilities: 3, services: 2, settings: 3 })

    fails = false
    await reopen()
    await field('capabilities').getByText('hevc: true').waitFor()
    await field('services').getByText('video').waitFor()
    await page().unrouteAll()
    await page().reload()
    await page().getByRole('heading', { name: 'Stage-Van' }).waitFor()
  })

  test('[UNIT-015] the page shows the battery and names an unknown one', async () => {
    const battery = page().locator('dd')
    for (const [percentage, icon] of [
      [71, '.battery-green[data-level="100"]'],
      [25, '.battery-yellow[data-level="30"]'],
      [5, '.battery-red[data-level="10"]'],
      [null, '.battery-grey[data-level="unknown"]'],
    ] as const) {
      unit.sample({ battery: { connected: true, charging: false, percentage } })
      await battery.locator(icon).waitFor()
    }
    await battery.getByText('Battery not identified.').waitFor()
  })

  test('[STREAM-002] a channel that the unit does not confirm is requested again every 2 s, until it has it', async () => {
    const requested: string[] = []
    page().on('request', (request) => {
      if (request.url().includes('/commands/set_virtual_channel'))
        requested.push(JSON.parse(request.postData() ?? '{}').virtualChannelName)
    })
    const [one, two] = await Promise.all([channelNamed('Stage-1'), channelNamed('Stage-2')])
    await choose('Stage-1')
    await until('two repetitions', () => requested.length === 3)
    expect(new Set(requested)).toEqual(new Set([one?.uniqueId]))
    // A newer request ends the older one.
    await choose('Stage-2')
    await until('the newer one', () => requested.at(-1) === two?.uniqueId)
    const older = requested.filter((id) => id === one?.uniqueId).length
    await until(
      'a repetition of the newer one',
      () => requested.filter((id) => id === two?.uniqueId).length >= 2,
    )
    expect(requested.filter((id) => id === one?.uniqueId)).toHaveLength(older)
    const wanted = () => unit.messages.findLast((message) => message.type === 'wanted')
    await until('the wanted state', () => wanted()?.state.channelId === two?.uniqueId)
    // Each repetition is a wanted state of its own, which the unit answers too.
    await until('the unit to confirm it', async () => {
      unit.report({ channelId: two?.uniqueId ?? null })
      return await page().getByText('Set channel: confirmed by the unit').first().isVisible()
    })
    await expect.poll(() => page().getByLabel('Channel').inputValue()).toBe('Stage-2')
    const count = requested.length
    await new Promise((resolve) => setTimeout(resolve, 4500))
    expect(requested.length).toBe(count)
  })

  test('[STREAM-002] [STREAM-006] a point-to-multipoint channel is added to the chosen one, and removed by choosing it again', async () => {
    const machine = await channelNamed('Boss150-Stage')
    unit.report({ channelId: (await channelNamed('Stage-2'))?.uniqueId ?? '' })
    const alsoSelected = page().getByText('Also selected: Boss150-Stage')
    await page().getByLabel('Channel').click()
    const closed = option('Boss150-Stage').locator('[data-tip]')
    await expect.poll(() => tipOf(closed)).toBe('Feature disabled')
    const root = await signIn(stage.url, 'admin', adminPassword)
    const params = { id: 'north-atlantic', name: 'ptmp' } as const
    await root.call(api.inventories.setProperty, { params, body: { value: true } })
    await page().reload()
    await choose('Boss150-Stage')
    await alsoSelected.waitFor()
    // Nothing is sent there, and it is not shown as sending.
    expect(await page().getByText('sends to').count()).toBe(0)
    await expect.poll(async () => (await read()).selectedChannels).toContain(machine?.uniqueId)
    await expect.poll(() => page().getByLabel('Channel').inputValue()).toBe('Stage-2')
    await choose('Boss150-Stage')
    await alsoSelected.waitFor({ state: 'detached' })
    await until(
      'it to be gone',
      async () => !(await read()).selectedChannels.includes(machine?.uniqueId ?? ''),
    )
  })

  test('[CHAN-001] [SHELL-036] channels that cannot be used show the reason: busy, offline or external', async () => {
    const busy = await channelNamed('Stage-3')
    const body = { channel: busy?.uniqueId ?? '' }
    await person.call(api.unitCommands.start, { params: { id: holder.id }, body })
    const { state } = await holder.received('wanted', ({ state }) => state.transmission !== null)
    // A start that the unit does not confirm is reverted after a while.
    const transmissionId = state.transmission?.id ?? null
    holder.report({ transmissionId, applications: { video: { state: 'streaming' } } })
    await page().getByLabel('Channel').click()
    await option('Stage-3').getByText('Stage-Holder').waitFor()
    expect(await violations(page())).toEqual([])
    await expect.poll(() => tipOf(option('Stage-3').locator('[data-tip]'))).toBe('Channel busy.')
    await expect.poll(() => tipOf(option('Gone-1').locator('[data-tip]'))).toBe('Channel offline.')
    await page().keyboard.press('Escape')
    unit.report({ channelId: 'ch-of-another-customer' })
    await until('External', async () => (await page().getByLabel('Channel').inputValue()) === 'External')
    await expect.poll(() => tipOf(page().getByLabel('Channel'))).toBe('Channel external.')
    await person.call(api.unitCommands.stop, { params: { id: holder.id } })
    holder.report({ transmissionId: null, applications: {} })
  })

  test('[STREAM-003] an external channel can be left, not started to', async () => {
    unit.report({ channelId: 'ch-of-another-customer' })
    const start = page().locator('[data-run][data-size="big"][aria-disabled="true"]')
    await expect.poll(() => start.getAttribute('data-tip')).toBe('Selected channel is busy or offline.')
    unit.report({ applications: { video: { state: 'streaming' } } })
    await page().locator('[data-size="big"][data-run="stop"][aria-disabled="false"]').click()
    await page().getByRole('button', { name: 'Stop transmission' }).click()
    await page().locator('[data-size="big"][data-run="disconnecting"]').waitFor()
    unit.report({ applications: {} })
    await page().locator('[data-size="big"][data-run="start"]').waitFor()
    expect(await violations(page())).toEqual([])
  })

  test('[STREAM-005] [SHELL-036] a 4K picture is not sent to a channel without 4K: its tooltip and a dialog show it', async () => {
    const channelId = (await channelNamed('Stage-1'))?.uniqueId ?? ''
    unit.report({ channelId, camera: { ...camera, width: 3840, height: 2160 } })
    const start = page().locator('[data-run][data-size="big"]')
    await until(
      'the reason',
      async () => (await start.getAttribute('data-tip')) === 'Channel does not support 4K.',
    )
    await page().getByLabel('Channel').click()
    await expect.poll(() => tipOf(option('Stage-1').locator('[data-tip]'))).toBe('No 4K support.')
    await page().keyboard.press('Escape')
    await start.click()
    const dialog = page().getByRole('dialog', { name: 'Resolution Conflict' })
    await dialog.getByText('Channel does not support 4K.').waitFor()
    await dialog.getByText('3840 × 2160').waitFor()
    expect(await violations(page())).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const facts = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
    server.send({ type: 'serverReport', actual: { capabilities: { ...facts, fourK: true } } })
    await until('4K', async () => (await channelNamed('Stage-1'))?.is4K === true)
    await page().locator('[data-size="big"][data-run="start"][data-tip="Start (S)"]').waitFor()

    // The channel supports 4K now; the unit is licensed for HD.
    const root = await signIn(stage.url, 'admin', adminPassword)
    const { items } = await root.call(api.users.list, { query: { searchValue: 'chief' } })
    const chiefId = items.find(({ username }) => username === 'chief')?.id ?? ''
    await root.call(api.users.change, { params: { id: chiefId }, body: { ODA: true } })
    const inventory = { id: 'north-atlantic' }
    await root.call(api.licences.setStock, { params: inventory, body: { licence: 'video', total: 1 } })
    const chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    await chief.call(api.licences.assign, {
      params: { ...inventory, unit: unit.id },
      body: { video: true, pro4k: false },
    })
    await until(
      'the reason',
      async () => (await start.getAttribute('data-tip')) === 'Unit has no PRO-4K license.',
    )
    // It has been silent for a while.
    server.channels([])
    await until('the server to be there', async () => (await channelNamed('Stage-1'))?.status === 'idle')
    await page().getByLabel('Channel').click()
    await expect.poll(() => tipOf(option('Stage-1').locator('[data-tip]'))).toBe('No PRO-4K licence.')
    await page().keyboard.press('Escape')
    unit.report({ camera })
    await until('the old picture', async () => (await read()).camera?.height === 1080)
  })

  test('a camera that hardware no longer encodes shows the reason, until the transmission ends', async () => {
    const cause = { code: 'unit.hardwareEnded', params: { coder: 'h264_nvenc', error: 'No device' } } as const
    const reason = english(because(cause.code, cause.params))
    unit.report({ camera: { ...camera, hardwareFault: { reason, cause } } })
    const parts = page().getByText('Encoded in software', { exact: true }).locator('..')
    await parts.getByText(reason).waitFor()
    unit.report({ camera })
    await parts.waitFor({ state: 'detached' })
  })

  test('[CHAN-011] [SHELL-036] a channel of an SMPTE server shows that it is not configured', async () => {
    const root = await signIn(stage.url, 'admin', adminPassword)
    const facts = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
    server.send({ type: 'serverReport', actual: { capabilities: { ...facts, smpte2110: true } } })
    const studio = async () => await channelNamed('Studio-1')
    await until('the report of the server', async () => (await studio())?.capabilities.smpte2110 === true)
    const primary = { address: '10.10.1.20', subnetMask: '255.255.255.0', gateway: '' }
    const ofServer = { params: { id: server.id } }
    const networks = { ptpDomain: 127, primary, secondary: null }
    await root.call(api.smpte.setServer, { ...ofServer, body: { configuration: networks } })
    const channelId = (await studio())?.uniqueId ?? ''
    unit.report({ channelId })
    const start = page().locator('[data-run][data-size="big"]')
    await until(
      'the reason',
      async () => (await start.getAttribute('data-tip')) === 'Channel has no SMPTE configuration.',
    )
    await page().getByLabel('Channel').click()
    await expect
      .poll(() => tipOf(option('Studio-1').locator('[data-tip]')))
      .toBe('Missing SMPTE channel configuration.')
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')
    const configuration = {
      flavor: 'ST 2110-20' as const,
      video: { address: '239.10.1.1', port: 5004 },
      audio: { address: '239.10.1.2', port: 5004 },
      ancillary: null,
    }
    await root.call(api.smpte.setChannel, { params: { id: channelId }, body: { configuration } })
    const { smpte } = (
      await server.received('serverWanted', ({ state }) =>
        state.channels.some((one) => one.smpte !== undefined),
      )
    ).state
    expect(smpte?.configuration).toEqual(networks)
    await page().locator('[data-size="big"][data-run="start"][data-tip="Start (S)"]').waitFor()
    await root.call(api.smpte.setServer, { ...ofServer, body: { configuration: null } })
    await root.call(api.smpte.setChannel, { params: { id: channelId }, body: { configuration: null } })
  })

  test('the menu marks the units on the page of a unit and on that of a server', async () => {
    const marked = page().locator('#main-menu [aria-current]')
    for (const path of [`/unit/${unit.id}`, `/unit/server/${server.id}`]) {
      await page().goto(`${stage.url}${path}?ignoreRouteDefault=1`)
      await expect.poll(() => marked.allTextContents()).toEqual(['Units'])
    }
  })
})
