// The wall of channels in real Chromium, with a server at the gateway whose channels are controlled by the test.
import { api } from '@backhaul/contract/api/api'
import { PUSH_PATH } from '@backhaul/contract/define/topic'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { ChannelStatus } from '@backhaul/contract/nouns/channels'
import type { WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import {
  type Chromium,
  hasChromium,
  opacityOf,
  openChromium,
  signInOnPage,
  violations,
} from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const group = 'london-news'

/** The little of a page's own types that is needed here. */
interface Globals {
  getComputedStyle(of: unknown): { color: string }
}

describe.runIf(hasChromium)('the multiview', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let server: StageDevice
  const ids = new Map<string, string>()

  const open = async () => {
    ids.clear()
    stage = await openStage({ demo: 2 })
    const slot = (number: number, name: string, more: object = {}) => ({
      slot: `${number}`,
      name,
      inputType: null,
      ...more,
    })
    server = await joinDevice(stage, {
      kind: 'server',
      name: 'MCR-Stage',
      groupId: group,
      slots: [
        slot(1, 'Stage-1', { sdiNo: 1 }),
        slot(2, 'Stage-2'),
        slot(3, 'Stage-3_Instance'),
        slot(4, 'Stage-SRT', { inputType: 'srt' }),
        slot(5, 'Stage-Encoder', { inputType: 'sdi' }),
        slot(6, 'Stage-Multi', { members: ['1', '2'] }),
      ],
    })
    person = await signIn(stage.url, 'operator', DEMO_PASSWORD)
    await until('the channels', async () => {
      for (const { name, uniqueId } of await channels()) ids.set(name, uniqueId)
      return ids.size === 6
    })
    await person.call(api.client.savePreferences, { body: { groupId: group } })
    chromium = await openChromium()
    await signInOnPage(page(), stage.url, 'operator', DEMO_PASSWORD, '/unit/multiview?ignoreRouteDefault=1')
    await row('Stage-1').waitFor()
  }
  const close = async () => {
    server?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const page = () => chromium.page
  const channels = () => person.call(api.channels.ofGroup, { query: { group } })
  const row = (name: string) => page().locator('[data-part="channel-row"]', { hasText: name })
  const preferences = () => person.call(api.client.preferences, {})
  const become = (states: Record<string, ChannelStatus>) =>
    server.channels(
      Object.entries(states).map(([name, status]) => ({
        channelId: ids.get(name) ?? '',
        status,
        kbps: 4100,
      })),
    )
  const counters = async (...names: string[]) => {
    const counter = (name: string) => page().locator(`[data-counter="${name}"]`).textContent()
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, Number(await counter(name))])),
    )
  }

  test('[CHAN-001] channels show their live status, and the twelve counters follow', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
    become({ 'Stage-1': 'idle', 'Stage-2': 'idle', 'Stage-3_Instance': 'idle' })
    await row('Stage-1').getByText('Idle').waitFor()
    const all = await page()
      .locator('[data-counter]')
      .evaluateAll((found) =>
        (found as unknown as { dataset: { counter: string } }[]).map((one) => one.dataset.counter),
      )
    expect(all).toEqual([
      'busy',
      'idle',
      'offline',
      'sdi',
      'smpte',
      'cdn',
      'preview',
      'studio',
      'share',
      'distributor',
      'output',
      'input',
    ])
    const kinds = {
      sdi: 1,
      smpte: 0,
      cdn: 0,
      preview: 2,
      studio: 0,
      share: 0,
      distributor: 0,
      output: 1,
      input: 2,
    }
    await expect.poll(() => counters(...Object.keys(kinds))).toEqual(kinds)
    const states = () => counters('busy', 'idle', 'offline')
    await expect.poll(states).toEqual({ busy: 0, idle: 5, offline: 0 })
    const words: [ChannelStatus, string][] = [
      ['collecting', 'Collecting'],
      ['online', 'Online'],
      ['PlayStoredFile', 'Playing a file'],
      ['playstoredfile', 'Playing a file'],
      ['connecting', 'Connecting'],
      ['upgrading', 'Upgrading'],
      ['videoReturnInputConnected', 'Return connected'],
      ['forwarding', 'Forwarding'],
      ['unavailable', 'Offline'],
      ['offline', 'Offline'],
      ['idle', 'Idle'],
    ]
    for (const [status, word] of words) {
      become({ 'Stage-2': status })
      await row('Stage-2').getByText(word, { exact: true }).waitFor()
    }
    become({ 'Stage-1': 'collecting', 'Stage-2': 'upgrading', 'Stage-3_Instance': 'offline' })
    await expect.poll(states).toEqual({ busy: 2, idle: 2, offline: 1 })
    expect(await violations(page())).toEqual([])
  })

  test('[CHAN-001] a pushed status is kept when the list of channels was read before it', async () => {
    let socket: WebSocketRoute | undefined
    await page().routeWebSocket(new RegExp(`${PUSH_PATH}$`), (route) => {
      socket = route
      route.connectToServer()
    })
    await page().reload()
    become({ 'Stage-1': 'idle' })
    await row('Stage-1').getByText('Idle').waitFor()
    await page().route('**/channels/fetch*', async (route) => {
      const answer = await route.fetch()
      become({ 'Stage-1': 'online' })
      await row('Stage-1').getByText('Online', { exact: true }).waitFor()
      await route.fulfill({ response: answer })
    })
    const read = page().waitForResponse(/channels\/fetch/)
    await socket?.close()
    await (await read).finished()
    await page().evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    expect(await row('Stage-1').getByText('Online', { exact: true }).count()).toBe(1)
    await page().unrouteAll({ behavior: 'wait' })
    become({ 'Stage-1': 'idle' })
    await row('Stage-1').getByText('Idle').waitFor()
  })

  test('[CHAN-002] a multi-camera channel shows how many of its members collect', async () => {
    become({ 'Stage-1': 'collecting', 'Stage-2': 'idle', 'Stage-3_Instance': 'idle' })
    await row('Stage-Multi').getByText('1 of 2 collecting').waitFor()
    const icon = row('Stage-Multi').locator('[data-icon]')
    await until(
      'idle before collecting',
      async () => (await icon.getAttribute('data-icon')) === 'GROUP_CHANNEL-blue',
    )
    become({ 'Stage-1': 'collecting', 'Stage-2': 'collecting' })
    await row('Stage-Multi').getByText('2 of 2 collecting').waitFor()
    await until('collecting', async () => (await icon.getAttribute('data-icon')) === 'GROUP_CHANNEL-green')
  })

  test('[CHAN-003] the icon of a channel is its kind in the colour of its status, and technical suffixes are hidden', async () => {
    const icons = async () =>
      await page()
        .locator('[data-part="channel-row"]')
        .evaluateAll((rows) =>
          (
            rows as unknown as {
              querySelector(what: string): { dataset: { icon: string }; textContent: string }
            }[]
          ).map((one) => [
            one.querySelector('[data-part="channel-row-name"]').textContent,
            one.querySelector('[data-icon]').textContent,
            one.querySelector('[data-icon]').dataset.icon,
          ]),
        )
    become({ 'Stage-1': 'collecting', 'Stage-2': 'upgrading', 'Stage-3_Instance': 'offline' })
    await expect.poll(icons).toEqual([
      ['Stage-1', 'Output', 'OUTPUT_CHANNEL-green'],
      ['Stage-2', 'Preview', 'PREVIEW_CHANNEL-amber'],
      ['Stage-3', 'Preview', 'PREVIEW_CHANNEL-grey'],
      ['Stage-Encoder', 'Encoder in', 'INPUT_CHANNEL-blue'],
      ['Stage-Multi', 'Multi', 'GROUP_CHANNEL-green'],
      ['Stage-SRT', 'SRT in', 'INPUT_CHANNEL-blue'],
    ])
  })

  test('[UNIT-001] a server of the group is shown above its channels with its data', async () => {
    become({ 'Stage-1': 'idle' })
    await page().getByRole('button', { name: 'Server MCR-Stage' }).click()
    await page().locator('[data-server-card]').getByText('MMH Server').waitFor()
    await page().locator('[data-server-card]').getByText('CPU 7%, memory 21%').waitFor()
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')
  })

  test('[UNIT-019] the panel keeps the width that it was given', async () => {
    const panel = page().locator('[data-part="channel-panel"]')
    const width = async () => Math.round((await panel.boundingBox())?.width ?? 0)
    const before = await width()
    const handle = await page().locator('.split-handle').first().boundingBox()
    if (!handle) throw new Error('there is no handle')
    const y = handle.y + handle.height / 2
    await page().mouse.move(handle.x + handle.width / 2, y)
    await page().mouse.down()
    await page().mouse.move(handle.x + 110, y, { steps: 6 })
    await page().mouse.up()
    await until('a wider panel', async () => (await width()) > before + 80)
    await until('it to be kept', async () => {
      const { leftPanelWidth } = await preferences()
      return leftPanelWidth > before + 80 && Math.abs(leftPanelWidth - (await width())) <= 2
    })
    const wide = await width()
    await page().reload()
    await row('Stage-1').waitFor()
    await until('the same width', async () => Math.abs((await width()) - wide) <= 2)
  })

  test('[UNIT-019] channels are placed on one, four, nine or sixteen tiles, by key, by hand and by dragging', async () => {
    const tiles = () => page().locator('[data-part="tile"]')
    const nameOn = async (place: number) =>
      await tiles().nth(place).locator('[data-part="tile-name"] .clip').first().textContent()
    for (const count of [1, 4, 9, 16]) {
      await page()
        .locator('[data-part="wall-sizes"]')
        .getByRole('button', { name: `${count}`, exact: true })
        .click()
      await until(`${count} tiles`, async () => (await tiles().count()) === count)
    }
    await page().locator('[data-part="wall-sizes"]').getByRole('button', { name: '4', exact: true }).click()
    become({ 'Stage-1': 'collecting', 'Stage-2': 'upgrading', 'Stage-3_Instance': 'offline' })
    await row('Stage-1').getByText('Collecting').waitFor()
    await page().getByRole('button', { name: 'Fill with live channels' }).click()
    await until('what is live first', async () => (await nameOn(0)) === 'Stage-1')
    for (const place of [0, 1, 2, 3]) {
      await tiles().nth(place).hover()
      await tiles().nth(place).locator('[data-part="tile-clear"]').click()
    }
    await tiles().first().locator('[data-part="tile-name"]').click()
    await row('Stage-2').focus()
    await page().keyboard.press('Enter')
    await until('it on the first tile', async () => (await nameOn(0)) === 'Stage-2')
    await row('Stage-SRT').dragTo(tiles().nth(2))
    await until('it where it was dropped', async () => (await nameOn(2)) === 'Stage-SRT')
    await tiles().nth(3).locator('[data-part="tile-picture"]').click()
    await row('Stage-1').click()
    await until('it on the tile that was clicked', async () => (await nameOn(3)) === 'Stage-1')
    await tiles().nth(2).locator('[data-part="tile-picture"]').dragTo(tiles().nth(0))
    await until(
      'both to change places',
      async () => (await nameOn(0)) === 'Stage-SRT' && (await nameOn(2)) === 'Stage-2',
    )
    // The sound of one tile is on at a time.
    for (const [place, name] of [
      [0, 'Stage-SRT'],
      [2, 'Stage-2'],
    ] as const) {
      await tiles().nth(place).locator('[data-part="tile-name"]').focus()
      await page().keyboard.press('m')
      await until('its sound', async () => (await preferences()).multiview.audio === ids.get(name))
    }
    expect(await violations(page())).toEqual([])
    await page().reload()
    await until(
      'the wall as it was',
      async () => (await nameOn(0)) === 'Stage-SRT' && (await nameOn(2)) === 'Stage-2',
    )
  })

  const sizes = [
    { screen: 'a desk with 36 tiles', width: 1440, height: 900, tiles: '36' },
    { screen: 'a page zoomed to 200 %', width: 720, height: 450, tiles: '9' },
    { screen: 'a phone', width: 390, height: 844, tiles: '9' },
  ]
  for (const { screen, width, height, tiles } of sizes)
    test(`[UNIT-019] no tile loses the name of its channel on ${screen}`, async () => {
      await page().setViewportSize({ width, height })
      await page()
        .locator('[data-part="wall-sizes"]')
        .getByRole('button', { name: tiles, exact: true })
        .click()
      await page().getByRole('button', { name: 'Fill with live channels' }).click()
      const names = page().locator('[data-part="tile-channel"]', { hasText: 'Stage-' })
      await expect.poll(() => names.count()).toBe(5)
      const cut = await names.evaluateAll((found) =>
        (found as unknown as { scrollWidth: number; clientWidth: number; textContent: string }[])
          .filter(({ scrollWidth, clientWidth }) => clientWidth === 0 || scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      )
      expect(cut).toEqual([])
      expect(await violations(page())).toEqual([])
    })

  test('[UNIT-019] what is over the picture of a small tile has the same colour in both themes', async () => {
    await page().setViewportSize({ width: 1440, height: 900 })
    await page().locator('[data-part="wall-sizes"]').getByRole('button', { name: '36', exact: true }).click()
    await page().getByRole('button', { name: 'Fill with live channels' }).click()
    const colour = () =>
      page()
        .locator('[data-part="tile-clear"]')
        .first()
        .evaluate((element) => (globalThis as unknown as Globals).getComputedStyle(element).color)
    const wear = async (theme: 'light' | 'dark', item: string) => {
      await page()
        .getByRole('button', { name: /menu of/ })
        .click()
      await page().getByRole('menuitem', { name: item }).click()
      await page().locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor()
    }
    const before = await colour()
    await wear('light', 'Light theme')
    expect(await colour()).toBe(before)
    await wear('dark', 'Dark theme')
  })

  test('[UNIT-019] the layout of a phone does not change the wall and the panel of a desktop', async () => {
    const size = (tiles: string) =>
      page().locator('[data-part="wall-sizes"]').getByRole('button', { name: tiles, exact: true })
    await page().setViewportSize({ width: 1440, height: 900 })
    await size('16').click()
    // Changes are saved a second after the last one.
    await expect.poll(async () => (await preferences()).multiview.tiles).toBe(16)
    const { multiview, leftPanelWidth } = await preferences()
    await page().setViewportSize({ width: 390, height: 844 })
    await size('1').click()
    await page().getByRole('button', { name: 'Channels', exact: true }).click()
    await row('Stage-SRT').click()
    await expect
      .poll(() => page().locator('[data-part="tile"] [data-part="tile-channel"]').first().textContent())
      .toBe('Stage-SRT')
    const phone = { tiles: 1, channels: expect.arrayContaining([ids.get('Stage-SRT')]) }
    await expect.poll(async () => (await preferences()).narrowMultiview).toMatchObject(phone)
    await page().setViewportSize({ width: 1440, height: 900 })
    await row('Stage-1').waitFor()
    expect(await preferences()).toMatchObject({ multiview, leftPanelWidth })
    await expect.poll(() => page().locator('[data-part="tile"]').count()).toBe(multiview.tiles)
  })

  test('meters are dimmed next to a missing picture', async () => {
    become({ 'Stage-1': 'collecting' })
    const channelId = ids.get('Stage-1') ?? ''
    server.send({ type: 'levels', channels: [{ channelId, levels: [{ rmsDb: -20, peakDb: -12 }] }] })
    await page().getByRole('button', { name: 'Fill with live channels' }).click()
    // The server at the gateway serves no pictures: there are only levels.
    const picture = page()
      .locator('[data-part="tile"]', { hasText: 'Stage-1' })
      .locator('[data-part="picture"]')
    await picture.locator('[data-part="picture-empty"]').waitFor()
    await expect.poll(() => opacityOf(picture.locator('[data-part="audio-meter"]'))).toBeLessThan(0.5)
  })

  test('[ACCESS-010] [INV-002] [UNIT-020] the external preview and the rate are there where the customer has them', async () => {
    const root = await signIn(stage.url, 'admin', adminPassword)
    const allow = async (name: 'externalPreview' | 'gauge', value: boolean) => {
      await root.call(api.inventories.setProperty, {
        params: { id: 'north-atlantic', name },
        body: { value },
      })
      await page().reload()
      await row('Stage-1').waitFor()
      await fill()
    }
    const fill = async () => {
      await row('Stage-1').getByText('Collecting').waitFor()
      await page().getByRole('button', { name: 'Fill with live channels' }).click()
    }
    become({ 'Stage-1': 'collecting' })
    // The rate gives way in a small tile.
    await page().locator('[data-part="wall-sizes"]').getByRole('button', { name: '4', exact: true }).click()
    await fill()
    const rate = page().locator('[data-part="tile-rate"]', { hasText: '4.1' }).first()
    await rate.waitFor()
    const external = page().getByRole('button', { name: 'External preview of Stage-1' }).first()
    await expect.poll(() => external.isDisabled()).toBe(true)
    await until(
      'the reason',
      async () => (await external.locator('..').getAttribute('data-tip')) === 'Feature disabled',
    )
    await allow('externalPreview', true)
    await external.click()
    // The server at the gateway serves no pictures.
    await page().getByRole('dialog').getByText('Channel offline.').waitFor()
    expect(await violations(page())).toEqual([])
    await page().keyboard.press('Escape')
    server.send({ type: 'serverReport', actual: { previewPort: 9 } })
    await until('the answer of core', async () => {
      const params = { group, id: ids.get('Stage-1') ?? '' }
      return (await person.call(api.channels.accessibility, { params })).accessible
    })
    await external.click()
    await page().locator('[data-part="external-picture"] [data-part="picture"]').waitFor()
    await page().keyboard.press('Escape')
    await allow('gauge', false)
    await external.waitFor()
    await rate.waitFor({ state: 'detached' })
    await allow('gauge', true)
    await rate.waitFor()
  })

  test('[INV-002] where the customer has no previews, each picture shows it', async () => {
    const root = await signIn(stage.url, 'admin', adminPassword)
    const params = { id: 'north-atlantic', name: 'mjpegPreview' } as const
    await root.call(api.inventories.setProperty, { params, body: { value: false } })
    await page().reload()
    const tiles = page().locator('[data-part="picture"]')
    await tiles.first().getByText('Feature disabled').waitFor()
    const closed = tiles.filter({ hasText: 'Feature disabled' })
    await until('each of them', async () => (await tiles.count()) === (await closed.count()))
    expect(await violations(page())).toEqual([])
  })
})
