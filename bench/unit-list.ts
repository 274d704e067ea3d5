/** (e) Unit list: what 5,000 rows with 5,000 changes a second cost the browser, in the console, in AG Grid, in a plain page and in the least page. */
import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { openChromium } from '../tests/stage/browser.ts'
import { signIn } from '../tests/stage/person.ts'
import { adminPassword, openStage, type Stage } from '../tests/stage/stage.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, quantile, rounded } from './figures.ts'
import { frameMs, metricsOf, watchFrames } from './frames.ts'
import { type LoadProgram, startLoad } from './load/load-program.ts'
import { servePage, takeCookies } from './pages/bundle.ts'

const units = 5000
const secondsOfARun = 8
const runs = 3
/** A run in which a starved machine brought fewer changes than this share is not valid for the page, and is repeated. */
const leastShare = 0.85
const runsAtMost = 6
const goals = { mainThread: 0.5, longTasks: 0, frames: 60 } as const

interface Run {
  /** Changes that core brought to the page, each second. */
  changesPerSecond: number
  scriptMs: number
  taskMs: number
  framesPerSecond: number
  /** Share of the frames of a 60 Hz screen that did not come, in percent. */
  droppedPercent: number
  longestFrameMs: number
  /** Tasks of the main thread that took more than 50 ms. */
  longTasks: number
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
  const { gaps, changes, longTasks } = await watchFrames(page, secondsOfARun)
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
    longTasks,
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
    'tasks over 50 ms': of('longTasks'),
    'cells changed a second': of('cellsPerSecond'),
    'heap MB': of('heapMb'),
  }
}

const isWhole = ({ changesPerSecond }: Run): boolean => changesPerSecond >= leastShare * units

interface Rig {
  stage: Stage
  fleet: LoadProgram
  cookie: string
}

/** The page that `open` opens, while every unit reports; `cell` finds the round-trip times in it. */
async function runPage(
  stack: AsyncDisposableStack,
  { stage, fleet, cookie }: Rig,
  cell: string,
  open: (page: Page) => Promise<unknown>,
): Promise<Run[]> {
  const parts = stack.use(new AsyncDisposableStack())
  const browser = await openChromium()
  parts.defer(browser.close)
  await takeCookies(browser.context, stage.url, cookie)
  await open(browser.page)
  await browser.page.waitForSelector(cell)
  const session = await browser.context.newCDPSession(browser.page)
  await session.send('Performance.enable')
  const all: Run[] = []
  for (let run = 0; run < runsAtMost && all.filter(isWhole).length < runs; run++) {
    const settleSeconds = 6
    const sending = fleet.request({ sendSeconds: settleSeconds + secondsOfARun + 2 })
    await wait(settleSeconds * 1000)
    all.push(await measure(stage, browser.page, session))
    await sending
  }
  await parts.disposeAsync()
  const whole = all.filter(isWhole)
  return whole.length > 0 ? whole : all
}

export const benchUnitList: Bench = async (stack): Promise<BenchResult> => {
  const stage = await openStage()
  stack.defer(stage.stop)
  const url = `${stage.url.replace(/^http/, 'ws')}/gateway`
  const fleet = startLoad(stack, 'load/gateway-fleet', [url, stage.localKey])
  await fleet.request({ grow: units })
  await fleet.request({ sendSeconds: 2 })
  const { cookie } = await signIn(stage.url, 'admin', adminPassword)
  const rig = { stage, fleet, cookie }
  const plainPage = (name: string) => async (page: Page) =>
    await page.goto(await servePage(page.context(), stage.url, name))
  const ourCell = '[data-column="rtt"]'
  const ours = await runPage(stack, rig, ourCell, (page) => page.goto(`${stage.url}/unit/list`))
  const agGrid = await runPage(stack, rig, '[col-id="rtt"]', plainPage('ag-grid'))
  const plain = await runPage(stack, rig, ourCell, plainPage('plain-list'))
  const least = await runPage(stack, rig, ourCell, plainPage('least-list'))
  return resultOf({ ours, agGrid, plain, least })
}

const perChange = (all: readonly Run[], part: 'scriptMs' | 'taskMs') =>
  median(all.map((run) => run[part] / run.changesPerSecond))

const floorOf =
  'a page without a framework that parses the same push, puts each change into its unit and once a frame writes those texts in sight that have changed, with the rows and columns of the plain page.'

type Runs = Readonly<Record<'ours' | 'agGrid' | 'plain' | 'least', readonly Run[]>>

function resultOf({ ours, agGrid, plain, least }: Runs): BenchResult {
  const ratioTo = (peer: readonly Run[], part: 'scriptMs' | 'taskMs') =>
    perChange(ours, part) / perChange(peer, part)
  const lowerIsBetter = true
  return {
    name: 'unit-list',
    title: '(e) Unit list',
    setting:
      `${units} units in the list of Chromium (1440×900, no graphics processor), each with one status a second through the ` +
      `gateway and the push of core; ${runs} runs of ${secondsOfARun} s, medians; a run in which core and browser were starved by others is repeated. ` +
      'AG Grid Community has the same rows and columns and gets what came once a frame by applyTransactionAsync; the plain page keeps all units in React ' +
      'state under TanStack Table with virtual rows and applies what came once a frame; the least page has no framework and writes only texts in sight. All read the same push from the same core.',
    tables: [
      {
        caption: `${units} rows, ${units} changes a second`,
        rows: [
          rowOf('Backhaul console', ours),
          rowOf('AG Grid Community', agGrid),
          rowOf('plain page', plain),
          rowOf('least page', least),
        ],
      },
    ],
    ratios: [
      {
        id: 'unit-list-main-thread',
        what: 'all main-thread time a change, relative to AG Grid',
        ratio: ratioTo(agGrid, 'taskMs'),
        goal: goals.mainThread,
        floor: { value: perChange(least, 'taskMs') / perChange(agGrid, 'taskMs'), why: floorOf },
        lowerIsBetter,
      },
      {
        id: 'unit-list-long-tasks',
        what: 'tasks over 50 ms in all runs',
        ratio: ours.reduce((sum, { longTasks }) => sum + longTasks, 0),
        unit: 'tasks',
        goal: goals.longTasks,
        lowerIsBetter,
      },
      {
        id: 'unit-list-frames',
        what: 'frames a second of a screen of 60 Hz',
        ratio: Math.round(median(ours.map(({ framesPerSecond }) => framesPerSecond))),
        unit: 'frames',
        goal: goals.frames,
        lowerIsBetter: false,
      },
      {
        what: 'script time a change, relative to AG Grid',
        ratio: ratioTo(agGrid, 'scriptMs'),
        lowerIsBetter,
      },
      {
        what: 'script time a change, relative to the plain page',
        ratio: ratioTo(plain, 'scriptMs'),
        lowerIsBetter,
      },
      {
        what: 'all main-thread time a change, relative to the plain page',
        ratio: ratioTo(plain, 'taskMs'),
        lowerIsBetter,
      },
    ],
    remarks: [
      'Sender, core and browser share the cores, so frames are dropped for want of a processor too; the peers meet the same.',
      'Core collects changes for 25 ms where one browser follows; AG Grid by itself collects transactions for 50 ms more.',
      'The console also keeps counters, filters, the order of all rows, ages and the side panel; the peers show text.',
      'Each frame is watched in all of them, so the least page too has 60 frames a second to pass through.',
    ],
  }
}
