// The map: real positions from a gpsd of the test, the units of the demo, by pointer, wheel, fingers and keys.
import { createServer as createWebServer, type Server } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { defaultPreferences } from '@backhaul/contract/nouns/preference-defaults'
import type { UserPreferences } from '@backhaul/contract/nouns/preferences'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage, violations } from '../stage/browser.ts'
import { type Demo, openDemo } from '../stage/demo.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

interface Place {
  x: number
  y: number
}

/** The little of a page's own types that is needed here. */
interface Globals {
  document: {
    querySelector(selector: string): Canvas | null
    documentElement: unknown
  }
  getComputedStyle(of: unknown): { getPropertyValue(name: string): string }
}
interface Canvas {
  width: number
  height: number
  getBoundingClientRect(): { left: number; top: number }
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
  }
}

const map = (page: Page) => page.locator('[data-part="map"]')

/** Where the ring of the selected unit is painted, in px of the page; undefined while it is not. */
const ringOn = (page: Page): Promise<Place | undefined> =>
  page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as Globals
    const canvas = document.querySelector('.map-units')
    if (!canvas || canvas.width === 0) return undefined
    const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()
    const wanted = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16))
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    let [x, y, count] = [0, 0, 0]
    for (let at = 0; at < data.length; at += 4) {
      if (wanted.some((part, channel) => data[at + channel] !== part) || data[at + 3] !== 255) continue
      x += (at / 4) % canvas.width
      y += Math.floor(at / 4 / canvas.width)
      count += 1
    }
    if (count < 20) return undefined
    const box = canvas.getBoundingClientRect()
    return { x: box.left + x / count, y: box.top + y / count }
  })

/** Once it does not move any more: a frame before may still show the last choice. */
async function ringThere(
  page: Page,
  what: string,
  check: (at: Place) => boolean = () => true,
): Promise<Place> {
  let before: Place | undefined
  return await until(what, async () => {
    const at = await ringOn(page)
    const isStill = at && before && Math.hypot(at.x - before.x, at.y - before.y) < 1
    before = at
    return at && isStill && check(at) ? at : undefined
  })
}

const scale = (page: Page) => page.locator('[class*="map-scale"], [class*="mapScale"]').textContent()

describe.runIf(hasChromium)('the map', () => {
  let demo: Demo
  let person: Person
  let chromium: Chromium
  let page: Page
  let van: string
  const gps = createServer()
  const readers = new Set<Socket>()
  let fix = { lat: 48.8566, lng: 2.3522 }

  const sendFix = (socket: Socket) =>
    socket.write(`${JSON.stringify({ class: 'TPV', mode: 3, lat: fix.lat, lon: fix.lng, eph: 4 })}\n`)
  function moveTo(lat: number, lng: number): void {
    fix = { lat, lng }
    for (const socket of readers) sendFix(socket)
  }
  const repeating = setInterval(() => moveTo(fix.lat, fix.lng), 1000)

  beforeAll(async () => {
    gps.on('connection', (socket) => {
      readers.add(socket)
      socket.on('error', () => {})
      socket.once('data', () => sendFix(socket))
      socket.on('close', () => readers.delete(socket))
    })
    await new Promise<void>((resolve) => gps.listen(0, '127.0.0.1', resolve))
    demo = await openDemo(60)
    const { port } = gps.address() as AddressInfo
    await demo.start('agent', {
      env: { BACKHAUL_UNIT_NAME: 'Van-Paris', BACKHAUL_POSITION: `gpsd://127.0.0.1:${port}` },
    })
    person = await demo.person('operator')
    van = await until(
      'the unit of the agent',
      async () => (await demo.units()).find(({ name, location }) => name === 'Van-Paris' && location)?.uid,
    )
    chromium = await openChromium()
  })
  afterAll(async () => {
    clearInterval(repeating)
    await chromium?.close()
    await demo?.stop()
    for (const socket of readers) socket.destroy()
    gps.close()
  })
  beforeEach(async () => {
    await remember({ ...defaultPreferences(), currentRoute: '/unit/list', unitListExpanded: false })
    page = await chromium.context.newPage()
    await signInOnPage(page, demo.url, 'operator', DEMO_PASSWORD)
  })
  afterEach(() => page.close())

  const remember = (body: Partial<UserPreferences>) => person.call(api.client.savePreferences, { body })
  const remembered = () => person.call(api.client.preferences, {})
  const row = (name: string) => page.locator('[data-row-id]').filter({ hasText: name })
  async function openMap(): Promise<void> {
    await page.goto(`${demo.url}/unit/map?ignoreRouteDefault=1`)
    await page.locator('[data-part="map"][data-units]:not([data-units="0"])').waitFor()
  }
  const isKept = (what: string, check: (data: UserPreferences['mapData']) => boolean) =>
    until(what, async () => check((await remembered()).mapData))

  test('[UNIT-018] begins at zoom 3 and 0,0, follows a unit that a receiver places, and names its place', async () => {
    moveTo(48.8566, 2.3522)
    await page.locator('[data-row-id]').first().waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.waitForURL('**/unit/map')
    await page.locator('[data-part="map"][data-units]:not([data-units="0"])').waitFor()
    expect(await scale(page)).toBe('2000 km')
    const box = await map(page).boundingBox()
    await row('Van-Paris').click()
    const paris = await ringThere(page, 'Paris on the map', ({ x }) => x > box!.x + box!.width / 2)
    // 2048 px are the world; the middle is 0,0.
    expect(paris.x - (box!.x + box!.width / 2)).toBeCloseTo((2.3522 / 360) * 2048, -1)
    expect(paris.y - (box!.y + box!.height / 2)).toBeCloseTo(-318, -1)
    await until('the name of the place', async () =>
      (await row('Van-Paris').textContent())?.includes('Paris, France'),
    )
    expect(await violations(page)).toEqual([])

    moveTo(40.4168, -3.7038)
    const madrid = await ringThere(page, 'Madrid on the map', ({ y }) => y > paris.y + 20)
    expect(madrid.x - paris.x).toBeCloseTo((-6.056 / 360) * 2048, -1)
    await until('the name of the other place', async () =>
      (await row('Van-Paris').textContent())?.includes('Madrid, Spain'),
    )
    const at = await person.call(api.units.location, { params: { id: van } })
    expect(at).toEqual({ lat: 40.4168, lng: -3.7038, accuracyM: 4, address: 'Madrid, Spain' })
  })

  test('[UNIT-018] the selection is one with list and inspector, and a cluster opens', async () => {
    moveTo(48.8566, 2.3522)
    await openMap()
    const [first] = (await demo.units()).filter(({ name }) => name !== 'Van-Paris')
    await row(first?.name ?? '').click()
    await until(
      'the selected row',
      async () => (await row(first?.name ?? '').getAttribute('aria-selected')) === 'true',
    )
    await page.keyboard.press('i')
    await page
      .getByRole('complementary')
      .getByText(first?.name ?? '')
      .first()
      .waitFor()
    await ringThere(page, 'the unit of the list')
    expect(
      await until('the kept choice', async () => {
        const { lastSelectedUnit } = await remembered()
        return lastSelectedUnit === first?.uid ? lastSelectedUnit : undefined
      }),
    ).toBe(first?.uid)
    await page.keyboard.press('i')
    await page.getByRole('complementary').waitFor({ state: 'detached' })

    // From the map to the list: press the marker of the van.
    await page.getByRole('button', { name: 'Show all units' }).click()
    await isKept('the view of all', ({ zoom }) => zoom > 3)
    await row('Van-Paris').click()
    const spot = await ringThere(page, 'the van')
    await row(first?.name ?? '').click()
    await ringThere(page, 'the other unit', ({ y }) => Math.abs(y - spot.y) > 30)
    await page.mouse.click(spot.x, spot.y)
    await until('the van in the list', async () => (await remembered()).lastSelectedUnit === van)
    expect(await row('Van-Paris').getAttribute('aria-selected')).toBe('true')

    // The units of London are one sign until the map is near enough.
    await row(first?.name ?? '').click()
    const london = await ringThere(page, 'the unit of London', ({ y }) => Math.abs(y - spot.y) > 30)
    const { zoom } = (await remembered()).mapData
    const label = page.locator('[data-part="map-label"]')
    // A symbol that the selected unit would cover is drawn next to it.
    const cluster = await until('the cluster next to it', async () => {
      for (let turn = 0; turn < 24; turn++) {
        const at = {
          x: london.x + 34 * Math.cos((turn * Math.PI) / 12),
          y: london.y + 34 * Math.sin((turn * Math.PI) / 12),
        }
        await page.mouse.move(at.x, at.y)
        if ((await label.isVisible()) && /^\d+ units: /.test((await label.textContent()) ?? '')) return at
      }
      return undefined
    })
    await page.mouse.click(cluster.x, cluster.y)
    await isKept('the opened cluster', (data) => data.zoom > zoom + 0.5)
  })

  test('[UNIT-018] keys, wheel, pointer and fingers move it, and the view is remembered', async () => {
    await openMap()
    await map(page).focus()
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await page.keyboard.press('ArrowRight')
    await isKept('keys', ({ zoom, lng, lat }) => zoom === 5 && lat === 0 && Math.abs(lng - 3.955) < 0.01)
    await page.keyboard.press('-')
    await page.keyboard.press('ArrowUp')
    await isKept('more keys', ({ zoom, lat }) => zoom === 4 && Math.abs(lat - 7.885) < 0.05)
    const box = (await map(page).boundingBox())!
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await page.mouse.move(middle.x, middle.y)
    await page.mouse.down()
    await page.mouse.move(middle.x - 100, middle.y, { steps: 5 })
    await page.mouse.up()
    await isKept('the pointer', ({ lng }) => Math.abs(lng - 3.955 - (100 / 4096) * 360) < 0.05)
    await page.mouse.wheel(0, -320)
    await isKept('the wheel', ({ zoom }) => zoom === 5)

    const session = await chromium.context.newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd'
            ? []
            : [
                { x: middle.x - apart, y: middle.y, id: 1 },
                { x: middle.x + apart, y: middle.y, id: 2 },
              ],
      })
    await touch('touchStart', 50)
    for (const apart of [60, 80, 100]) await touch('touchMove', apart)
    await touch('touchEnd', 0)
    await isKept('two fingers', ({ zoom }) => zoom > 5.6 && zoom < 6.1)

    const kept = (await remembered()).mapData
    await openMap()
    await until('the same scale', async () => (await scale(page)) !== '2000 km')
    expect((await remembered()).mapData).toEqual(kept)
  })

  test('[UNIT-018] the place of the preferences is where it begins, and a filter counts for the map too', async () => {
    moveTo(48.8566, 2.3522)
    await remember({ mapData: { zoom: 9, lat: 48.8566, lng: 2.3522 }, lastSelectedUnit: van })
    await openMap()
    const box = (await map(page).boundingBox())!
    const at = await ringThere(page, 'Paris in the middle')
    expect(Math.abs(at.x - box.x - box.width / 2)).toBeLessThan(3)
    expect(Math.abs(at.y - box.y - box.height / 2)).toBeLessThan(3)
    expect(Number(await map(page).getAttribute('data-units'))).toBe((await demo.units()).length)
    await page.keyboard.press('/')
    await page.keyboard.type('Van-Paris')
    await until('the one unit', async () => (await map(page).getAttribute('data-units')) === '1')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('no such unit')
    await page.getByText('No unit that the filter shows reports its position.').waitFor()
  })

  test('[UNIT-018] a unit that is selected on the wall is the selected one of the map', async () => {
    const [unit] = await demo.ready(1)
    const [channel] = await demo.free(1)
    await demo.choose(unit!, channel!)
    const params = { id: unit!.uid }
    await person.call(api.unitCommands.start, { params, body: { channel: channel!.uniqueId } })
    await until('the channel of the unit', async () =>
      (await demo.channels()).some(({ allocatedToUnitUid }) => allocatedToUnitUid === unit!.uid),
    )
    await remember({ multiview: { tiles: 1, channels: [channel!.uniqueId], audio: null } })
    await page.goto(`${demo.url}/unit/multiview`)
    await page.locator('[data-part="tile-name"]').filter({ hasText: unit!.name }).click()
    await page.locator('[data-part="tile"][data-unit-selected]').waitFor()
    await openMap()
    await ringThere(page, 'the unit of the wall')
    expect(await row(unit!.name).getAttribute('aria-selected')).toBe('true')
    await person.call(api.unitCommands.stop, { params })
  })

  test('[INV-002] the property Map view of a customer hides it from menu and keys, and its page states it', async () => {
    const root = await signIn(demo.url, 'admin', adminPassword)
    const [{ inventoryId } = { inventoryId: '' }] = await demo.units()
    const set = (value: boolean) =>
      root.call(api.inventories.setProperty, {
        params: { id: inventoryId, name: 'mapView' },
        body: { value },
      })
    await page.getByRole('link', { name: 'Map', exact: true }).waitFor()
    await set(false)
    await page.goto(`${demo.url}/unit/list?ignoreRouteDefault=1`)
    await page.locator('[data-row-id]').first().waitFor()
    await page.getByRole('link', { name: 'Map', exact: true }).waitFor({ state: 'detached' })
    await page.goto(`${demo.url}/unit/map?ignoreRouteDefault=1`)
    await page.getByText('The map is switched off for this customer.').waitFor()
    await set(true)
    await page.reload()
    await map(page).waitFor()
  })

  test('[UNIT-018] nothing is fetched from elsewhere, and it fits a phone', async () => {
    const foreign: string[] = []
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== demo.url) foreign.push(request.url())
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await openMap()
    await page.getByText('Natural Earth').waitFor()
    const [mapBox, listBox] = [
      await map(page).boundingBox(),
      await page.locator('[data-row-id]').first().boundingBox(),
    ]
    expect(mapBox!.width).toBe(390)
    expect(listBox!.y).toBeGreaterThan(mapBox!.y + mapBox!.height)
    expect(await violations(page)).toEqual([])
    expect(foreign).toEqual([])
  })
})

/** A square of one colour as a picture. */
function squareOf(red: number, green: number, blue: number): Buffer {
  const side = 256
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(side * 3, Buffer.of(red, green, blue))])
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(body.length + 8)
    frame.writeUInt32BE(data.length, 0)
    body.copy(frame, 4)
    frame.writeUInt32BE(crc32(body), body.length + 4)
    return frame
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array(side).fill(row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe.runIf(hasChromium)('the tile server of the operator', () => {
  let stage: Stage
  let tiles: Server
  let chromium: Chromium
  const asked: string[] = []
  const picture = squareOf(10, 120, 60)

  beforeAll(async () => {
    tiles = createWebServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
    })
    await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve))
    stage = await openStage({
      env: {
        BACKHAUL_MAP_TILES: `${origin()}/{z}/{x}/{y}.png`,
        BACKHAUL_MAP_TILES_CREDIT: 'Ground of the test',
      },
    })
    chromium = await openChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await stage?.stop()
    tiles.close()
  })
  const origin = () => `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`

  test('[UNIT-018] its pictures are the ground, and the page may fetch pictures of that origin alone', async () => {
    const { page } = chromium
    const { headers } = await fetch(`${stage.url}/`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`img-src 'self' data: blob: ${origin()};`)
    expect(policy).toContain("connect-src 'self';")
    await signInOnPage(page, stage.url, 'admin', adminPassword, '/unit/map?ignoreRouteDefault=1')
    await page.getByText('Ground of the test').waitFor()
    await page.getByText('No unit reports its position.').waitFor()
    await until(
      'the tiles of zoom 3',
      () => asked.filter((path) => /^\/3\/\d\/\d\.png$/.test(path)).length > 12,
    )
    const box = (await map(page).boundingBox())!
    const clip = { x: box.x + box.width / 2 - 40, y: box.y + box.height / 2 - 40, width: 80, height: 80 }
    const green = await until('the ground', async () => {
      const shot = await page.screenshot({ clip })
      return (await colourOf(page, shot)) === '10,120,60'
    })
    expect(green).toBe(true)
    asked.length = 0
    await map(page).focus()
    await page.keyboard.press('+')
    await until('the tiles of zoom 4', () => asked.some((path) => path.startsWith('/4/')))
  })
})

/** The colour in the middle of a picture. */
const colourOf = (page: Page, shot: Buffer): Promise<string> =>
  page.evaluate(async (data) => {
    const { document, Image } = globalThis as unknown as {
      Image: new () => { src: string; decode(): Promise<void> }
      document: {
        createElement(name: 'canvas'): {
          getContext(kind: '2d'): {
            drawImage(image: unknown, x: number, y: number): void
            getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
          }
        }
      }
    }
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    return [...context.getImageData(40, 40, 1, 1).data.slice(0, 3)].join()
  }, shot.toString('base64'))
