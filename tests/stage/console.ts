/** Core with demo data and a browser in front of it, for all tests of a block. */
import { afterAll, beforeAll } from 'vitest'
import { type Chromium, openChromium } from './browser.ts'
import type { forEachAttempt } from './fresh-stage.ts'
import { openStage, type Stage } from './stage.ts'

const once: typeof forEachAttempt = (open, close) => {
  beforeAll(open)
  afterAll(close)
}

/** The returned object is filled before the first test, and closed after the last. */
export function openConsole(when = once): { stage: Stage; chromium: Chromium } {
  const opened = {} as { stage: Stage; chromium: Chromium }
  when(
    async () => {
      opened.stage = await openStage({ demo: 1 })
      opened.chromium = await openChromium()
    },
    async () => {
      await opened.chromium?.close()
      await opened.stage?.stop()
    },
  )
  return opened
}
