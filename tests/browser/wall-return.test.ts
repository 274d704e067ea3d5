// The wall when its server is killed, with a real unit on air: pictures move again by themselves.
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { patientMs } from '@backhaul/runtime/testing/until'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Chromium, hasChromium, openChromium, signInOnPage } from '../stage/browser.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const group = 'newsroom'
const patienceMs = patientMs(120_000)

/** The little of a page's own types that is needed here. */
interface Drawn {
  ownerDocument: {
    createElement(name: 'canvas'): {
      width: number
      height: number
      getContext(kind: '2d'): {
        drawImage(image: unknown, ...places: number[]): void
        getImageData(...place: number[]): { data: ArrayLike<number> }
      }
    }
  }
}

/** The picture drawn there now; undefined without one. */
async function pixelsOf(picture: Locator): Promise<string | undefined> {
  if ((await picture.count()) === 0) return undefined
  return await picture
    .first()
    .evaluate((drawn) => {
      const canvas = (drawn as unknown as Drawn).ownerDocument.createElement('canvas')
      Object.assign(canvas, { width: 96, height: 54 })
      const drawing = canvas.getContext('2d')
      drawing.drawImage(drawn, 0, 0, 96, 54)
      return Array.from(drawing.getImageData(0, 0, 96, 54).data).join()
    })
    .catch(() => undefined)
}

/** Waits for two pictures that differ from each other and from what is there now; returns the time. */
async function moves(what: string, picture: Locator): Promise<number> {
  const seen = new Set([await pixelsOf(picture)])
  await until(
    what,
    async () => {
      const now = await pixelsOf(picture)
      if (now !== undefined) seen.add(now)
      return seen.size > 2
    },
    patienceMs,
  )
  return performance.now()
}

describe.runIf(hasChromium && findFfmpeg())('a wall whose server is killed', () => {
  let stage: Stage
  let chromium: Chromium
  let person: Person
  let channel: Channel
  /** A page of stills, in addition to the page with the moving picture. */
  let stills: Page
  /**
   * The number of requests of the page for a moving picture, the addresses of its sessions, and those that it closed.
   */
  let requests: number
  let calls: string[]
  let hungUp: string[]

  const open = async () => {
    stage = await openStage()
    await stage.start('hub')
    await stage.start('agent', {
      env: { BACKHAUL_LINKS: '127.0.0.2,127.0.0.3', BACKHAUL_BITRATE_KBPS: '800' },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    const units = () => person.call(api.units.ofGroup, { query: { group } })
    const unit = await until('the unit', async () => (await units()).find(({ idle }) => idle), patienceMs)
    const bonded = async () => (await channels()).find(({ inputType }) => inputType === null)
    channel = await until('a channel', bonded, patienceMs)
    await person.call(api.unitCommands.start, {
      params: { id: unit.uid },
      body: { channel: channel.uniqueId },
    })
    await until('the picture', isReceived, patienceMs)
    await person.call(api.client.savePreferences, { body: { groupId: group } })
    chromium = await openChromium()
    await signInOnPage(chromium.page, stage.url, 'admin', adminPassword)
    requests = 0
    calls = []
    hungUp = []
    chromium.page.on('response', (reply) => {
      if (reply.request().method() === 'POST' && reply.status() === 201)
        calls.push(new URL(reply.headers().location ?? '/', reply.url()).pathname)
    })
    chromium.page.on('request', (request) => {
      if (request.method() === 'DELETE') hungUp.push(new URL(request.url()).pathname)
      if (request.method() === 'POST' && request.url().endsWith('/whep')) requests += 1
    })
    stills = await chromium.context.newPage()
  }
  const close = async () => {
    await chromium?.close()
    await stage?.stop()
  }
  beforeAll(open)
  afterAll(close)

  const channels = () => person.call(api.channels.ofGroup, { query: { group } })
  const shown = async () => (await channels()).find(({ uniqueId }) => uniqueId === channel.uniqueId)
  const isReceived = async () => (await shown())?.status === 'collecting'
  /** The number of times that core has admitted the hub. */
  const arrivals = () => stage.lines.filter((line) => line.includes('registered with core')).length
  const tileOn = (page: Page) => page.locator('[data-part="tile"]', { hasText: channel.name }).first()
  const otherTileOn = (page: Page) =>
    page
      .locator('[data-part="tile"]')
      .filter({ hasNotText: channel.name })
      .first()
      .locator('[data-part="tile-name"]')

  /** One page shows the picture as it moves, the other one its stills. */
  async function showsBoth(): Promise<void> {
    for (const page of [chromium.page, stills]) {
      await page.goto(`${stage.url}/unit/multiview?ignoreRouteDefault=1`)
      await tileOn(page).waitFor()
    }
    await otherTileOn(stills).click()
    await tileOn(chromium.page).locator('[data-part="tile-name"]').click()
    await live().waitFor({ timeout: patienceMs })
    await moves('a moving picture', video())
    await moves('stills', still())
  }

  /** Leaves the picture: each of its sessions was closed, none of them twice. */
  async function hangsUp(): Promise<void> {
    await otherTileOn(chromium.page).click()
    await video().waitFor({ state: 'detached' })
    await until('the calls to be hung up', () => calls.length > 1 && hungUp.length >= calls.length)
    await chromium.page.goto(`${stage.url}/unit/list?ignoreRouteDefault=1`)
    expect(hungUp.toSorted()).toEqual(calls.toSorted())
  }

  const still = () => tileOn(stills).locator('[data-part="picture-still"]')
  const video = () => tileOn(chromium.page).locator('video')
  const live = () => tileOn(chromium.page).locator('[data-part="picture"][data-state="webrtc"]')

  test(
    'shows pictures that move again once it is back, and hangs up each call once',
    async () => {
      onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
      await showsBoth()
      const before = arrivals()
      signalProcess(stage.pidOf('hub'), 'SIGKILL')
      const killedMs = performance.now()
      await until('the hub to be back', () => arrivals() > before, patienceMs)
      const backMs = performance.now()
      await until('the channel to be received again', isReceived, patienceMs)
      const receivedMs = performance.now()
      const [stillMs, videoMs] = await Promise.all([
        moves('stills again', still()),
        live()
          .waitFor({ timeout: patienceMs })
          .then(() => moves('a moving picture again', video())),
      ])
      const seconds = (ms: number) => ((ms - backMs) / 1000).toFixed(1)
      console.info(
        `the hub was away for ${((backMs - killedMs) / 1000).toFixed(1)} s; from its return: ` +
          `received ${seconds(receivedMs)} s, stills ${seconds(stillMs)} s, moving picture ${seconds(videoMs)} s`,
      )
      await hangsUp()
    },
    3 * patienceMs,
  )

  test(
    'requests a picture again that stops while its channel is received',
    async () => {
      onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
      await showsBoth()
      const [before, hub] = [requests, stage.pidOf('hub')]
      signalProcess(hub, 'SIGSTOP')
      try {
        await until('another call', () => requests > before, patienceMs)
      } finally {
        signalProcess(hub, 'SIGCONT')
      }
      await live().waitFor({ timeout: patienceMs })
      await moves('a moving picture again', video())
      await hangsUp()
    },
    3 * patienceMs,
  )
})
