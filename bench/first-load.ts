/** (h) First load: how long the first visit of the console takes, nearby and over a slow mobile network. */
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { CDPSession, Page } from 'playwright-core'
import { openChromium } from '../tests/stage/browser.ts'
import { type LoadedFile, watchLoad } from '../tests/stage/first-load.ts'
import { signIn } from '../tests/stage/person.ts'
import { openStage } from '../tests/stage/stage.ts'
import { pause } from '../tests/stage/until.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, rounded } from './figures.ts'
import { takeCookies } from './pages/bundle.ts'
import { openPageServer } from './pages/page-server.ts'

const runs = 7
/** Slow 4G as defined by Lighthouse, with a quarter of the processor. */
const slow = { latency: 562.5, downloadThroughput: (1.44 * 2 ** 20) / 8, uploadThroughput: (675 * 1024) / 8 }
const slowdown = 4
const goals = { requests: 25, scriptKb: 180, lcpMs: 4000 }

interface Load {
  requests: number
  wireKb: number
  scriptKb: number
  styleKb: number
  lcpMs: number
}

function sumKb(files: readonly LoadedFile[], kind?: string): number {
  const counted = files.filter((file) => kind === undefined || file.kind === kind)
  return counted.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
}

/**
 * Until an element is in the page. The browser looks for it itself: the scripts that Playwright would put into the page for
 * that take a quarter of a processor 150 ms, and would count as the page's own.
 */
async function untilShown(session: CDPSession, selector: string): Promise<void> {
  const expression = `document.querySelector(${JSON.stringify(selector)}) !== null`
  for (const endMs = Date.now() + 120_000; Date.now() < endMs; await pause(50)) {
    const { result } = await session.send('Runtime.evaluate', { expression })
    if (result.value === true) return
  }
  throw new Error(`${selector} was not shown`)
}

/** When the largest picture or text of the page was painted, in ms since its request. */
function largestPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const { PerformanceObserver, requestAnimationFrame } = globalThis as unknown as {
          requestAnimationFrame: (run: () => void) => void
          PerformanceObserver: new (
            run: (list: { getEntries(): { startTime: number }[] }) => void,
          ) => { observe(options: object): void }
        }
        const observe = () =>
          new PerformanceObserver((list) =>
            resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN),
          ).observe({ type: 'largest-contentful-paint', buffered: true })
        // The elements of now are painted by then.
        requestAnimationFrame(() => requestAnimationFrame(observe))
      }),
  )
}

interface Visit {
  url: string
  path: string
  /** Visible once the page is loaded. */
  shows: string
  cookie?: string
  isSlow: boolean
}

async function visit(
  stack: AsyncDisposableStack,
  { url, path, shows, cookie, isSlow }: Visit,
): Promise<Load> {
  const parts = stack.use(new AsyncDisposableStack())
  const browser = await openChromium()
  parts.defer(browser.close)
  const { page, context } = browser
  if (cookie !== undefined) await takeCookies(context, url, cookie)
  const load = await watchLoad(page)
  const session = await context.newCDPSession(page)
  if (isSlow) {
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', { offline: false, ...slow })
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  }
  await page.goto(url + path, { timeout: 120_000 })
  await untilShown(session, shows)
  const files = load.files()
  const lcpMs = await largestPaint(page)
  await parts.disposeAsync()
  return {
    requests: files.length,
    wireKb: sumKb(files),
    scriptKb: sumKb(files, 'Script'),
    styleKb: sumKb(files, 'Stylesheet'),
    lcpMs,
  }
}

function rowOf(who: string, all: readonly Load[]): Row {
  const of = (name: keyof Load, digits = 0) => rounded(median(all.map((load) => load[name])), digits)
  return {
    who,
    requests: of('requests'),
    'kB over the wire': of('wireKb'),
    'kB of scripts': of('scriptKb'),
    'kB of styles': of('styleKb', 1),
    'LCP ms': of('lcpMs'),
  }
}

const [signInPage, unitList, libraries] = ['sign-in page', 'unit list', 'its libraries alone'] as const
const slowly = (name: string) => `${name}, Slow 4G and 4× CPU`

const why =
  'a page of one script with React, the router, the query cache, the table and virtual rows, which shows the same rows of the same core and requests them before its script is there.'

/** Requests and bytes are those of the slow visit: it has loaded nothing yet that the page does not wait for. */
function goalsOfPage(name: string, loads: ReadonlyMap<string, readonly Load[]>): BenchResult['ratios'] {
  const slowVisits = loads.get(slowly(name)) ?? []
  const least = name === unitList ? (loads.get(slowly(libraries)) ?? []) : undefined
  const figures = [
    {
      part: 'requests',
      id: 'requests',
      what: `requests of the ${name}`,
      unit: 'requests',
      goal: goals.requests,
    },
    { part: 'scriptKb', id: 'scripts', what: `scripts of the ${name}`, unit: 'kB', goal: goals.scriptKb },
    {
      part: 'lcpMs',
      id: 'lcp',
      what: `LCP of the ${name} at Slow 4G and 4× CPU`,
      unit: 'ms',
      goal: goals.lcpMs,
    },
  ] as const
  return figures.map((figure) => ({
    id: `first-load-${name.replaceAll(' ', '-')}-${figure.id}`,
    what: figure.what,
    ratio: median(slowVisits.map((load) => load[figure.part])),
    unit: figure.unit,
    goal: figure.goal,
    lowerIsBetter: true,
    ...(least && { floor: { value: median(least.map((load) => load[figure.part])), why } }),
  }))
}

export const benchFirstLoad: Bench = async (stack): Promise<BenchResult> => {
  const stage = await openStage({ demo: 40 })
  stack.defer(stage.stop)
  await stage.start('simulator')
  const { call, cookie } = await signIn(stage.url, 'operator', DEMO_PASSWORD)
  const [group] = await call(api.client.lightGroups, {})
  await call(api.client.savePreferences, { body: { groupId: group?.uid ?? null } })
  const least = await openPageServer(stack, 'library-list', stage.url)
  const pages = {
    [signInPage]: { url: stage.url, path: '/login', shows: 'input[name="username"]' },
    [unitList]: { url: stage.url, path: '/unit/list', shows: '[data-row-id]', cookie },
    [libraries]: { url: least, path: '/', shows: '[data-row-id]', cookie },
  }
  const loads = new Map<string, Load[]>()
  for (const [name, page] of Object.entries(pages))
    for (const isSlow of [false, true]) {
      const all: Load[] = []
      for (let run = 0; run < runs; run++) all.push(await visit(stack, { ...page, isSlow }))
      loads.set(isSlow ? slowly(name) : name, all)
    }
  return {
    name: 'first-load',
    title: '(h) First load',
    setting:
      `The console in Chromium (1440×900) with an empty cache, ${runs} visits each, medians; bytes as they come over the ` +
      'wire, headers included. A visit ends when the fields or the first row are there. Slow 4G is 1.44 Mbit/s with 562 ms.',
    tables: [{ caption: 'First visit', rows: [...loads].map(([name, all]) => rowOf(name, all)) }],
    ratios: [signInPage, unitList].flatMap((name) => goalsOfPage(name, loads)),
    remarks: [
      'There is no peer in this run: the goals are our own, and what the libraries alone take is shown next to them. A visit of the unit list begins with a sign-in that is kept, of a user who has worked in the group before.',
      'Scripts are sent compressed with Brotli.',
      'Core and browser share the cores with everything else on the machine; requests and bytes are not affected.',
    ],
  }
}
