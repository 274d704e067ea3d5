/** (e) Unit list: what 5,000 rows with 5,000 changes a second cost the browser, in the console and in a plain page. */
import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { openChromium } from '../tests/stage/browser.ts'
import { signIn } from '../tests/stage/person.ts'
import { adminPassword, openStage, type Stage } from '../tests/stage/stage.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, quantile, rounded } from './figures.ts'
import { frameMs, metricsOf, watchFrames } from './frames.ts'
import { startLoad } from './load/load-program.ts'
import { servePage, takeCookies } from './pages/bundle.ts'

const units = 5000
const secondsOfARun = 8
const runs = 3
/** A run in which a starved machine brought fewer changes than this share is not valid for the page, and is repeated. */
const leastShare = 0.85
const runsAtMost = 6

interface Run {
  /** Changes that core brought to the page, each second. */
  changesPerSecond: number
  scriptMs: number
  taskMs: number
  framesPerSecond: number
  /** Share of the frames of a 60 Hz screen that did not come, in percent. */
  droppedPercent: number
  longestFrameMs: number
  heapMb: number
  /** Cells of the page that changed, each second. */
  cellsPerSecond: number
}

async function delivered(url: string): Promise<number> {
  const text = await (await fetch(url)).text()
  return Number(/^backhaul_core_push_changes_delivered_total (\d+)/m.exec(text)?.[1] ?? Number.NaN)
}

async function measure({ metricsUrl }: Stage, page: Page, session: CDPSession): Promise<Run> {
  const deliveredBefore = await delivered(metricsUrl)
  const before = await metricsOf(session)
  const startedAt = performance.now()
  const { gaps, changes } = await watchFrames(page, secondsOfARun)
  const after = await metricsOf(session)
  const seconds = (performance.now() - startedAt) / 1000
  const perSecond = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) / seconds
  const total = gaps.reduce((sum, gap) => sum + gap, 0)
  const expected = total / frameMs
  const changed = (await delivered(metricsUrl)) - deliveredBefore
  return {
    changesPerSecond: changed / seconds,
    scriptMs: perSecond('ScriptDuration') * 1000,
    taskMs: perSecond('TaskDuration') * 1000,
    framesPerSecond: (gaps.length * 1000) / total,
    droppedPercent: (100 * Math.max(0, expected - gaps.length)) / expected,
    longestFrameMs: quantile(gaps, 1),
    heapMb: (after.JSHeapUsedSize ?? 0) / 2 ** 20,
    cellsPerSecond: changes / seconds,
  }
}

function rowOf(who: string, all: readonly Run[]): Row {
  const of = (name: keyof Run, digits = 0) => rounded(median(all.map((run) => run[name])), digits)
  return {
    who,
    'changes brought a second': of('changesPerSecond'),
    'script ms a second': of('scriptMs'),
    'all main-thread ms a second': of('taskMs'),
    'frames a second': of('framesPerSecond', 1),
    'dropped frames %': of('droppedPercent', 1),
    'longest frame ms': of('longestFrameMs'),
    'cells changed a second': of('cellsPerSecond'),
    'heap MB': of('heapMb'),
  }
}

const isWhole = ({ changesPerSecond }: Run): boolean => changesPerSecond >= leastShare * units

export const benchUnitList: Bench = async (stack): Promise<BenchResult> => {
  const stage = await openStage()
  stack.defer(stage.stop)
  const herd = startLoad(stack, 'load/gateway-herd', [
    `${stage.url.replace(/^http/, 'ws')}/gateway`,
    stage.localKey,
  ])
  await herd.request({ grow: units })
  await herd.request({ sendSeconds: 2 })
  const person = await signIn(stage.url, 'admin', adminPassword)

  async function runPage(open: (page: Page) => Promise<void>): Promise<Run[]> {
    const parts = stack.use(new AsyncDisposableStack())
    const browser = await openChromium()
    parts.defer(browser.close)
    await takeCookies(browser.context, stage.url, person.cookie)
    await open(browser.page)
    await browser.page.waitForSelector('[data-column="rtt"]')
    const session = await browser.context.newCDPSession(browser.page)
    await session.send('Performance.enable')
    const all: Run[] = []
    for (let run = 0; run < runsAtMost && all.filter(isWhole).length < runs; run++) {
      const settleSeconds = 6
      const sending = herd.request({ sendSeconds: settleSeconds + secondsOfARun + 2 })
      await wait(settleSeconds * 1000)
      all.push(await measure(stage, browser.page, session))
      await sending
    }
    await parts.disposeAsync()
    const whole = all.filter(isWhole)
    return whole.length > 0 ? whole : all
  }

  const openConsole = async (page: Page) => void (await page.goto(`${stage.url}/unit/list`))
  const openPlain = async (page: Page) => {
    await page.goto(await servePage(page.context(), stage.url, 'plain-list'))
  }
  const ours = await runPage(openConsole)
  const plain = await runPage(openPlain)
  const perChange = (all: readonly Run[], part: 'scriptMs' | 'taskMs') =>
    median(all.map((run) => run[part] / run.changesPerSecond))
  const ratioOf = (part: 'scriptMs' | 'taskMs') => perChange(ours, part) / perChange(plain, part)
  return {
    name: 'unit-list',
    title: '(e) Unit list',
    setting:
      `${units} units in the list of Chromium (1440×900, no graphics processor), each with one status a second through the ` +
      `gateway and the push of core; ${runs} runs of ${secondsOfARun} s, medians; a run in which core and browser were starved by others is repeated. The plain page keeps all units in React ` +
      'state under TanStack Table with virtual rows, applies what came once a frame, and reads the same push from the same core.',
    tables: [
      {
        caption: `${units} rows, ${units} changes a second`,
        rows: [rowOf('Backhaul console', ours), rowOf('plain page', plain)],
      },
    ],
    ratios: [
      { what: 'script time a change', ratio: ratioOf('scriptMs'), lowerIsBetter: true },
      { what: 'all main-thread time a change', ratio: ratioOf('taskMs'), lowerIsBetter: true },
    ],
    remarks: [
      'Sender, core and browser share the cores, so frames are dropped for want of a processor too; the plain page meets the same.',
      'Core collects changes for 100 ms, which spares the plain page most of its work: it renders 10 times a second, not 60.',
      'The console also keeps counters, filters, the order of all rows, ages and the side panel; the plain page shows text.',
    ],
  }
}
