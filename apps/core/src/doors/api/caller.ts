// Who stands behind a request or a socket, and what he may do.
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
  signInId: string
  /** Writes repeat the token whose SHA-256 this is. */
  csrfHash: string
}

/** Finds who holds a sign-in cookie's secret; nobody when it is unknown, expired or signed out. */
export type CallerOf = (token: string) => Promise<Caller | undefined>
