/**
 * Recipients of a group's alerts by e-mail. Only an address whose owner has followed the link in an e-mail gets any
 * (EN-GROUP-11, GAP-GROUP-07).
 *
 * 1. absent → unverified: an administrator names the address; an e-mail with a link is sent there.
 * 2. unverified → unverified: the link has expired, or an administrator sends another; only the newest one is valid.
 * 3. unverified → verified: the owner of the address follows the link in time.
 */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'

/** The validity of a verification link, in milliseconds (CO-ADMIN-07, ST-KEY-02). */
export const VERIFICATION_LASTS_MS = 72 * 60 * 60_000
/** The pause between two links to the same address, in seconds, so that no address is flooded. */
export const VERIFICATION_PAUSE_S = 60
export const GROUP_RECIPIENTS_AT_MOST = 50

/** Milliseconds that an alert is active before it is mailed: short ones are not, and several make one e-mail. */
export const ALERT_MAIL_DELAY_MS = 15_000
/** Milliseconds from one e-mail about alerts to the next to the same recipient of the same group. */
export const ALERT_MAIL_PAUSE_MS = 10 * 60_000

export const RecipientAddress = z.email({ message: rule('address.email') }).max(254)

export const EmailRecipient = z.object({
  email: z.string(),
  verified: z.boolean(),
  linkEndsAt: z.iso
    .datetime()
    .nullable()
    .describe('Until when the newest link can be followed; null once verified'),
})
export type EmailRecipient = z.infer<typeof EmailRecipient>
