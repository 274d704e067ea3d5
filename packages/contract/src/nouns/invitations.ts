/** Ad hoc invitations: a code that admits one unit to a group for some days (GAP-GROUP-01, -02, -05). */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'

const dayMs = 24 * 60 * 60_000

/** The way of inviting that the console offers first in a group; `off` offers none. */
export const AdhocMode = z.enum(['off', 'link', 'email', 'sms'])
export type AdhocMode = z.infer<typeof AdhocMode>

/** Ad hoc periods and how long they last, in milliseconds (CO-ADMIN-04). */
export const invitationPeriodMs = {
  '1 day': dayMs,
  '3 days': 3 * dayMs,
  '1 week': 7 * dayMs,
  '1 month': 30 * dayMs,
} as const
export type InvitationPeriod = keyof typeof invitationPeriodMs
export const InvitationPeriod = z.enum(Object.keys(invitationPeriodMs) as [InvitationPeriod])

export const RECIPIENTS_AT_MOST = 50
export const INVITATION_TEXT_AT_MOST = 2000

const invitationTo = <T extends z.ZodType<string, string>>(recipient: T) =>
  z.strictObject({
    recipients: z
      .array(recipient)
      .min(1, { message: rule('field.required') })
      .max(RECIPIENTS_AT_MOST, { message: rule('list.atMost', { most: RECIPIENTS_AT_MOST }) }),
    period: InvitationPeriod,
    text: z
      .string()
      .max(INVITATION_TEXT_AT_MOST)
      .default('')
      .describe("The inviter's own text, shown above the code"),
  })

export const InvitationEmail = invitationTo(z.email({ message: rule('address.email') }).max(254))
export type InvitationEmail = z.infer<typeof InvitationEmail>

/** A number as in ITU-T E.164: a plus and 7 to 15 digits; spaces and hyphens are allowed. */
export const PhoneNumber = z
  .string()
  .max(40)
  .transform((text) => text.replace(/[\s-]/g, ''))
  .refine((number) => /^\+[1-9][0-9]{6,14}$/.test(number), { message: rule('phone.invalid') })

export const InvitationMessage = invitationTo(PhoneNumber)
export type InvitationMessage = z.infer<typeof InvitationMessage>

/** The information for the holder of a code. */
export const SeenInvitation = z.object({
  group: z.string().describe('Name of the group'),
  state: z.enum(['open', 'used', 'expired']),
  expiresAt: z.iso.datetime(),
})
export type SeenInvitation = z.infer<typeof SeenInvitation>
