// `npm run check`: all checks of the sources that do not run the product. One line a check. `--without=<check>` leaves one
// out, where it runs elsewhere.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { superviseChild } from '@backhaul/runtime/child-process'
import { repository } from './places.ts'

interface Check {
  name: string
  /** Path of a script below the repository, then its arguments. */
  run: readonly string[]
}

interface Result {
  passed: boolean
  seconds: string
  output: string
}

/** Every tsconfig.json that names sources: the one at the root, and those of workspaces with another environment. */
function typeChecks(): Check[] {
  const folders = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(repository, folder)).map((name) => `${folder}/${name}`),
  )
  const own = folders.filter((folder) => readdirSync(join(repository, folder)).includes('tsconfig.json'))
  return ['.', ...own].map((folder) => ({
    name: folder === '.' ? 'types' : `types of ${folder}`,
    // More checkers work out the same types side by side, for twice the processor time.
    run: ['node_modules/typescript/bin/tsc', '-p', folder, '--checkers', '1'],
  }))
}

const checks: readonly Check[] = [
  {
    name: 'format and lint',
    run: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  },
  ...typeChecks(),
  { name: 'architecture', run: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'architecture'] },
  { name: 'dead code', run: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
  { name: 'published is current', run: ['scripts/publish.ts', '--check'] },
]

async function perform({ run: [script = '', ...args] }: Check): Promise<Result> {
  const startedMs = Date.now()
  const output: string[] = []
  const { code } = await superviseChild({
    command: process.execPath,
    args: [join(repository, script), ...args],
    cwd: repository,
    onStdoutLine: (line) => output.push(line),
    onStderrLine: (line) => output.push(line),
  }).exited
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1)
  return { passed: code === 0, seconds, output: output.join('\n') }
}

/** Some use one processor alone, some all: two at a time leave none idle. */
const atOnce = 2

const leftOut = process.argv.flatMap((word) => /^--without=(.+)$/.exec(word)?.[1] ?? [])
const wanted = checks.filter(({ name }) => !leftOut.includes(name))

let failed = 0
const waiting = [...wanted]
async function performNext(): Promise<void> {
  const check = waiting.shift()
  if (!check) return
  const { passed, seconds, output } = await perform(check)
  if (!passed) {
    failed++
    console.log(output.trim())
  }
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${check.name} (${seconds} s)`)
  await performNext()
}
await Promise.all(Array.from({ length: atOnce }, performNext))
console.log(failed === 0 ? `${wanted.length} checks hold` : `${failed} of ${wanted.length} checks failed`)
process.exitCode = failed === 0 ? 0 : 1
