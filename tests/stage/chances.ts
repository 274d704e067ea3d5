/** What tests need around them, new for each chance that a test gets. */
import { afterAll, beforeAll, beforeEach } from 'vitest'

/**
 * Opens before the first test and closes after the last. Before the second chance of a test it does both: names are
 * free again, what was used up is there, no dialog stands open, and nothing of the first chance goes on. So each test
 * brings about by itself what it begins with.
 */
export function forEachChance(open: () => Promise<void>, close: () => Promise<void>): void {
  beforeAll(open)
  beforeEach(async ({ task }) => {
    if (!task.result?.retryCount) return
    await close()
    await open()
  })
  afterAll(close)
}
