// The unit's own page, as its crew opens it on a phone: password, picture, links, video return, and the red frame on air.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, violations } from '../stage/browser.ts'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const password = 'crew-of-van-1'
const longMs = patientMs(120_000)
const phone = { width: 390, height: 844 }

/** The first display of TSL UMD 3.1, with its first lamp on or off. */
const lamp = (isOn: boolean) =>
  Buffer.concat([Buffer.of(0x81, isOn ? 0x31 : 0x30), Buffer.from('CAMERA'.padEnd(16))])

/** The little of a page's own types that is needed here. */
interface Page {
  document: {
    body: unknown
    documentElement: { scrollWidth: number }
    createElement(name: 'canvas'): {
      width: number
      height: number
      getContext(kind: '2d'): {
        drawImage(image: unknown, x: number, y: number): void
        getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
      }
    }
  }
  getComputedStyle(of: unknown, part: string): { borderTopColor: string; content: string }
}

describe.runIf(hasChromium && findFfmpeg())("the unit's own page", () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let unitId: string
  let channel: Channel
  let address: string
  let port: number
  const mixer = createSocket('udp4')
  goOnFromEachOther()
  beforeAll(async () => {
    mixer.bind(0, '127.0.0.1')
    await once(mixer, 'listening')
    const other = createSocket('udp4').bind(0, '127.0.0.1')
    await once(other, 'listening')
    port = other.address().port
    other.close()
    stage = await openStage({ demo: 0 })
    await stage.start('hub', {
      env: {
        BACKHAUL_HUB_CHANNELS: '1',
        BACKHAUL_HUB_RETURN_CHANNELS: '1',
        BACKHAUL_HUB_RETURN_INPUTS: 'test',
        BACKHAUL_HUB_TALLY_PORT: String(port),
      },
    })
    await stage.start('agent', {
      env: {
        BACKHAUL_UNIT_NAME: 'Van-1',
        BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3',
        BACKHAUL_BITRATE_KBPS: '1500',
        BACKHAUL_RETURN_PORT: '0',
        BACKHAUL_PAGE_PORT: '0',
        BACKHAUL_PAGE_PASSWORD: password,
      },
    })
    const served = await until('the page', () =>
      stage.lines.find((line) => line.includes('own page is served')),
    )
    address = /"address":"([^"]+)"/.exec(served)?.[1] ?? ''
    const root = await signIn(stage.url, 'admin', adminPassword)
    const { items } = await root.call(api.users.list, { query: { search: 'admin' } })
    const own = { id: items[0]?.id ?? '' }
    await root.call(api.users.change, { params: own, body: { services: ['tally'] } })
    person = await signIn(stage.url, 'admin', adminPassword)
    const query = { group: 'newsroom' }
    unitId = await until('the unit', async () => {
      const [found] = await person.call(api.units.ofGroup, { query })
      return found?.idle ? found.uid : undefined
    })
    channel = await until('the channel', async () =>
      (await person.call(api.channels.ofGroup, { query })).find(({ name }) => name.endsWith('Channel-1')),
    )
    const inventory = { id: channel.inventoryId }
    const [tally] = await until('the tallies', async () => {
      const found = await person.call(api.interfaces.tallies, { params: inventory })
      return found.length > 0 ? found : undefined
    })
    const body = { tally: tally?.id ?? '', channel: channel.uniqueId }
    await person.call(api.interfaces.associateTally, { params: inventory, body })
    chromium = await openChromium(phone)
  })
  afterAll(async () => {
    mixer.close()
    await chromium?.close()
    await stage?.stop()
  })

  const page = () => chromium.page
  const params = () => ({ id: unitId })
  const send = (datagram: Buffer) => mixer.send(datagram, port, '127.0.0.1')
  const image = () => page().getByRole('img', { name: 'Camera 1' })
  /** The approximate number of colours of the picture; 0 without one. */
  const coloursShown = () =>
    image().evaluate((element) => {
      const { document } = globalThis as unknown as Page
      const { naturalWidth: width, naturalHeight: height } = element as unknown as Record<string, number>
      if (!width || !height) return 0
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const context = canvas.getContext('2d')
      context.drawImage(element, 0, 0)
      const { data } = context.getImageData(0, 0, width, height)
      const colours = new Set<number>()
      for (let at = 0; at < data.length; at += 4)
        colours.add(((data[at] ?? 0) >> 5) * 64 + ((data[at + 1] ?? 0) >> 5) * 8 + ((data[at + 2] ?? 0) >> 5))
      return colours.size
    })
  const frameColour = () =>
    page().evaluate(() => {
      const { document, getComputedStyle } = globalThis as unknown as Page
      const { content, borderTopColor } = getComputedStyle(document.body, '::before')
      return content === 'none' ? 'none' : borderTopColor
    })
  const red = 'rgb(212, 0, 42)'

  test('nothing is shown without the password', async () => {
    await page().goto(address)
    await page().getByRole('heading', { name: 'Van-1' }).waitFor()
    expect(await image().count()).toBe(0)
    for (const path of ['/events', '/cameras/1.jpg']) {
      const response = await fetch(`${address}${path}`)
      expect([response.status, await response.text()]).toEqual([403, ''])
    }
    await page().getByLabel('Password').fill('crew-of-van-2')
    await page().getByRole('button', { name: 'Enter' }).click()
    await page().getByText('Wrong password').waitFor()
    expect(await violations(page())).toEqual([])
    await page().getByLabel('Password').fill(password)
    await page().getByRole('button', { name: 'Enter' }).click()
    await page().getByText('Not live').waitFor()
  })

  test('an idle unit shows its picture, its links, and that it is connected', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
    await image().waitFor({ timeout: longMs })
    await expect.poll(coloursShown).toBeGreaterThan(20)
    const first = await image().getAttribute('src')
    await expect.poll(() => image().getAttribute('src')).not.toBe(first)
    await page()
      .getByText(/^Connected since \d\d:\d\d/)
      .waitFor()
    for (const name of ['Modem 1', 'Modem 2']) await page().getByRole('listitem').getByText(name).waitFor()
    await page().getByText('None', { exact: true }).waitFor()
    const width = await page().evaluate(
      () => (globalThis as unknown as Page).document.documentElement.scrollWidth,
    )
    expect(width).toBe(phone.width)
    expect(await violations(page())).toEqual([])
  })

  test('[COMM-004] a live unit shows its rates and what is returned, and a red frame while it is on air', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
    await person.call(api.unitCommands.start, { params: params(), body: { channel: channel.uniqueId } })
    await page()
      .getByText(/^Live since \d\d:\d\d/)
      .waitFor({ timeout: longMs })
    await page()
      .getByRole('listitem')
      .filter({ hasText: /Modem 1\s*0\.[1-9] Mbps · \d+ ms|Modem 1\s*[1-9]\.\d Mbps · \d+ ms/ })
      .waitFor({ timeout: longMs })
    const live = await image().getAttribute('src')
    await expect.poll(() => image().getAttribute('src')).not.toBe(live)
    await expect.poll(coloursShown).toBeGreaterThan(20)

    expect(await frameColour()).toBe('none')
    send(lamp(true))
    await page().getByRole('status').getByText('ON AIR').waitFor()
    expect(await frameColour()).toBe(red)
    expect(await violations(page())).toEqual([])
    send(lamp(false))
    await page().getByText('ON AIR').waitFor({ state: 'detached' })
    expect(await frameColour()).toBe('none')

    const byHand = (onAir: boolean) =>
      person.call(api.interfaces.lightTally, { params: { id: channel.uniqueId }, body: { onAir } })
    await byHand(true)
    await page().getByRole('status').getByText('ON AIR').waitFor()
    expect(await frameColour()).toBe(red)
    // It remains on while users have switched it on, regardless of the mixer.
    send(lamp(true))
    send(lamp(false))
    await byHand(false)
    await page().getByText('ON AIR').waitFor({ state: 'detached' })
    expect(await frameColour()).toBe('none')

    const returned = await until('a return channel with a picture', async () =>
      (await person.call(api.videoReturn.ofGroup, { params: { groupId: 'newsroom' } })).find(
        ({ status }) => status === 'videoReturnInputConnected',
      ),
    )
    await person.call(api.videoReturn.select, { params: params(), body: { channel: returned.uniqueId } })
    await person.call(api.videoReturn.start, { params: params() })
    await page()
      .getByText(/^1280×720 · \d\.\d Mbps · On no display since \d\d:\d\d/)
      .waitFor({ timeout: longMs })
    await person.call(api.videoReturn.stop, { params: params() })
    await page().getByText('None', { exact: true }).waitFor({ timeout: longMs })
  })

  test('the page speaks Spanish to a phone that does, and is not red any more when the unit is gone', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-40).join('\n')))
    send(lamp(true))
    await page().getByText('ON AIR').waitFor()
    await page().setExtraHTTPHeaders({ 'accept-language': 'es-ES,es;q=0.9' })
    await page().reload()
    await page().getByText('EN EL AIRE').waitFor()
    await page()
      .getByText(/^En directo desde las \d\d:\d\d/)
      .waitFor()
    await stage.end('agent')
    await page().getByText('Sin conexión con la unidad').waitFor()
    expect(await frameColour()).toBe('none')
    await page().getByText('EN EL AIRE').waitFor({ state: 'detached' })
  })
})
