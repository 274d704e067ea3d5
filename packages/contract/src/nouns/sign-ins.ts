/** A person's stay in one browser, as the person may know of it. */
import { z } from 'zod'

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
