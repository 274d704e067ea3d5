/** The log of every change that a person made, and of every attempt at one that was refused. */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'

/** What a line holds of the vendor's or another customer's things is left out for a customer's administrators. */
export const AuditEntry = z.object({
  id: z.string(),
  at: IsoTime,
  userId: z.string().nullable().describe('Null where nobody was signed in, for instance on a wrong password'),
  username: z.string(),
  apiKey: z.string().nullable().describe('The name and the first characters of the key that acted for them'),
  action: z.string().describe('Noun and verb of the call, for instance units.rename'),
  objectKind: z.string(),
  objectId: z.string().nullable(),
  objectName: z.string().nullable().describe('As it is named now; null once it is gone'),
  address: z.string(),
  result: z.string().describe('done, the text of the refusal, or failed'),
  details: z.record(z.string(), z.unknown()).describe('What was asked for; never a secret'),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Which lines are wanted. */
export const AuditFilter = z.object({
  search: z.string().max(255).optional().describe('Part of the user name, the action or the id of the thing'),
  username: z.string().max(255).optional().describe('Part of the user name'),
  action: z.string().max(64).optional().describe('The whole action'),
  from: IsoTime.optional(),
  until: IsoTime.optional().describe('Not included'),
})
export type AuditFilter = z.infer<typeof AuditFilter>
