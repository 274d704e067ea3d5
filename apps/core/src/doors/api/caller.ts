// The caller of a request or a socket, and what they may do.
import type { Role } from '@backhaul/contract/define/roles'
import type { Scope } from '../../database/scope.ts'

export interface Caller {
  userId: string
  username: string
  roles: readonly Role[]
  /** The permission to activate units and licences, which a user has in addition to the role. */
  ODA: boolean
  /** The objects that the caller can see; every query takes it. */
  scope: Scope
  /** The id of the sign-in, or of the API key that is used instead: its end closes the sockets that it opened. */
  signInId: string
  /** Writes repeat the token whose SHA-256 this is; undefined for an API key, which no browser sends by itself. */
  csrfHash: string | undefined
  /** The name of the API key with which a program acts for the user. */
  apiKey?: string
}

/** The credentials of a request. A key takes precedence over any cookie. */
export interface Shown {
  cookie: string | undefined
  apiKey: string | undefined
  address: string
}

/**
 * Finds the caller by the sign-in cookie or the API key; undefined when the secret is unknown, expired or signed out.
 * Throws NotSignedIn for a wrong key, TooMany after too many of them.
 */
export type CallerOf = (shown: Shown) => Promise<Caller | undefined>
