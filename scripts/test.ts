// Runs every test, with a private PostgreSQL in addition to SQLite; arguments go to Vitest. The last line is the totals.
// `--times` prints how long each file took, the slowest first; `--watch` runs the affected tests again after a change of a file;
// `--nightly` runs every test of the database on both engines, and more random requests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSlowMachine } from './machine.ts'
import { buildChanged } from './parts.ts'
import { quickFolder, repository } from './places.ts'
import { type PrivatePostgresql, startPrivatePostgresql } from './private-postgresql.ts'
import { compileCache } from './program.ts'
import { findChromium, findPostgresql } from './setup.mjs'
import {
  filesToRepeat,
  noTotals,
  sumOfTotals,
  type Totals,
  totalsLine,
  totalsWithRepetition,
} from './test-totals.ts'

const folder = mkdtempSync(join(tmpdir(), 'backhaul-test-'))
const databases = quickFolder()
const hasTimes = process.argv.includes('--times')
const isNightly = process.argv.includes('--nightly')
const forVitest = process.argv.slice(2).filter((argument) => !['--times', '--nightly'].includes(argument))
let postgresql: PrivatePostgresql | undefined
let exitCode = 1
let totals = noTotals
let buildFailures = 0
/** While sources change, programs are started from them. */
const isWatching = forVitest.includes('--watch')

const isSlow = isSlowMachine()

/** A run of Vitest. */
interface Part {
  name: string
  args: readonly string[]
  /** The lower priority of its processes. */
  niceness: number
  /** The same for each Chromium, which is a session of its own. */
  chromiumNiceness: number
  /** The name of the part whose end it waits for. */
  after?: string
}

/**
 * Those that judge pictures, sound and rates in real time go before all others: a starved encoder sends less, which is no
 * fault of the product. The other tests of running programs wait more than they work. A page that waits for its processor
 * runs into the limits of its test, so that browsers begin when these have ended. What fills both processors in the
 * meantime, and needs no answer in time, has the lowest priority.
 */
const withOwnRun = ['real-time', 'browser', 'programs']
const others = withOwnRun.map((name) => `--project=!${name}`)
const realTime: Part = { name: 'real-time', args: ['--project=real-time'], niceness: 0, chromiumNiceness: 10 }
const usual: readonly Part[] = [
  realTime,
  { name: 'programs', args: ['--project=programs'], niceness: 10, chromiumNiceness: 4 },
  { name: 'browser', args: ['--project=browser'], niceness: 10, chromiumNiceness: 4, after: 'programs' },
  { name: 'others', args: others, niceness: 15, chromiumNiceness: 10 },
]

/**
 * Where real time leaves no processor for others, programs and browsers begin after it, each in its turn, and only what needs
 * no answer in time runs at the same time.
 */
const slow: readonly Part[] = [
  realTime,
  { name: 'programs', args: ['--project=programs'], niceness: 0, chromiumNiceness: 4, after: 'real-time' },
  { name: 'browser', args: ['--project=browser'], niceness: 0, chromiumNiceness: 4, after: 'programs' },
  { name: 'others', args: others, niceness: 19, chromiumNiceness: 19 },
]
const chosen = { name: 'chosen', niceness: 0, chromiumNiceness: 0 }
const parts = forVitest.length > 0 ? [{ ...chosen, args: forVitest }] : isSlow ? slow : usual
let isStopping = false

try {
  await buildChanged(isWatching ? ['console'] : undefined).catch(countFailure)
  const binaries = findPostgresql()
  postgresql = binaries ? await startPrivatePostgresql(binaries, databases) : undefined
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: compileCache,
    TEST_FOLDER: folder,
    ...(!isWatching && { TEST_BUILT_PROGRAMS: '1' }),
    TEST_DATABASES: databases,
    ...(isSlow && { TEST_PATIENCE: '3' }),
    ...(hasTimes && { TEST_TIMES: '1' }),
    ...(isNightly && { TEST_NIGHTLY: '1' }),
    TEST_DATABASE_URL: postgresql?.url ?? '',
  }
  ;({ exitCode, totals } = await run(env, parts))
  const repeated = process.env.CI && forVitest.length === 0 ? filesToRepeat(totals) : []
  if (repeated.length > 0) {
    printFailures()
    console.log(`\nFailed in the run of all files, now run one by one: ${repeated.join(', ')}`)
    const oneByOne = [...repeated, '--no-file-parallelism']
    const again = await run(env, [{ ...chosen, args: oneByOne }])
    exitCode = again.exitCode
    totals = totalsWithRepetition(totals, again.totals)
    if (totals.failed === 0) console.log(`\nUnsteady, to be mended: ${repeated.join(', ')}`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
} finally {
  await postgresql?.stop()
}
const failed = totals.failed + buildFailures
printFailures()
rmSync(folder, { recursive: true, force: true })
console.log(`\n${totalsLine({ ...totals, failed })}`)
process.exit(failed > 0 ? 1 : exitCode)

/** Again at the end, since thousands of lines are between a failure and the totals. */
function printFailures(): void {
  if (totals.failures.length > 0) console.log(['', 'Failures:', ...totals.failures].join('\n'))
}

/** All parts at the same time, but for those that begin later. */
async function run(
  env: NodeJS.ProcessEnv,
  parts: readonly Part[],
): Promise<{ exitCode: number; totals: Totals }> {
  const ends = new Map<string, Promise<{ code: number; totals: Totals }>>()
  for (const part of parts) ends.set(part.name, end(part, part.after ? ends.get(part.after) : undefined))
  const ended = await Promise.all(ends.values())
  return {
    exitCode: Math.max(...ended.map(({ code }) => code)),
    totals: sumOfTotals(ended.map(({ totals }) => totals)),
  }

  async function end(part: Part, before: Promise<unknown> | undefined) {
    await before
    const totalsFile = join(folder, `totals-${part.name}.json`)
    rmSync(totalsFile, { force: true })
    const code = await runVitest({ ...env, TEST_TOTALS_FILE: totalsFile }, part)
    return { code, totals: readTotals(totalsFile) }
  }
}

/** Ends with Vitest's exit code; a signal, or the end of the parent process, ends Vitest first. */
async function runVitest(
  env: NodeJS.ProcessEnv,
  { args: given, niceness, chromiumNiceness }: Part,
): Promise<number> {
  if (isStopping) return 1
  const vitest = join(repository, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', `--reporter=${join(repository, 'scripts', 'test-totals.ts')}`]
  const mode = isWatching ? [] : ['run']
  const args = [vitest, ...mode, ...reporters, ...given]
  const standingBack = niceness === 0 ? [] : ['nice', '-n', String(niceness)]
  const [command = '', ...words] = [...standingBack, process.execPath, ...args]
  const child = spawn(command, words, {
    cwd: repository,
    env: { ...env, CHROMIUM_PATH: chromiumThatStandsBack(chromiumNiceness) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const stop = () => {
    isStopping = true
    child.kill('SIGTERM')
  }
  process.on('SIGINT', stop).on('SIGTERM', stop).on('disconnect', stop)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

/**
 * Each Chromium is a session of its own, and Linux may weigh a session as much as all tests together, regardless of the niceness
 * of its processes (`autogroup` in sched(7)): the session gets a lower priority too.
 */
function chromiumThatStandsBack(niceness: number): string | undefined {
  const chromium = findChromium()
  if (!chromium || niceness === 0 || !existsSync('/proc/self/autogroup')) return chromium
  const path = join(folder, `chromium-${niceness}`)
  const standBack = `(echo ${niceness} > /proc/self/autogroup) 2> /dev/null || true`
  writeFileSync(path, `#!/bin/sh\n${standBack}\nexec '${chromium}' "$@"\n`, { mode: 0o755 })
  return path
}

function countFailure(error: Error): void {
  buildFailures += 1
  console.error(error.message)
}

/** A run that left no totals has failed as a whole. */
function readTotals(file: string): Totals {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Totals
  } catch {
    return noTotals
  }
}
