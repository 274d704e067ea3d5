/** The address that begins a sign-in at the provider of the installation; `?next=` is the requested path. */
export const OPENID_PATH = '/login/openid'
/** The redirect address of the provider. */
export const OPENID_CALLBACK_PATH = '/login/openid/callback'

/** Why a sign-in at the provider failed; the login page gets it as `?fault=`. */
export const openidFaults = [
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
] as const
export type OpenidFault = (typeof openidFaults)[number]
