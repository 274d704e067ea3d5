// A reporter for Vitest that leaves the totals of a run in the file named by TEST_TOTALS_FILE, and with TEST_TIMES prints
// how long each file took.
import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

export interface Totals {
  passed: number
  failed: number
  skipped: number
  /** Paths of the files with a failure; undefined where something failed outside of any file. */
  failedFiles: string[] | undefined
  /** The test or file of each failure, with its message. */
  failures: string[]
}

/** The totals of a run that ended without a report of its tests. */
export const noTotals: Totals = {
  passed: 0,
  failed: 1,
  skipped: 0,
  failedFiles: undefined,
  failures: ['a run of tests that ended early'],
}

/** In a run of all files, some 430, so few failures may be the machine's; more are not repeated. */
const MOST_REPEATED_FILES = 10

/** The files to run again one by one; none where a repetition would prove nothing. */
export function filesToRepeat({ failed, failedFiles }: Totals): readonly string[] {
  return failed > 0 && failedFiles && failedFiles.length <= MOST_REPEATED_FILES ? failedFiles : []
}

/** The sum of simultaneous runs; where one of them failed outside of any file, so did all. */
export function sumOfTotals(all: readonly Totals[]): Totals {
  const sum = (of: (totals: Totals) => number) => all.reduce((before, totals) => before + of(totals), 0)
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    failedFiles: all.every(({ failedFiles }) => failedFiles)
      ? all.flatMap(({ failedFiles }) => failedFiles ?? [])
      : undefined,
    failures: all.flatMap(({ failures }) => failures),
  }
}

/** The totals after the failed files have run again: a test that fails there has failed. */
export function totalsWithRepetition(all: Totals, again: Totals): Totals {
  const mended = Math.max(0, all.failed - again.failed)
  const { failed, failedFiles, failures } = again
  return { ...all, passed: all.passed + mended, failed, failedFiles, failures }
}

/** `N passed, N failed`, and the number of skipped ones, if any. */
export function totalsLine({
  passed,
  failed,
  skipped,
}: Pick<Totals, 'passed' | 'failed' | 'skipped'>): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** A file that could not be loaded, or an error outside of any test, counts as one failure. */
function count(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Totals {
  const totals: Totals = { passed: 0, failed: 0, skipped: 0, failedFiles: undefined, failures: [] }
  const fail = (where: string, errors: readonly { message: string }[]) => {
    totals.failed++
    totals.failures.push(`${where}: ${errors.map(({ message }) => message.slice(0, 300)).join('; ')}`)
  }
  for (const module of modules) {
    let hasFailedTest = false
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result()
      if (state === 'passed') totals.passed++
      else if (state === 'skipped') totals.skipped++
      else fail(`${module.relativeModuleId} > ${test.fullName}`, errors ?? [])
      hasFailedTest ||= state === 'failed'
    }
    if (!module.ok() && !hasFailedTest) fail(module.relativeModuleId, module.errors())
  }
  const fileOf = ({ VITEST_TEST_PATH: path }: SerializedError) =>
    modules.find(({ moduleId }) => moduleId === path)?.relativeModuleId
  for (const error of unhandled) fail(`${fileOf(error) ?? 'outside of any file'}, between tests`, [error])
  const failed = modules.filter((module) => !module.ok()).map(({ relativeModuleId }) => relativeModuleId)
  const withUnhandled = unhandled.map(fileOf)
  if (withUnhandled.every((file) => file !== undefined))
    totals.failedFiles = [...new Set([...failed, ...withUnhandled])]
  return totals
}

/** Loading and tests of each file, in seconds, the slowest first. */
function times(modules: readonly TestModule[]): string {
  const lines = modules
    .map((module) => ({ name: module.relativeModuleId, spent: module.diagnostic() }))
    .map(({ name, spent }) => ({ name, loadMs: spent.setupDuration + spent.collectDuration, ...spent }))
    .sort((one, other) => other.duration + other.loadMs - one.duration - one.loadMs)
    .map(({ name, duration, loadMs }) => `${inSeconds(duration)} ${inSeconds(loadMs)}  ${name}`)
  return ['    tests  loading  (seconds)', ...lines].join('\n')
}

const inSeconds = (ms: number) => (ms / 1000).toFixed(1).padStart(8)

export default class TestTotals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.TEST_TOTALS_FILE
    if (file) writeFileSync(file, JSON.stringify(count(modules, unhandled)))
    if (process.env.TEST_TIMES) console.log(`\n${times(modules)}`)
  }
}
