/** Core with demo data and a browser in front of it, for all tests of the block that asks for them. */
import { afterAll, beforeAll } from 'vitest'
import { type Chromium, openChromium } from './browser.ts'
import type { forEachChance } from './chances.ts'
import { openStage, type Stage } from './stage.ts'

const once: typeof forEachChance = (open, close) => {
  beforeAll(open)
  afterAll(close)
}

/** What it answers is filled before the first test, and ends after the last. */
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
