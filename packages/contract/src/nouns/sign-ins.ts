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

/** Where a browser goes to sign in at the provider of the installation; `?next=` names the path that was asked for. */
export const OPENID_PATH = '/login/openid'
/** Where the provider sends it back. */
export const OPENID_CALLBACK_PATH = '/login/openid/callback'

/** Why a sign-in at the provider came to nothing; the login page gets it as `?fault=`. */
export const OpenidFault = z.enum([
  /** The provider does not answer. */
  'unreachable',
  /** The provider did not let the person in, or they turned back. */
  'refused',
  /** Begun in another browser, too long ago, or used already. */
  'stale',
  /** What the provider answered does not hold. */
  'failed',
  'tooMany',
  /** The provider does not vouch for the e-mail address. */
  'unverified',
  /** The address is of an account with a password here. */
  'local',
  /** Nobody here has the address, and people are not added by signing in. */
  'unknown',
  'closed',
  'licence',
])
export type OpenidFault = z.infer<typeof OpenidFault>

export const SignInWays = z.object({
  /** The provider beside the local password; null where there is none. */
  openid: z.object({ name: z.string(), isReachable: z.boolean() }).nullable(),
})
export type SignInWays = z.infer<typeof SignInWays>
