/** Ad hoc invitations: a code that admits one unit to a group for some days (GAP-GROUP-01, -02, -05). */
import { z } from 'zod'
import { texts } from '../define/texts.ts'

const dayMs = 24 * 60 * 60_000

/** Ad hoc periods and how long they last, in milliseconds (CO-ADMIN-04). */
export const invitationPeriodMs = {
  '1 day': dayMs,
  '3 days': 3 * dayMs,
  '1 week': 7 * dayMs,
  '1 month': 30 * dayMs,
} as const
export type InvitationPeriod = keyof typeof invitationPeriodMs
export const InvitationPeriod = z.enum(Object.keys(invitationPeriodMs) as [InvitationPeriod])

/** The text is the inviter's own and stands over the code. */
export const InvitationLetter = z.strictObject({
  recipients: z
    .array(z.email({ message: texts.email }).max(254))
    .min(1, { message: texts.required })
    .max(50),
  period: InvitationPeriod,
  text: z.string().max(2000).default(''),
})
export type InvitationLetter = z.infer<typeof InvitationLetter>
