/** Link extenders: boxes with modems of their own, paired to a field unit that sends over them too (GAP-SRV-03). */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'

/** So many a unit sends over. */
export const LINK_EXTENDERS_MAX = 4

export const ExtenderSerial = z
  .string()
  .trim()
  .min(1, rule('field.required'))
  .max(64)
  .regex(/^[\w.-]*$/, rule('field.pattern'))

/**
 * 1. unknown: the unit is not there to say;
 * 2. searching: the unit is told of it and does not reach it;
 * 3. resting: the unit is not under SLA and leaves it alone;
 * 4. connected: the unit sends over it, or could.
 */
export const ExtenderState = z.enum(['unknown', 'searching', 'resting', 'connected'])
export type ExtenderState = z.infer<typeof ExtenderState>

export const LinkExtender = z.object({
  serialNumber: z.string(),
  state: ExtenderState,
  pairedAt: z.iso.datetime(),
  pairedBy: z.string().describe('A user name, as it was then'),
})
export type LinkExtender = z.infer<typeof LinkExtender>

export const NewLinkExtender = z.strictObject({ serialNumber: ExtenderSerial })
export type NewLinkExtender = z.infer<typeof NewLinkExtender>

/** What a unit is told of, and what it says of each. */
export const WantedExtenders = z.array(z.string().max(64)).max(LINK_EXTENDERS_MAX)
export const ActualExtender = z.object({ serialNumber: z.string().max(64), connected: z.boolean() })
export type ActualExtender = z.infer<typeof ActualExtender>
