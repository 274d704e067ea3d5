/**
 * Who is told of a group's alerts by e-mail. Only an address whose owner has followed the link in an e-mail gets any
 * (EN-GROUP-11, GAP-GROUP-07).
 *
 * 1. absent → unverified: an administrator names the address; an e-mail with a link goes there.
 * 2. unverified → unverified: the link is over, or an administrator has another sent; only the newest one counts.
 * 3. unverified → verified: whoever reads the address follows the link in time.
 */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'

/** How long a link of verification can be followed, in milliseconds (CO-ADMIN-07, ST-KEY-02). */
export const VERIFICATION_LASTS_MS = 72 * 60 * 60_000
/** Until another link can be sent to the same address, in seconds: nobody is flooded from here. */
export const VERIFICATION_PAUSE_S = 60
export const GROUP_RECIPIENTS_AT_MOST = 50

/** Milliseconds that an alert stands before it is mailed: one that comes and goes is not, and several make one e-mail. */
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

/** Where the console asks whether alerts are wanted; what stands after the # never leaves the browser on its own. */
export const VERIFY_PATH = '/verify'
export const verifyPath = (token: string): string => `${VERIFY_PATH}#${token}`
