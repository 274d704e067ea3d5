// `npm run kill-rate [words]`: removes each check of core in a copy and counts how many no test notices; words filter by place or text.
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { repository } from './places.ts'
import { placesOf, type Removal, type Trial } from './removal-places.ts'
import { removals } from './removals.ts'

const workersAtOnce = 2
/** Long enough for a busy machine. */
const testAtMostMs = 60_000
/** A program that runs longer hangs. */
const runAtMostMs = 600_000

/** A copy of the sources with its own links between workspaces; the packages from outside are shared. */
function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'backhaul-kill-'))
  const isSource = (path: string) => !/^(node_modules|dist|\.tools|data|\.git|results)$/.test(basename(path))
  for (const part of [
    'apps',
    'packages',
    'package.json',
    'vitest.config.ts',
    'tsconfig.json',
    'tsconfig.base.json',
  ])
    cpSync(join(repository, part), join(copy, part), { recursive: true, filter: isSource })
  linkPackages(copy, '.')
  for (const folder of ['apps/core', 'packages/runtime', 'packages/contract']) linkPackages(copy, folder)
  return copy
}

function linkPackages(copy: string, folder: string): void {
  const [from, to] = [join(repository, folder, 'node_modules'), join(copy, folder, 'node_modules')]
  if (!existsSync(from)) return
  const names = readdirSync(from, { withFileTypes: true }).map(({ name }) => name)
  mkdirSync(to, { recursive: true })
  for (const name of names) if (name !== '@backhaul') symlinkSync(join(from, name), join(to, name))
  if (folder !== '.') return
  mkdirSync(join(to, '@backhaul'))
  for (const workspace of ['packages', 'apps'])
    for (const name of readdirSync(join(copy, workspace)))
      symlinkSync(join(copy, workspace, name), join(to, '@backhaul', name))
}

/** Late: a test timed out, because of the removal or, on a busy machine, because something was too slow. */
type Verdict = 'killed' | 'late' | 'hung' | 'survived'

const isLate = /timed out in|Never came true/

/** Runs tests in a copy until the first failure: a failure was noticed, a run without an end hung. */
function judge(copy: string, { path, titles }: Trial): Promise<{ verdict: Verdict; output: string }> {
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
  const bounds = ['--bail', '1', '--max-workers', '1', '--test-timeout', String(testAtMostMs)]
  const some = titles === undefined ? [] : ['--testNamePattern', titles]
  const options = ['run', '--project', 'core', ...bounds, ...some]
  const child = spawn(process.execPath, [vitest, ...options, path], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: runAtMostMs,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const verdictOf = (code: number | null): Verdict => {
    if (code === null) return 'hung'
    if (code === 0) return 'survived'
    return isLate.test(output) ? 'late' : 'killed'
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ verdict: verdictOf(code), output })))
}

/** A test that fails before anything is removed would count everything as noticed. */
async function requireGreen(copy: string, tests: string[]): Promise<void> {
  for (let test = tests.shift(); test; test = tests.shift()) {
    const { verdict, output } = await judge(copy, { path: test })
    if (verdict !== 'survived') throw new Error(`Before anything is removed: ${test}\n${output.slice(-4000)}`)
  }
}

async function plant(copy: string, queue: Removal[], results: Record<Verdict, string[]>): Promise<void> {
  for (let removal = queue.shift(); removal; removal = queue.shift()) {
    const path = join(copy, removal.file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, removal.without)
    let verdict: Verdict = 'survived'
    // The likeliest are first, and most removals need no other.
    for (const test of removal.tests) if (verdict === 'survived') ({ verdict } = await judge(copy, test))
    writeFileSync(path, source)
    const line = `${verdict}: ${removal.place} ${JSON.stringify(removal.text)}`
    console.log(line)
    results[verdict].push(line)
  }
}

/** For instance `servers.ts sameSite`; all without words. */
const chosen = process.argv.slice(2)
const queue = removals
  .flatMap(placesOf)
  .filter(
    ({ place, text }) => chosen.length === 0 || chosen.some((word) => `${place} ${text}`.includes(word)),
  )
const planted = queue.length
if (planted === 0) throw new Error(`No removal has any of: ${chosen.join(' ')}`)
const copies = Array.from({ length: workersAtOnce }, copyRepository)
try {
  const tests = [...new Set(queue.flatMap(({ tests }) => tests.map(({ path }) => path)))]
  await Promise.all(copies.map((copy) => requireGreen(copy, tests)))
  const results: Record<Verdict, string[]> = { killed: [], late: [], hung: [], survived: [] }
  await Promise.all(copies.map((copy) => plant(copy, queue, results)))
  const killed = results.killed.length + results.late.length
  const share = ((100 * killed) / planted).toFixed(1)
  console.log(`kill rate: ${killed} of ${planted} removals (${share} %), ${results.late.length} of them late`)
  for (const line of [...results.hung, ...results.survived]) console.log(`not killed, but ${line}`)
  process.exitCode = killed === planted ? 0 : 1
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
}
