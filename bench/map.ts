/** (k) Map: what 10,000 moving units cost the browser, without a graphics processor. */
import { setTimeout as wait } from 'node:timers/promises'
import { openChromium } from '../tests/stage/browser.ts'
import { signIn } from '../tests/stage/person.ts'
import { adminPassword, openStage } from '../tests/stage/stage.ts'
import { until } from '../tests/stage/until.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, quantile, rounded } from './figures.ts'
import { metricsOf, watchFrames } from './frames.ts'
import { startLoad } from './load/load-program.ts'
import { takeCookies } from './pages/bundle.ts'

const units = 10_000
const secondsOfARun = 8
const runs = 3
const framesWanted = 30
const scriptMsWanted = 10

interface Run {
  framesPerSecond: number
  scriptMsPerFrame: number
  taskMs: number
  longestFrameMs: number
}

const rowOf = (who: string, all: readonly Run[]): Row => ({
  who,
  'frames a second': rounded(median(all.map((run) => run.framesPerSecond)), 1),
  'script ms a frame': rounded(median(all.map((run) => run.scriptMsPerFrame)), 1),
  'all main-thread ms a second': rounded(median(all.map((run) => run.taskMs)), 0),
  'longest frame ms': rounded(median(all.map((run) => run.longestFrameMs)), 0),
})

export const benchMap: Bench = async (stack): Promise<BenchResult> => {
  const stage = await openStage()
  stack.defer(stage.stop)
  const fleet = startLoad(stack, 'load/gateway-fleet', [
    `${stage.url.replace(/^http/, 'ws')}/gateway`,
    stage.localKey,
  ])
  await fleet.request({ grow: units })
  await fleet.request({ sendSeconds: 2, driving: true })
  const person = await signIn(stage.url, 'admin', adminPassword)
  const browser = await openChromium()
  stack.defer(browser.close)
  const { page, context } = browser
  await takeCookies(context, stage.url, person.cookie)
  await page.goto(`${stage.url}/unit/map`)
  const map = page.locator('[data-part="map"]')
  await until(
    'all units on the map',
    async () => (await map.getAttribute('data-units')) === String(units),
    120_000,
  )
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')

  async function measure(): Promise<Run[]> {
    const all: Run[] = []
    for (let run = 0; run < runs; run++) {
      const sending = fleet.request({ sendSeconds: secondsOfARun + 4, driving: true })
      await wait(2000)
      const before = await metricsOf(session)
      const startedAt = performance.now()
      const { gaps } = await watchFrames(page, secondsOfARun)
      const after = await metricsOf(session)
      const seconds = (performance.now() - startedAt) / 1000
      const spent = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) * 1000
      all.push({
        framesPerSecond: (gaps.length * 1000) / gaps.reduce((sum, gap) => sum + gap, 0),
        scriptMsPerFrame: spent('ScriptDuration') / gaps.length,
        taskMs: spent('TaskDuration') / seconds,
        longestFrameMs: quantile(gaps, 1),
      })
      await sending
    }
    return all
  }

  const world = await measure()
  await map.focus()
  for (const key of ['+', '+', '+']) await page.keyboard.press(key)
  const near = await measure()
  const all = [...world, ...near]
  return {
    name: 'map',
    title: '(k) Map',
    setting:
      `${units} units on the map of Chromium (1440×900, no graphics processor), each driving at 100 km/h with one status a ` +
      `second through the gateway and the push of core, the list next to it; ${runs} runs of ${secondsOfARun} s, medians.`,
    tables: [
      {
        caption: `${units} units, ${units} positions a second`,
        rows: [rowOf('the world, in clusters', world), rowOf('zoom 6', near)],
      },
    ],
    ratios: [
      {
        id: 'map-frames',
        what: `frames a second, of ${framesWanted}`,
        ratio: median(all.map((run) => run.framesPerSecond)) / framesWanted,
        lowerIsBetter: false,
        goal: 1,
      },
      {
        id: 'map-script',
        what: `script a frame, of ${scriptMsWanted} ms`,
        ratio: median(all.map((run) => run.scriptMsPerFrame)) / scriptMsWanted,
        lowerIsBetter: true,
        goal: 1,
      },
    ],
    remarks: [
      'There is no peer: the ratios are to what a page needs to feel alive.',
      'Script counts everything that the console does meanwhile: push, the list, counters, ages, and the map.',
      'Sender, core and browser share the cores, so frames are dropped for want of a processor too.',
    ],
  }
}
