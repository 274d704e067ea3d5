/** What tests need around them, new for each chance that a test gets. */
import { afterAll, beforeEach } from 'vitest'

/**
 * Opens before the first test and closes after the last. Before the second chance of a test it does both: names are
 * free again, what was used up is there, no dialog stands open, and nothing of the first chance goes on. So each test
 * brings about by itself what it begins with. An opening that fails has a second chance as well, and no third.
 */
export function forEachChance(open: () => Promise<void>, close: () => Promise<void>): void {
  let isOpen = false
  let failures = 0
  beforeEach(async ({ task }) => {
    if (isOpen && !task.result?.retryCount) return
    if (failures > 1) throw new Error('What the tests need could not be opened')
    await close()
    isOpen = false
    failures += 1
    await open()
    isOpen = true
    failures = 0
  })
  afterAll(close)
}
