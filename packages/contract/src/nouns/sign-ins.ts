/** A person's stay in one browser, as the person may know of it. */
import { z } from 'zod'
import { Password, UserContactChange, Username } from './users.ts'

export const OwnSignIn = z.object({
  id: z.string(),
  /** From where it began. */
  address: z.string(),
  /** What the browser says of itself. */
  agent: z.string(),
  createdMs: z.number().int(),
  /** To the minute. */
  lastSeenMs: z.number().int(),
  /** The one that asks. */
  isThis: z.boolean(),
})
export type OwnSignIn = z.infer<typeof OwnSignIn>

const { firstName, lastName } = UserContactChange.shape

/** Who sets an installation up, with the code that its start has shown. */
export const FirstUser = z.strictObject({
  setupCode: z.string().min(1).max(64),
  username: Username,
  password: Password,
  firstName,
  lastName,
})
export type FirstUser = z.infer<typeof FirstUser>
