// `npm run mutation [words]`: the mutation score of core's guards. Each mutant lacks one check; one that no test fails on has
// survived. Words filter by place or text.
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
import { repository } from '../places.ts'
import { type Mutant, placesOf, type Trial } from './mutant-places.ts'
import { mutants } from './mutants.ts'

const workersAtOnce = 2
/** Long enough for a busy machine. */
const testAtMostMs = 60_000
/** A program that runs longer hangs. */
const runAtMostMs = 600_000

/** A copy of the sources with its own links between workspaces; the packages from outside are shared. */
function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'backhaul-mutation-'))
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

/**
 * 1. killed: a test failed; 2. timedOut: a test ran out of time, because of the mutant or because the machine is busy;
 * 3. hung: the run did not end; 4. survived: no test failed.
 */
type Verdict = 'killed' | 'timedOut' | 'hung' | 'survived'

const hasTimedOut = /timed out in|Never came true/

/** Runs tests in a copy until the first failure. */
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
    return hasTimedOut.test(output) ? 'timedOut' : 'killed'
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ verdict: verdictOf(code), output })))
}

/** A test that fails without a mutant would kill every one. */
async function requireGreen(copy: string, tests: string[]): Promise<void> {
  for (let test = tests.shift(); test; test = tests.shift()) {
    const { verdict, output } = await judge(copy, { path: test })
    if (verdict !== 'survived') throw new Error(`Without a mutant: ${test}\n${output.slice(-4000)}`)
  }
}

async function judgeAll(copy: string, queue: Mutant[], results: Record<Verdict, string[]>): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const path = join(copy, mutant.file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, mutant.without)
    let verdict: Verdict = 'survived'
    // The likeliest are first, and most mutants need no other.
    for (const test of mutant.tests) if (verdict === 'survived') ({ verdict } = await judge(copy, test))
    writeFileSync(path, source)
    const line = `${verdict}: ${mutant.place} ${JSON.stringify(mutant.text)}`
    console.log(line)
    results[verdict].push(line)
  }
}

/** For instance `servers.ts sameSite`; all without words. */
const chosen = process.argv.slice(2)
const queue = mutants
  .flatMap(placesOf)
  .filter(
    ({ place, text }) => chosen.length === 0 || chosen.some((word) => `${place} ${text}`.includes(word)),
  )
const count = queue.length
if (count === 0) throw new Error(`No mutant has any of: ${chosen.join(' ')}`)
const copies = Array.from({ length: workersAtOnce }, copyRepository)
try {
  const tests = [...new Set(queue.flatMap(({ tests }) => tests.map(({ path }) => path)))]
  await Promise.all(copies.map((copy) => requireGreen(copy, tests)))
  const results: Record<Verdict, string[]> = { killed: [], timedOut: [], hung: [], survived: [] }
  await Promise.all(copies.map((copy) => judgeAll(copy, queue, results)))
  const killed = results.killed.length + results.timedOut.length
  const score = ((100 * killed) / count).toFixed(1)
  console.log(
    `mutation score: ${killed} of ${count} (${score} %), ${results.timedOut.length} of them timed out`,
  )
  for (const line of [...results.hung, ...results.survived]) console.log(`not killed, but ${line}`)
  process.exitCode = killed === count ? 0 : 1
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
}
