/** (c) Preview: the age of a picture when the browser shows it, and the time until the first one. */
import { setTimeout as wait } from 'node:timers/promises'
import { channels } from '@backhaul/contract/api/channels'
import { client } from '@backhaul/contract/api/client'
import { unitCommands, units } from '@backhaul/contract/api/units'
import { CSRF_COOKIE, CSRF_HEADER } from '@backhaul/contract/define/endpoint'
import { streamPath, whepPath } from '@backhaul/contract/nouns/previews'
import type { Page } from 'playwright-core'
import { openChromium } from '../tests/stage/browser.ts'
import { type Person, signIn } from '../tests/stage/person.ts'
import { adminPassword, openStage, type Stage } from '../tests/stage/stage.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, quantile, rounded, slopePerMinute } from './figures.ts'
import { servePage, takeCookies } from './pages/bundle.ts'

/** The least that a unit of this product offers, and the usual one. */
const buffersMs = [400, 1000]
/** Over a shorter time single pictures move the slope by more than what drifts; BENCH_PREVIEW_MINUTES is a longer one. */
const secondsWatched = 60 * Number(process.env.BENCH_PREVIEW_MINUTES ?? 4)
const secondsOfOthers = 20
/** A player that has just begun is still catching up. */
const secondsToSettle = 6
const starts = 6
/** The hub keeps what it makes for viewers for ten seconds: after that the next one is the first. */
const secondsBetweenStarts = 11
const goals = { p50Ms: 100, p95Ms: 160, driftMsAMinute: 5, concealedShare: 0.001, startMs: 400 }

interface Air {
  stage: Stage
  person: Person
  channelId: string
}

/** A unit on three links at a hub's channel, collecting with the buffer. */
async function goLive(stack: AsyncDisposableStack, bufferMs: number): Promise<Air> {
  const stage = await openStage()
  stack.defer(stage.stop)
  const hub = { BACKHAUL_HUB_CHANNELS: '1', BACKHAUL_HUB_INPUTS: ',', BACKHAUL_HUB_LOOPS: '0' }
  await stage.start('hub', { env: hub })
  await stage.start('agent', { env: { BACKHAUL_LINKS: 'a=127.0.0.2,b=127.0.0.3,c=127.0.0.4' } })
  const person = await signIn(stage.url, 'admin', adminPassword)
  const { unitId, channelId } = await until('unit and channel are there', async () => {
    const [group] = await person.call(client.lightGroups, {})
    const query = { group: group?.uid ?? '' }
    const [unit] = (await person.call(units.ofGroup, { query })).filter(({ offline }) => !offline)
    const [channel] = await person.call(channels.ofGroup, { query })
    return unit && channel && { unitId: unit.uid, channelId: channel.uniqueId }
  })
  await person.call(unitCommands.setDelay, { params: { id: unitId }, body: { delay: bufferMs } })
  await until('the unit has the delay', async () => {
    const { delay } = await person.call(units.one, { params: { id: unitId } })
    return delay === bufferMs || undefined
  })
  await person.call(unitCommands.start, { params: { id: unitId }, body: { channel: channelId } })
  await until('the channel collects', async () => {
    const { status } = await person.call(channels.status, { params: { id: channelId } })
    return status === 'collecting' || undefined
  })
  // The encoder begins below its rate and the sender has links to learn.
  await wait(8000)
  return { stage, person, channelId }
}

async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 150; tries++) {
    const found = await read().catch(() => undefined)
    if (found !== undefined) return found
    await wait(200)
  }
  throw new Error(`did not happen: ${what}`)
}

async function openPage(stack: AsyncDisposableStack, { stage, person }: Air): Promise<Page> {
  const browser = await openChromium()
  stack.defer(browser.close)
  await takeCookies(browser.context, stage.url, person.cookie)
  await browser.page.goto(await servePage(browser.context, stage.url, 'preview'))
  await browser.page.waitForFunction('document.title === "ready"')
  return browser.page
}

async function reload(page: Page): Promise<void> {
  await page.reload()
  await page.waitForFunction('document.title === "ready"')
}

interface Conditions {
  isShown: boolean
  hasSound: boolean
}

interface PreviewPage {
  watchByWebrtc(path: string, headers: Record<string, string>, conditions: Conditions): Promise<void>
  watchByStream(path: string): void
  takeAges(): { ages: [atMs: number, ageMs: number][]; unread: number }
  soundOf(): Promise<Sound>
  /** When the second picture was shown. */
  moved(): Promise<number>
  hangUp(headers: Record<string, string>): Promise<void>
}

function tokenOf({ cookie }: Person): Record<string, string> {
  const token = new RegExp(`${CSRF_COOKIE}=([^;]+)`).exec(cookie)?.[1] ?? ''
  return { [CSRF_HEADER]: decodeURIComponent(token) }
}

async function watchByWebrtc(page: Page, { person, channelId }: Air, conditions: Conditions): Promise<void> {
  const headers = tokenOf(person)
  await page.evaluate(
    ([path, given, options]) => (globalThis as unknown as PreviewPage).watchByWebrtc(path, given, options),
    [whepPath(channelId), headers, conditions] as const,
  )
}

interface Ages {
  row: Row
  bufferMs: number
  p50: number
  p95: number
  driftMsAMinute: number
  /** The share of the played sound that the browser concealed. */
  concealedShare: number
}

interface Sound {
  concealed: number
  samples: number
}

async function agesOf(
  { who, bufferMs, seconds }: { who: string; bufferMs: number; seconds: number },
  page: Page,
): Promise<Ages> {
  const take = () => page.evaluate(() => (globalThis as unknown as PreviewPage).takeAges())
  const sound = () => page.evaluate(() => (globalThis as unknown as PreviewPage).soundOf())
  await wait(secondsToSettle * 1000)
  const [before, soundBefore] = [await take(), await sound()]
  await wait(seconds * 1000)
  const [{ ages, unread }, soundAfter] = [await take(), await sound()]
  const ms = ages.map(([, ageMs]) => ageMs)
  const driftMsAMinute = slopePerMinute(ages.map(([atMs, value]) => ({ atMs, value })))
  const concealedShare =
    (soundAfter.concealed - soundBefore.concealed) / Math.max(1, soundAfter.samples - soundBefore.samples)
  return {
    bufferMs,
    p50: median(ms),
    p95: quantile(ms, 0.95),
    driftMsAMinute,
    concealedShare,
    row: {
      who,
      'p50 ms': Math.round(median(ms)),
      'p95 ms': Math.round(quantile(ms, 0.95)),
      'least ms': quantile(ms, 0),
      'most ms': quantile(ms, 1),
      // Over a short time it would show how the player settles.
      ...(seconds >= 60 && { 'drift ms a minute': rounded(driftMsAMinute) }),
      ...(seconds >= 60 && { 'concealed sound %': rounded(concealedShare * 100, 2) }),
      'pictures a second': rounded(ages.length / seconds),
      'not readable': unread - before.unread,
      seconds,
    },
  }
}

/** From the press on a tile to the second picture: the first one that moves. */
async function startsOf(page: Page, air: Air): Promise<number[]> {
  const all: number[] = []
  for (let at = 0; at < starts; at++) {
    await reload(page)
    await wait(secondsBetweenStarts * 1000 + Math.random() * 1000)
    const startedAt = await page.evaluate(() => performance.now())
    await watchByWebrtc(page, air, { isShown: true, hasSound: true })
    const movedAt = await page.evaluate(() => (globalThis as unknown as PreviewPage).moved())
    all.push(movedAt - startedAt)
    await page.evaluate(
      (headers) => (globalThis as unknown as PreviewPage).hangUp(headers),
      tokenOf(air.person),
    )
  }
  return all
}

export const benchPreview: Bench = async (stack): Promise<BenchResult> => {
  const ages: Ages[] = []
  const started: number[] = []
  for (const bufferMs of buffersMs) {
    const parts = stack.use(new AsyncDisposableStack())
    const air = await goLive(parts, bufferMs)
    const page = await openPage(parts, air)
    await watchByWebrtc(page, air, { isShown: true, hasSound: true })
    ages.push(await agesOf({ who: `WebRTC, buffer ${bufferMs} ms`, bufferMs, seconds: secondsWatched }, page))
    await reload(page)
    await watchByWebrtc(page, air, { isShown: true, hasSound: false })
    const silent = `WebRTC without sound, buffer ${bufferMs} ms`
    ages.push(await agesOf({ who: silent, bufferMs, seconds: secondsOfOthers }, page))
    await reload(page)
    await page.evaluate(
      (path) => (globalThis as unknown as PreviewPage).watchByStream(path),
      streamPath(air.channelId),
    )
    const stream = `MPEG-TS over WebSocket, buffer ${bufferMs} ms`
    ages.push(await agesOf({ who: stream, bufferMs, seconds: secondsOfOthers }, page))
    if (bufferMs === buffersMs.at(-1)) started.push(...(await startsOf(page, air)))
    await parts.disposeAsync()
  }
  return resultOf(ages, started)
}

function resultOf(ages: readonly Ages[], started: readonly number[]): BenchResult {
  const [webrtc, , stream] = ages.slice(-3)
  const withSound = ages.filter((_, at) => at % 3 === 0)
  const worst = (figure: (of: Ages) => number) => Math.max(...withSound.map(figure))
  const toGoal = (id: string, what: string, ratio: number) => ({
    id,
    what,
    ratio,
    lowerIsBetter: true,
    goal: 1,
  })
  return {
    name: 'preview',
    title: '(c) Preview',
    setting:
      'A unit (1280×720, 30 pictures a second, up to 4 Mbit/s, AAC) sends its test pattern over three loopback links to the ' +
      'hub; each picture carries the time of its making as a strip that a page in Chromium reads from a canvas. The age ' +
      'holds encoder, bonding buffer, hub, WebRTC with sound and decoder; it lacks camera and display. Everything, the ' +
      'encoder too, shares the cores.',
    tables: [
      { caption: 'Age of the picture in the browser', rows: ages.map(({ row }) => row) },
      {
        caption: 'From the press on a tile to the first picture that moves',
        rows: [
          {
            who: 'WebRTC, the first viewer of a channel',
            'p50 ms': Math.round(median(started)),
            'least ms': Math.round(quantile(started, 0)),
            'most ms': Math.round(quantile(started, 1)),
            starts: started.length,
          },
        ],
      },
    ],
    ratios: [
      toGoal(
        'preview-age',
        `age above the buffer with sound, p50, of ${goals.p50Ms} ms`,
        worst(({ p50, bufferMs }) => (p50 - bufferMs) / goals.p50Ms),
      ),
      toGoal(
        'preview-age-p95',
        `age above the buffer with sound, p95, of ${goals.p95Ms} ms`,
        worst(({ p95, bufferMs }) => (p95 - bufferMs) / goals.p95Ms),
      ),
      toGoal(
        'preview-age-drift',
        `drift of the age with sound, of ${goals.driftMsAMinute} ms a minute`,
        worst(({ driftMsAMinute }) => Math.abs(driftMsAMinute) / goals.driftMsAMinute),
      ),
      toGoal(
        'preview-age-sound',
        `sound that the browser made up, of ${goals.concealedShare * 100} %`,
        worst(({ concealedShare }) => concealedShare / goals.concealedShare),
      ),
      toGoal(
        'preview-start',
        `first moving picture, p50, of ${goals.startMs} ms`,
        median(started) / goals.startMs,
      ),
      {
        what: 'age by WebRTC relative to MPEG-TS over WebSocket (mpegts.js), same buffer',
        ratio: (webrtc?.p50 ?? Number.NaN) / (stream?.p50 ?? Number.NaN),
        lowerIsBetter: true,
      },
    ],
    remarks: [
      'The buffer is the delay that the operator chooses; what is above it is ours. 400 ms is the shortest that the units offer.',
      'The sound of a preview is coded a second time and buffered by the browser: it comes some 100 ms after its picture.',
      'Loopback has neither loss nor jitter: on a mobile network the buffer is used up, here it is only waited for.',
    ],
  }
}
