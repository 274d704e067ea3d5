/** Settings of upgrades, which agent and hub share. */
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { wholeNumber } from './settings.ts'
import { readPublicKey } from './software-package.ts'

function keyOf(text: string, context: z.RefinementCtx): KeyObject {
  try {
    return readPublicKey(text)
  } catch {
    context.addIssue('must be the public key that npm run package-key has printed')
    return z.NEVER
  }
}

export const upgradeSettings = {
  /** Packages signed by its private half are installed when core orders that; without it none are. */
  BACKHAUL_UPGRADE_KEY: z.string().transform(keyOf).optional(),
  /** Seconds in which a new version has to reach core. */
  BACKHAUL_UPGRADE_WITHIN_S: wholeNumber(5, 3600).default(120),
  BACKHAUL_SUPERVISED: z.enum(['0', '1']).default('0'),
}
