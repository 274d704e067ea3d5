// Audio rooms in the browser: an administrator makes one, speaks in it and hears the echo and others, and sees tallies.
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { joinDevice, type StageDevice } from '../stage/device.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(hasChromium)('audio rooms in the browser', () => {
  let stage: Stage
  let chromium: Chromium
  let chief: Person
  let unit: StageDevice
  const open = async () => {
    stage = await openStage({ demo: 1 })
    await stage.start('hub')
    unit = await joinDevice(stage, { name: 'Talk-Van', groupId: 'london-news' })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    chromium = await openChromium()
  }
  const close = async () => {
    unit?.close()
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const row = (page: Page, text: string) => page.locator('[data-row-id]', { hasText: text })

  test('[COMM-005] [COMM-006] a room is made, joined and heard, not deleted while in use, left and deleted', async () => {
    const page = chromium.page
    const dialog = page.getByRole('dialog')
    const ok = () => dialog.getByRole('button', { name: 'OK', exact: true }).click()
    const gone = () => dialog.waitFor({ state: 'detached' })
    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD)
    await page.getByRole('link', { name: 'Audio Connect' }).click()
    await page.getByText('No audio rooms yet').waitFor()
    await page.getByRole('button', { name: 'New audio room' }).first().click()
    await ok()
    await dialog.getByText('This field is required').waitFor()
    await dialog.getByLabel('Name').fill('Studio 1')
    await dialog.getByLabel('Description').fill('Director and crews')
    await dialog.getByRole('tab', { name: 'Units' }).click()
    await dialog.getByRole('checkbox', { name: 'Talk-Van' }).check()
    expect(await violations(page)).toEqual([])
    await ok()
    await gone()
    await page.getByText('1 room').waitFor()
    expect(await violations(page)).toEqual([])

    // A browser without a microphone shows what is missing.
    const mute = await chromium.context.newPage()
    await mute.addInitScript(`
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'))
    `)
    await mute.goto(`${stage.url}/manage/audio_rooms?ignoreRouteDefault=1`)
    await mute.getByRole('button', { name: 'Join Studio 1' }).click()
    await mute.getByText('No microphone can be used.').waitFor()
    expect(await violations(mute)).toEqual([])
    await mute.close()

    // The microphone of this browser beeps, and comes back from the server as another voice.
    await row(page, 'Studio 1').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Join and hear yourself' }).click()
    await page.getByRole('button', { name: 'Leave Studio 1' }).waitFor()
    await page.getByText('1 heard').waitFor()
    await row(page, 'Studio 1').getByText('chief').waitFor()
    const second = await chromium.context.newPage()
    await second.addInitScript(`
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
      navigator.mediaDevices.getUserMedia = async (wanted) => (window.microphone = await open(wanted))
    `)
    await second.goto(`${stage.url}/manage/audio_rooms?ignoreRouteDefault=1`)
    await second.getByRole('button', { name: 'Join Studio 1' }).click()
    await second.getByText('1 heard').waitFor()
    await page.getByText('2 heard').waitFor()
    expect(await violations(second)).toEqual([])

    // The microphone is open only while the button is held.
    const isOpen = () => second.evaluate('window.microphone.getAudioTracks().every(({ enabled }) => enabled)')
    expect(await isOpen()).toBe(true)
    await second.getByRole('button', { name: 'Push to talk' }).click()
    const hold = second.getByRole('button', { name: 'Hold to talk' })
    await hold.hover()
    expect(await isOpen()).toBe(false)
    await second.mouse.down()
    await expect.poll(isOpen).toBe(true)
    await second.mouse.up()
    await expect.poll(isOpen).toBe(false)
    await hold.focus()
    await second.keyboard.down('Space')
    await expect.poll(isOpen).toBe(true)
    await second.keyboard.up('Space')
    await expect.poll(isOpen).toBe(false)
    expect(await violations(second)).toEqual([])
    await second.getByRole('button', { name: 'Push to talk' }).click()
    await expect.poll(isOpen).toBe(true)
    const remove = async () => {
      await row(page, 'Studio 1').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
    }
    await remove()
    await dialog.getByText('Audio room in use cannot be deleted.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await second.getByRole('button', { name: 'Leave', exact: true }).click()
    await second.getByRole('button', { name: 'Join Studio 1' }).waitFor()
    await second.close()
    // In the top bar, on another screen.
    await page.getByRole('link', { name: 'Units', exact: true }).click()
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByRole('button', { name: 'Leave', exact: true }).waitFor({ state: 'detached' })
    await until('the room is empty', async () => {
      const { items } = await chief.call(api.audioRooms.list, { params: { id: 'north-atlantic' }, query: {} })
      return items[0]?.participants.length === 0
    })
    await page.getByRole('link', { name: 'Audio Connect' }).click()
    await remove()
    await page.getByText('No audio rooms yet').waitFor()
  })

  test('[COMM-004] a tally is a red frame and label, grey where the unit shows none, for users with the service', async () => {
    const capabilities = { tally: true }
    const van = await joinDevice(stage, {
      name: 'Tally-Van',
      groupId: 'london-news',
      actual: { capabilities },
    })
    const slots = [{ slot: '1', name: 'Desk-1', inputType: null }]
    const server = await joinDevice(stage, { kind: 'server', name: 'Desk', groupId: 'london-news', slots })
    server.send({
      type: 'serverReport',
      actual: { interfaces: [{ id: 'tally-1', kind: 'tally', name: 'Tally 1' }] },
    })
    const root = await signIn(stage.url, 'admin', adminPassword)
    const { items } = await root.call(api.users.list, { query: { search: 'chief' } })
    await root.call(api.users.change, { params: { id: items[0]?.id ?? '' }, body: { services: ['tally'] } })
    chief = await signIn(stage.url, 'chief', DEMO_PASSWORD)
    const ofGroup = () => chief.call(api.channels.ofGroup, { query: { group: 'london-news' } })
    const desk = async () => (await ofGroup()).find(({ name }) => name === 'Desk-1')
    const { uniqueId: channel } = await until('the channel of the desk', desk)
    const params = { id: 'north-atlantic' }
    const tallies = () => chief.call(api.interfaces.tallies, { params })
    await until('the tally is reported', async () => (await tallies()).length > 0)
    const [tally] = await tallies()
    await chief.call(api.interfaces.associateTally, { params, body: { tally: tally?.id ?? '', channel } })
    server.send({ type: 'tallies', on: ['tally-1'] })
    await until('the channel is on air', async () => (await desk())?.tally.onAir === true)

    const page = chromium.page
    await chief.call(api.client.savePreferences, { body: { groupId: 'london-news' } })
    await signInOnPage(page, stage.url, 'chief', DEMO_PASSWORD, '/unit/multiview?ignoreRouteDefault=1')
    const picture = page.locator('[data-part="picture"][data-tally]')
    await picture.getByText('ON AIR').waitFor()
    await expect.poll(() => picture.getAttribute('data-tally')).toBe('unsupported')
    // A unit that shows tally takes the channel.
    await chief.call(api.unitCommands.start, { params: { id: van.id }, body: { channel } })
    const measured = { status: 'collecting', transmissionId: null, kbps: 1, continuityErrors: 0 }
    const more = { recovered: 0, uncorrected: 0, bufferMs: 0, video: null, health: null }
    const collecting = { channelId: channel, ...measured, ...more, source: 'bonded', recording: false }
    const usage = { cpuPercent: 1, memoryPercent: 1, storagePercent: 1 }
    server.send({ type: 'serverTelemetry', ts: Date.now(), usage, channels: [collecting] })
    await page.locator('[data-part="picture"][data-tally="onAir"]').getByText('ON AIR').waitFor()
    van.close()
    server.close()
  })
})
