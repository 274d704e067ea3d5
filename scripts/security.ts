// `npm run security`: the figures that prove who may do what: access matrix, random requests, and the mutation score.
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { superviseChild } from '@backhaul/runtime/child-process'
import { repository } from './places.ts'

const figures = /^(access matrix|fuzz on|mutation score|not killed)/

/** Runs a Node script and shows the figures in its output; returns whether it succeeded. */
async function perform(script: string, ...args: string[]): Promise<boolean> {
  const output: string[] = []
  const collect = (coloured: string) => {
    const line = stripVTControlCharacters(coloured)
    output.push(line)
    if (figures.test(line)) console.log(line)
  }
  const { code } = await superviseChild({
    command: process.execPath,
    args: [join(repository, script), ...args],
    cwd: repository,
    onStdoutLine: collect,
    onStderrLine: collect,
  }).exited
  if (code !== 0) console.log(output.slice(-40).join('\n'))
  return code === 0
}

const tests = ['permissions.test.ts', 'tenancy.test.ts', 'fuzz.test.ts'].map(
  (name) => `apps/core/src/${name}`,
)
const isProved = await perform(
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--project',
  'core',
  ...tests,
)
const isKilled = await perform('scripts/mutation/score.ts')
process.exitCode = isProved && isKilled ? 0 : 1
