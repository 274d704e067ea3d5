// `npm run security`: the figures that prove who may do what: access matrix, random requests, and the kill rate.
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { superviseChild } from '@backhaul/runtime/child-process'
import { repository } from './places.ts'

const figures = /^(access matrix|fuzz on|kill rate|not killed)/

/** Runs a script of Node's with the figures of its output shown; answers whether all went well. */
async function perform(script: string, ...args: string[]): Promise<boolean> {
  const said: string[] = []
  const hear = (coloured: string) => {
    const line = stripVTControlCharacters(coloured)
    said.push(line)
    if (figures.test(line)) console.log(line)
  }
  const { code } = await superviseChild({
    command: process.execPath,
    args: [join(repository, script), ...args],
    cwd: repository,
    onStdoutLine: hear,
    onStderrLine: hear,
  }).exited
  if (code !== 0) console.log(said.slice(-40).join('\n'))
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
const isKilled = await perform('scripts/kill-rate.ts')
process.exitCode = isProved && isKilled ? 0 : 1
