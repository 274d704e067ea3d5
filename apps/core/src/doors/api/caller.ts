// Who stands behind a request or a socket, and what they may do.
import type { Role } from '@backhaul/contract/nouns/roles'
import type { Scope } from '../../database/scope.ts'

export interface Caller {
  userId: string
  username: string
  roles: readonly Role[]
  /** The permission to activate units and licences, which is a person's and not a role's. */
  ODA: boolean
  /** What the caller may know of; every query takes it. */
  scope: Scope
  /** Of the sign-in, or of the API key that is used instead: with it end the sockets that it opened. */
  signInId: string
  /** Writes repeat the token whose SHA-256 this is; undefined for an API key, which no browser sends by itself. */
  csrfHash: string | undefined
  /** How the API key is known with which a program acts for the person. */
  apiKey?: string
}

/** What a request shows. A key counts alone: whoever sends one means it, whatever cookies come along. */
export interface Shown {
  cookie: string | undefined
  apiKey: string | undefined
  address: string
}

/**
 * Finds who holds a sign-in cookie's secret or an API key; nobody when the secret is unknown, expired or signed out.
 * Throws NotSignedIn for a wrong key, TooMany after too many of them.
 */
export type CallerOf = (shown: Shown) => Promise<Caller | undefined>
