/** The environment of tests, fresh for each attempt of a test. */
import { afterAll, beforeEach } from 'vitest'

/**
 * Opens before the first test and closes after the last. Before a second attempt of a test it does both: names are free
 * again, used-up data are there, no dialog is open, and nothing of the first attempt is running. So each test sets up
 * its own preconditions. Opening is attempted twice as well.
 */
export function forEachAttempt(open: () => Promise<void>, close: () => Promise<void>): void {
  let isOpen = false
  let failures = 0
  beforeEach(async ({ task }) => {
    if (isOpen && !task.result?.retryCount) return
    if (failures > 1) throw new Error('The environment of the tests could not be opened')
    await close()
    isOpen = false
    failures += 1
    await open()
    isOpen = true
    failures = 0
  })
  afterAll(close)
}
