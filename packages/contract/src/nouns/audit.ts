/** The log of every change by a user, and of every refused attempt. */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { ReasonCause } from '../define/refusals.ts'

/** The actions that core records without a call of the API of that name. */
export const actionsByCore = ['signIns.openid', 'groups.endMembership', 'groups.turnRegistrationKey'] as const

/** Details of the vendor's or another customer's objects are left out for a customer's administrators. */
export const AuditEntry = z.object({
  id: z.string(),
  at: IsoTime,
  userId: z.string().nullable().describe('Null without a sign-in, for instance for a wrong password'),
  username: z.string(),
  apiKey: z.string().nullable().describe('The name and the first characters of the key that acted for them'),
  action: z
    .string()
    .describe(
      `Noun and verb of the call, for instance units.rename; or of what core records by itself: ${actionsByCore.join(', ')}`,
    ),
  objectKind: z.string(),
  objectId: z.string().nullable(),
  objectName: z.string().nullable().describe('Its present name; null once it is removed'),
  address: z.string(),
  result: z.string().describe('done, the text of the refusal, or failed'),
  cause: ReasonCause.describe('The code of the refusal; absent for one of an earlier version'),
  details: z.record(z.string(), z.unknown()).describe('The request, without secrets'),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Filters of the lines. */
export const AuditFilter = z.object({
  search: z
    .string()
    .max(255)
    .optional()
    .describe('Part of the user name, the action or the id of the object'),
  username: z.string().max(255).optional().describe('Part of the user name'),
  action: z.string().max(64).optional().describe('The whole action'),
  from: IsoTime.optional(),
  until: IsoTime.optional().describe('Not included'),
})
export type AuditFilter = z.infer<typeof AuditFilter>
