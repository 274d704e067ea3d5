/** Core with demo data and a browser in front of it, for all tests of a block. */
import { afterAll, beforeAll } from 'vitest'
import { type Chromium, openChromium } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

/** The returned object is filled before the first test, and closed after the last. */
export function openConsole(env: NodeJS.ProcessEnv = {}): { stage: Stage; chromium: Chromium } {
  const opened = {} as { stage: Stage; chromium: Chromium }
  beforeAll(async () => {
    opened.stage = await openStage({ demo: 1, env })
    opened.chromium = await openChromium()
  })
  afterAll(async () => {
    await opened.chromium?.close()
    await opened.stage?.stop()
  })
  return opened
}
