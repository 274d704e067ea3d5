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
  /** To the minute. */
  lastSeenMs: z.number().int(),
  /** The sign-in of this request. */
  isThis: z.boolean(),
})
export type OwnSignIn = z.infer<typeof OwnSignIn>

const { firstName, lastName } = UserContactChange.shape

/** The first user of an installation, with the setup code that its start has printed. */
export const FirstUser = z.strictObject({
  setupCode: z.string().min(1).max(64),
  username: Username,
  password: Password,
  firstName,
  lastName,
})
export type FirstUser = z.infer<typeof FirstUser>

/** The address that begins a sign-in at the provider of the installation; `?next=` is the requested path. */
export const OPENID_PATH = '/login/openid'
/** The redirect address of the provider. */
export const OPENID_CALLBACK_PATH = '/login/openid/callback'

/** Why a sign-in at the provider failed; the login page gets it as `?fault=`. */
export const OpenidFault = z.enum([
  /** The provider does not answer. */
  'unreachable',
  /** The provider refused the user, or the user cancelled. */
  'refused',
  /** Begun in another browser, too long ago, or used already. */
  'stale',
  /** The answer of the provider is not valid. */
  'failed',
  'tooMany',
  /** The provider has not verified the e-mail address. */
  'unverified',
  /** The address belongs to an account with a password here. */
  'local',
  /** No user has the address, and users are not added by signing in. */
  'unknown',
  'closed',
  'licence',
])
export type OpenidFault = z.infer<typeof OpenidFault>

export const SignInWays = z.object({
  /** The provider in addition to the local password; null where there is none. */
  openid: z.object({ name: z.string(), isReachable: z.boolean() }).nullable(),
})
export type SignInWays = z.infer<typeof SignInWays>
