/** (c) Preview: the age of a picture when the browser shows it, and the hub's cost for a channel and a viewer. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { channels } from '@backhaul/contract/api/channels'
import { client } from '@backhaul/contract/api/client'
import { unitCommands, units } from '@backhaul/contract/api/units'
import { CSRF_COOKIE, CSRF_HEADER } from '@backhaul/contract/define/endpoint'
import { streamPath, whepPath } from '@backhaul/contract/nouns/previews'
import type { Page } from 'playwright-core'
import { WebSocket } from 'ws'
import { openChromium } from '../tests/stage/browser.ts'
import { type Person, signIn } from '../tests/stage/person.ts'
import { adminPassword, openStage, type Stage } from '../tests/stage/stage.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, quantile, rounded, slopePerMinute } from './figures.ts'
import { freePort, startProcess } from './load/load-program.ts'
import { familyCpuMs } from './load/process-cost.ts'
import { servePage, takeCookies } from './pages/bundle.ts'

/** The least that a unit of this product offers, and the usual one. */
const buffersMs = [400, 1000]
const secondsWatched = 120
const secondsOfCost = 12
const secondsOfOthers = 25
/** A player that has just begun is still catching up. */
const secondsToSettle = 6
const moreViewers = 4

interface Air {
  stage: Stage
  person: Person
  channelId: string
}

/** A unit on three links at a hub's channel, collecting with the buffer. */
async function goLive(stack: AsyncDisposableStack, bufferMs: number): Promise<Air> {
  const stage = await openStage()
  stack.defer(stage.stop)
  const hub = { BACKHAUL_HUB_CHANNELS: '1', BACKHAUL_HUB_INPUTS: '', BACKHAUL_HUB_LOOPS: '0' }
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
}

async function watchByWebrtc(page: Page, { person, channelId }: Air, conditions: Conditions): Promise<void> {
  const token = new RegExp(`${CSRF_COOKIE}=([^;]+)`).exec(person.cookie)?.[1] ?? ''
  const headers = { [CSRF_HEADER]: decodeURIComponent(token) }
  await page.evaluate(
    ([path, given, options]) => (globalThis as unknown as PreviewPage).watchByWebrtc(path, given, options),
    [whepPath(channelId), headers, conditions] as const,
  )
}

interface Ages {
  row: Row
  p50: number
}

async function agesOf(who: string, page: Page, seconds: number): Promise<Ages> {
  const take = () => page.evaluate(() => (globalThis as unknown as PreviewPage).takeAges())
  await wait(secondsToSettle * 1000)
  const before = await take()
  await wait(seconds * 1000)
  const { ages, unread } = await take()
  const ms = ages.map(([, ageMs]) => ageMs)
  const points = ages.map(([atMs, value]) => ({ atMs, value }))
  return {
    p50: median(ms),
    row: {
      who,
      'p50 ms': Math.round(median(ms)),
      'p95 ms': Math.round(quantile(ms, 0.95)),
      'least ms': quantile(ms, 0),
      'most ms': quantile(ms, 1),
      // Over a short time it would show how the player settles.
      ...(seconds >= 60 && { 'drift ms a minute': rounded(slopePerMinute(points)) }),
      'pictures a second': rounded(ages.length / seconds),
      'not readable': unread - before.unread,
      seconds,
    },
  }
}

/** Percent of one core that the process and its children take. */
async function percentOf(pid: number): Promise<number> {
  const [before, startedAt] = [familyCpuMs(pid), performance.now()]
  await wait(secondsOfCost * 1000)
  return ((familyCpuMs(pid) - before) * 100) / (performance.now() - startedAt)
}

/** Ten seconds of what the hub received, for the relay. */
async function recordStream({ stage, person, channelId }: Air, file: string): Promise<void> {
  const url = stage.url.replace(/^http/, 'ws') + streamPath(channelId)
  const socket = new WebSocket(url, { headers: { cookie: person.cookie } })
  const out = createWriteStream(file)
  socket.on('message', (bytes) => out.write(bytes as Buffer))
  await wait(10_000)
  socket.terminate()
  await new Promise((resolve) => out.end(resolve))
}

/** ffmpeg that takes the same stream by SRT and passes it on by UDP without touching it. */
async function relayPercent(stack: AsyncDisposableStack, file: string): Promise<number> {
  const [srt, udp] = [await freePort(), await freePort()]
  const quiet = ['-nostdin', '-v', 'error']
  const from = `srt://127.0.0.1:${srt}`
  const relay = startProcess(stack, 'ffmpeg', [
    ...quiet,
    '-i',
    `${from}?mode=listener`,
    '-c',
    'copy',
    '-f',
    'mpegts',
    `udp://127.0.0.1:${udp}?pkt_size=1316`,
  ])
  await wait(1000)
  startProcess(stack, 'ffmpeg', [
    ...quiet,
    '-re',
    '-stream_loop',
    '-1',
    '-i',
    file,
    '-c',
    'copy',
    '-f',
    'mpegts',
    `${from}?pkt_size=1316`,
  ])
  await wait(3000)
  return await percentOf(relay.pid)
}

const asCost = (who: string, percent: number, of: string): Row => ({
  who,
  '% of one core': rounded(percent),
  of,
})

export const benchPreview: Bench = async (stack): Promise<BenchResult> => {
  const ages: Ages[] = []
  const costs: Row[] = []
  let channelPercent = 0
  let relay = 0
  for (const bufferMs of buffersMs) {
    const parts = stack.use(new AsyncDisposableStack())
    const air = await goLive(parts, bufferMs)
    const hub = air.stage.pidOf('hub')
    const isUsual = bufferMs === buffersMs.at(-1)
    if (isUsual) channelPercent = await percentOf(hub)
    const page = await openPage(parts, air)
    await watchByWebrtc(page, air, { isShown: true, hasSound: true })
    ages.push(await agesOf(`WebRTC, buffer ${bufferMs} ms`, page, secondsWatched))
    if (isUsual) {
      const one = await percentOf(hub)
      for (let viewer = 0; viewer < moreViewers; viewer++)
        await watchByWebrtc(page, air, { isShown: false, hasSound: true })
      await wait(2000)
      const more = await percentOf(hub)
      costs.push(
        asCost('Backhaul hub, one channel', channelPercent, 'receiving, decrypting, stills, levels, health'),
        asCost('… first viewer', one - channelPercent, 'WebRTC, with its child for RTP and Opus'),
        asCost('… each further viewer', (more - one) / moreViewers, 'WebRTC'),
      )
    }
    await reload(page)
    await watchByWebrtc(page, air, { isShown: true, hasSound: false })
    ages.push(await agesOf(`WebRTC without sound, buffer ${bufferMs} ms`, page, secondsOfOthers))
    await reload(page)
    await page.evaluate(
      (path) => (globalThis as unknown as PreviewPage).watchByStream(path),
      streamPath(air.channelId),
    )
    ages.push(await agesOf(`MPEG-TS over WebSocket, buffer ${bufferMs} ms`, page, secondsOfOthers))
    const folder = mkdtempSync(join(tmpdir(), 'backhaul-preview-'))
    parts.defer(() => rmSync(folder, { recursive: true, force: true }))
    if (isUsual) {
      const file = join(folder, 'stream.ts')
      await recordStream(air, file)
      await air.stage.stop()
      relay = await relayPercent(parts, file)
      costs.push(asCost('ffmpeg -c copy, one channel', relay, 'SRT in, UDP out, nothing else'))
    }
    await parts.disposeAsync()
  }
  return resultOf(ages, costs, channelPercent / relay)
}

function resultOf(ages: readonly Ages[], costs: readonly Row[], cost: number): BenchResult {
  const [webrtc, , stream] = ages.slice(-3)
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
      { caption: 'Cost of the hub with its children', rows: costs },
    ],
    ratios: [
      {
        what: 'age by WebRTC relative to MPEG-TS over WebSocket (mpegts.js), same buffer',
        ratio: (webrtc?.p50 ?? Number.NaN) / (stream?.p50 ?? Number.NaN),
        lowerIsBetter: true,
      },
      { what: 'CPU of a channel in the hub relative to ffmpeg -c copy', ratio: cost, lowerIsBetter: true },
    ],
    remarks: [
      'The buffer is the delay that the operator chooses; what is above it is ours. 400 ms is the shortest that the units offer.',
      'With sound the browser holds pictures back until their sound is played. It buffers sound by the jitter it sees: the busier the cores, the later and the more uneven the sound of the hub is, and the picture waits with it. Without sound the picture keeps its age.',
      'ffmpeg copies one stream from SRT to UDP in C; the hub also repairs and decrypts three links, checks continuity, decodes key frames for stills and measures sound and picture health.',
      'Loopback has neither loss nor jitter: on a mobile network the buffer is used up, here it is only waited for.',
    ],
  }
}
