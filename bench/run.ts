/** The benchmarks, one after the other: `npm run bench [name…]`; results go to bench/results and docs/benchmarks.md. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildChanged } from '../scripts/parts.ts'
import { benchAlerts } from './alerts.ts'
import { type Bench, goalsOf } from './bench-result.ts'
import { benchBonding } from './bonding.ts'
import { benchFirstLoad } from './first-load.ts'
import { benchHub, benchHubFull } from './hub.ts'
import { benchIntake } from './intake.ts'
import { benchLists } from './lists.ts'
import { describeMachine } from './machine.ts'
import { benchMap } from './map.ts'
import { benchPeople } from './people.ts'
import { benchPreview } from './preview.ts'
import { benchPush } from './push.ts'
import { changesFor, type Kept, outcomeOf, report, standingsOf } from './report.ts'
import { benchRestart } from './restart.ts'
import { benchSpeech } from './speech.ts'
import { benchStart } from './start.ts'
import { benchUnitList } from './unit-list.ts'

const benches: Readonly<Record<string, Bench>> = {
  intake: benchIntake,
  'intake-alerts': benchAlerts,
  push: benchPush,
  preview: benchPreview,
  hub: benchHub,
  bonding: benchBonding,
  'unit-list': benchUnitList,
  map: benchMap,
  restart: benchRestart,
  lists: benchLists,
  people: benchPeople,
  'first-load': benchFirstLoad,
  speech: benchSpeech,
  start: benchStart,
  'hub-full': benchHubFull,
}
/** Measured by its name alone, since it takes half an hour. */
const longBenches = ['hub-full']
const results = join(import.meta.dirname, 'results')
const page = join(import.meta.dirname, '..', 'docs', 'benchmarks.md')

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !benches[name])
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`)
  process.exit(2)
}

let open: AsyncDisposableStack | undefined
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    isStopping = true
    console.error('Stopping …')
    await open?.disposeAsync().catch(() => {})
    process.exit(130)
  })
}

// The measured programs are those that operators run.
await buildChanged()
process.env.TEST_BUILT_PROGRAMS = '1'
mkdirSync(results, { recursive: true })
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 ? !wanted.includes(name) : longBenches.includes(name)) continue
  console.error(`${name} …`)
  if (!(await runOne(name, bench))) process.exitCode = 1
}
const kept = Object.keys(benches)
  .map((name) => join(results, `${name}.json`))
  .filter((file) => existsSync(file))
  .map(readKept)
const standings = standingsOf(kept)
writeFileSync(page, report(kept))
console.table(
  standings.map((one) => ({
    id: one.id,
    figure: Number(one.figure.toPrecision(3)),
    before: one.before && Number(one.before.toPrecision(3)),
    goal: `${one.lowerIsBetter ? '≤' : '≥'} ${one.goal}`,
    floor: one.floor && Number(one.floor.value.toPrecision(3)),
    unit: one.unit,
    outcome: outcomeOf(one),
  })),
)
console.log(changesFor(standings))

function readKept(file: string): Kept {
  return JSON.parse(readFileSync(file, 'utf8')) as Kept
}

/** The figures of the last result that have a goal. */
function figuresBefore(file: string): Readonly<Record<string, number>> {
  if (!existsSync(file)) return {}
  return Object.fromEntries(goalsOf(readKept(file).result).map(({ id, figure }) => [id, figure]))
}

/** One that fails leaves the others, and its own last result, alone. */
async function runOne(name: string, bench: Bench): Promise<boolean> {
  const machine = describeMachine()
  const startedAt = performance.now()
  open = new AsyncDisposableStack()
  try {
    const result = await bench(open)
    const tookSeconds = Math.round((performance.now() - startedAt) / 1000)
    const file = join(results, `${name}.json`)
    const [date, before] = [new Date().toISOString().slice(0, 10), figuresBefore(file)]
    const entry: Kept = { date, tookSeconds, machine, before, result }
    writeFileSync(file, `${JSON.stringify(entry, null, 2)}\n`)
    for (const { caption, rows } of result.tables) {
      console.error(caption)
      console.table(rows)
    }
    return true
  } catch (error) {
    // Failures during the clean-up are expected; the process ends when all is cleaned up.
    if (isStopping) return await new Promise<never>(() => {})
    console.error(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`)
    return false
  } finally {
    await open.disposeAsync()
  }
}
