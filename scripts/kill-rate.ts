// `npm run kill-rate [words]`: removes each check of core's in a copy and counts how many a test misses; words choose by place or text.
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
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { repository } from './places.ts'
import type { Rule } from './removal-rules.ts'
import { removals } from './removals.ts'

const core = 'apps/core/src'
const workersAtOnce = 2
/** Longer is a program that hangs, not a busy machine. */
const runAtMostMs = 300_000

interface Removal {
  /** Below the repository, with the line where the check stands. */
  place: string
  file: string
  text: string
  without: string
  tests: readonly string[]
}

/** Every place where a rule's text stands. Throws when it stands nowhere, since then the list is out of date. */
function placesOf({ files, text, replacement, tests }: Rule): Removal[] {
  const sources = readdirSync(join(repository, core), { recursive: true, encoding: 'utf8' }).filter(
    (path) => files.test(path) && !path.endsWith('.test.ts'),
  )
  const found = sources.flatMap((path) => {
    const source = readFileSync(join(repository, core, path), 'utf8')
    const parts = source.split(text)
    return parts.slice(1).map((_, at): Removal => {
      const before = parts.slice(0, at + 1).join(text)
      const without = before + replacement + parts.slice(at + 1).join(text)
      const place = `${core}/${path}:${before.split('\n').length}`
      return { place, file: join(core, path), text, without, tests: tests.map((test) => join(core, test)) }
    })
  })
  if (found.length === 0) throw new Error(`No file that matches ${files} has: ${text}`)
  // What is no program fails every test, and proves nothing.
  for (const { without } of found) stripTypeScriptTypes(without)
  return found
}

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

/** Runs tests in a copy until the first failure; answers whether all passed. */
function passes(copy: string, tests: readonly string[]): Promise<boolean> {
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'core', '--bail', '1', ...tests], {
    cwd: copy,
    stdio: 'ignore',
    timeout: runAtMostMs,
  })
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)))
}

async function kill(copy: string, queue: Removal[], survivors: Removal[]): Promise<void> {
  for (let removal = queue.shift(); removal; removal = queue.shift()) {
    const path = join(copy, removal.file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, removal.without)
    const survived = await passes(copy, removal.tests)
    writeFileSync(path, source)
    if (survived) survivors.push(removal)
    console.log(`${survived ? 'SURVIVED' : 'killed  '} ${removal.place} ${JSON.stringify(removal.text)}`)
  }
}

/** For instance `servers.ts sameSite`; without words all. */
const chosen = process.argv.slice(2)
const queue = removals
  .flatMap(placesOf)
  .filter(
    ({ place, text }) => chosen.length === 0 || chosen.some((word) => `${place} ${text}`.includes(word)),
  )
const planted = queue.length
const copies = Array.from({ length: workersAtOnce }, copyRepository)
try {
  const first = copies[0] as string
  const tests = [...new Set(queue.flatMap((removal) => removal.tests))]
  if (!(await passes(first, tests))) throw new Error('The tests fail before anything is removed')
  const survivors: Removal[] = []
  await Promise.all(copies.map((copy) => kill(copy, queue, survivors)))
  const killed = planted - survivors.length
  console.log(`kill rate: ${killed} of ${planted} removals (${((100 * killed) / planted).toFixed(1)} %)`)
  for (const { place, text } of survivors) console.log(`survivor: ${place} ${JSON.stringify(text)}`)
  process.exitCode = survivors.length === 0 ? 0 : 1
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
}
