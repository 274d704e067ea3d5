import { fileURLToPath } from 'node:url'

/** The script of core: `npm test` builds it once, since each start from the sources costs twice the processor time. */
export const mainOfCore = fileURLToPath(
  new URL(process.env.TEST_BUILT_PROGRAMS ? '../../dist/main.js' : '../main.ts', import.meta.url),
)
