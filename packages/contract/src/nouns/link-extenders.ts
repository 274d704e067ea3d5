/** Link extenders: boxes with modems of their own, paired to a field unit that sends over them too (GAP-SRV-03). */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'

/** Most link extenders of a unit. */
export const LINK_EXTENDERS_MAX = 4

export const ExtenderSerial = z
  .string()
  .trim()
  .min(1, rule('field.required'))
  .max(64)
  .regex(/^[\w.-]*$/, rule('field.pattern'))

/**
 * 1. unknown: the unit is not connected;
 * 2. searching: the unit knows it and does not reach it;
 * 3. resting: the unit is not under SLA and does not use it;
 * 4. connected: the unit sends over it, or could.
 */
export const ExtenderState = z.enum(['unknown', 'searching', 'resting', 'connected'])
export type ExtenderState = z.infer<typeof ExtenderState>

export const LinkExtender = z.object({
  serialNumber: z.string(),
  state: ExtenderState,
  pairedAt: z.iso.datetime(),
  pairedBy: z.string().describe('A user name at that time'),
})
export type LinkExtender = z.infer<typeof LinkExtender>

export const NewLinkExtender = z.strictObject({ serialNumber: ExtenderSerial })
export type NewLinkExtender = z.infer<typeof NewLinkExtender>

/** The wanted link extenders of a unit, and its report about each. */
export const WantedExtenders = z.array(z.string().max(64)).max(LINK_EXTENDERS_MAX)
export const ActualExtender = z.object({ serialNumber: z.string().max(64), connected: z.boolean() })
export type ActualExtender = z.infer<typeof ActualExtender>
