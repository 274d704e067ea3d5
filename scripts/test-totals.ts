// A reporter for Vitest that leaves the totals of a run in the file named by TEST_TOTALS_FILE.
import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

export interface Totals {
  passed: number
  failed: number
  skipped: number
}

/** `N passed, N failed`, and how many were skipped when any were. */
export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** A file that could not be loaded, or an error outside of any test, counts as one failure. */
function count(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Totals {
  const totals: Totals = { passed: 0, failed: unhandled.length, skipped: 0 }
  for (const module of modules) {
    let hasFailedTest = false
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') totals.passed++
      else if (state === 'skipped') totals.skipped++
      else totals.failed++
      hasFailedTest ||= state === 'failed'
    }
    if (!module.ok() && !hasFailedTest) totals.failed++
  }
  return totals
}

export default class TestTotals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.TEST_TOTALS_FILE
    if (file) writeFileSync(file, JSON.stringify(count(modules, unhandled)))
  }
}
