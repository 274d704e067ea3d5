/** (k) Start: what a core costs until it is ready, and how long `npm start` takes where everything is prepared. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { repository } from '../scripts/places.ts'
import { openStage } from '../tests/stage/stage.ts'
import type { Bench, BenchResult } from './bench-result.ts'
import { median, rounded } from './figures.ts'
import { freePort } from './load/load-program.ts'
import { cpuMs } from './load/process-cost.ts'

const runs = 5
const goals = { cpuMs: 800, startSeconds: 3 } as const

/** The processor time of a core that starts again on its data. */
async function costOfCore(stack: AsyncDisposableStack): Promise<number[]> {
  const stage = await openStage({ demo: 20 })
  stack.defer(stage.stop)
  const all: number[] = []
  for (let run = 0; run < runs; run++) {
    await stage.end('core')
    await stage.start('core')
    all.push(cpuMs(stage.pidOf('core')))
  }
  return all
}

/** Seconds from `npm start` to its first answer. */
async function secondsOfStart(stack: AsyncDisposableStack): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-start-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const all: number[] = []
  for (let run = 0; run <= runs; run++) {
    const port = await freePort()
    const env = {
      ...process.env,
      BACKHAUL_DATA: folder,
      BACKHAUL_PORT: String(port),
      BACKHAUL_METRICS_PORT: '0',
    }
    const startedAt = performance.now()
    const child = spawn('npm', ['start', '--silent'], {
      cwd: repository,
      env,
      stdio: 'ignore',
      detached: true,
    })
    const gone = new Promise((resolve) => child.once('exit', resolve))
    const end = async () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM')
      await gone
    }
    stack.defer(end)
    while (!(await isThere(`http://127.0.0.1:${port}/healthz`))) await wait(20)
    // The first one makes the data of the demo.
    if (run > 0) all.push((performance.now() - startedAt) / 1000)
    await end()
  }
  return all
}

const isThere = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

export const benchStart: Bench = async (stack): Promise<BenchResult> => {
  const cpu = await costOfCore(stack)
  const seconds = await secondsOfStart(stack)
  return {
    name: 'start',
    title: '(k) Start',
    setting: `Core on its data of 20 units, and \`npm start\` with the console built and the data of the demo made; ${runs} runs, medians.`,
    tables: [
      {
        caption: 'Start',
        rows: [
          { who: 'core until it is ready', 'CPU ms': Math.round(median(cpu)) },
          { who: 'npm start until it answers', seconds: rounded(median(seconds), 2) },
        ],
      },
    ],
    ratios: [
      {
        id: 'start-cpu',
        what: 'processor time of core until it is ready',
        ratio: median(cpu),
        unit: 'ms',
        goal: goals.cpuMs,
        lowerIsBetter: true,
      },
      {
        id: 'start-seconds',
        what: '`npm start` until it answers',
        ratio: median(seconds),
        unit: 's',
        goal: goals.startSeconds,
        lowerIsBetter: true,
      },
    ],
    remarks: ['Core ran as built into one file; what Node compiled is kept from start to start.'],
  }
}
