/** A sign-in of a user in one browser, as it is shown to the user. */
import { z } from 'zod'
import { Password, UserContactChange, Username } from './users.ts'

export const OwnSignIn = z.object({
  id: z.string(),
  /** The address from which it began. */
  address: z.string(),
  /** The user agent of the browser. */
  agent: z.string(),
  createdMs: z.number().int(),
  /** The time of the last call, to the minute. */
  lastSeenMs: z.number().int(),
  /** The sign-in of this request. */
  isThis: z.boolean(),
})
export type OwnSignIn = z.infer<typeof OwnSignIn>

/** The first user of an installation, with the setup code that its start has printed. */
export const FirstUser = z.strictObject({
  setupCode: z.string().min(1).max(64),
  username: Username,
  password: Password,
  ...UserContactChange.pick({ firstName: true, lastName: true }).shape,
})
export type FirstUser = z.infer<typeof FirstUser>

export const SignInWays = z.object({
  /** The provider in addition to the local password; null where there is none. */
  openid: z.object({ name: z.string(), isReachable: z.boolean() }).nullable(),
})
export type SignInWays = z.infer<typeof SignInWays>
