// Sign-in at the operator's provider by OpenID Connect: the user here who returns from there.

import { Conflict } from '@backhaul/contract/define/errors'
import { OPENID_CALLBACK_PATH, type OpenidFault } from '@backhaul/contract/nouns/openid'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { isTaken } from '../../database/dialect.ts'
import type { EnterprisePerson, Identity, Person, Users } from '../users/users.ts'
import { type Attempt, createAttemptSeal } from './attempt-seal.ts'
import { type Claims, type Mappings, personOf } from './mapping.ts'
import { createProvider, isRefusal, isSilence, type Provider, type ProviderSettings } from './provider.ts'

export interface OpenidSettings extends ProviderSettings {
  /** The label of the button on the login page. */
  name: string
  mappings: Mappings
  /** Whether unknown users are added. */
  addsUsers: boolean
}

/** A sign-in at the provider that failed. */
export class OpenidFailure extends Error {
  readonly fault: OpenidFault
  /** The name or address that the provider gave, for the audit log. */
  readonly who: string

  constructor(fault: OpenidFault, who = '', cause?: unknown) {
    super(`The sign-in at the provider failed: ${fault}`, { cause })
    this.fault = fault
    this.who = who
  }
}

export interface Arrival {
  person: Person
  /** Their rights changed since their last sign-in. */
  hasOtherRights: boolean
  /** Ends the sign-in at the provider too. */
  idToken: string
  /** The path that they requested, as it was given. */
  next: string | undefined
}

export interface Openid {
  readonly name: string
  isReachable(): Promise<boolean>
  /**
   * Where to send a browser that will come back to this installation at `origin`, and what it keeps until then.
   * Throws OpenidFailure `unreachable`.
   */
  begin(origin: string, next: string | undefined): Promise<{ address: string; kept: string }>
  /** Who came back, by what their browser kept and the query of its address. Throws OpenidFailure. */
  finish(kept: string | undefined, search: string): Promise<Arrival>
  /** The address at which the provider ends the sign-in. */
  endAddress(idToken: string, origin: string): Promise<string | undefined>
}

/** Long enough to find a phone that shows a code. */
export const ATTEMPT_LASTS_MS = 10 * 60_000

interface Needs {
  clock: Clock
  log: Log
  users: Users
  settings: OpenidSettings
}

export function createOpenid({ clock, log, users, settings }: Needs): Openid {
  const provider = createProvider(settings, { clock, log })
  const seals = createAttemptSeal()

  /** The one who signed in with this identity before, else the enterprise user with the address, else a new one. */
  async function userOf(identity: Identity, person: EnterprisePerson): Promise<string> {
    const known = await users.enterprise.byIdentity(identity)
    if (known !== undefined) return known
    if (person.email === undefined) throw new OpenidFailure('unverified')
    const found = await users.enterprise.byEmail(person.email)
    if (found && !found.isEnterprise) throw new OpenidFailure('local')
    if (found) {
      await users.enterprise.addIdentity(found.id, identity)
      return found.id
    }
    const added = settings.addsUsers ? await users.enterprise.add(person, identity) : undefined
    if (added === undefined) throw new OpenidFailure('unknown')
    return added
  }

  async function arrive(claims: Claims): Promise<Omit<Arrival, 'idToken' | 'next'>> {
    const identity = { issuer: String(claims.iss), subject: String(claims.sub) }
    const described = personOf(claims, settings.mappings)
    const userId = await userOf(identity, described).catch(async (error) => {
      // A concurrent first sign-in may have stored it; an account of another identity is not changed.
      const written = isTaken(error) ? await users.enterprise.byIdentity(identity) : undefined
      if (written === undefined) throw isTaken(error) ? new OpenidFailure('unknown') : error
      return written
    })
    const before = await users.person(userId)
    if (!before?.active) throw new OpenidFailure('closed')
    const hasOtherRights = await users.enterprise.follow(userId, described)
    const person = await users.person(userId)
    if (!person) throw new OpenidFailure('closed')
    return { person, hasOtherRights }
  }

  return {
    name: settings.name,
    isReachable: provider.isReachable,
    async begin(origin, next) {
      const attempt: Attempt = {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
        redirectUri: origin + OPENID_CALLBACK_PATH,
        next,
        beganMs: clock.monotonicMs(),
      }
      const address = await provider.address(attempt).catch((error) => {
        throw new OpenidFailure('unreachable', '', error)
      })
      return { address, kept: seals.seal(attempt) }
    },
    async finish(kept, search) {
      const attempt = kept === undefined ? undefined : seals.open(kept)
      if (!attempt || clock.monotonicMs() - attempt.beganMs > ATTEMPT_LASTS_MS)
        throw new OpenidFailure('stale')
      const { claims, idToken } = await answerOf(provider, attempt, search)
      const arrival = await arrive(claims).catch((error) => {
        const who = String(claims.preferred_username ?? claims.email ?? claims.sub)
        if (error instanceof OpenidFailure) throw new OpenidFailure(error.fault, who)
        if (error instanceof Conflict) throw new OpenidFailure('licence', who, error)
        throw error
      })
      return { ...arrival, idToken, next: attempt.next }
    },
    endAddress: (idToken, origin) => provider.endAddress(idToken, `${origin}/login`),
  }
}

async function answerOf(provider: Provider, attempt: Attempt, search: string) {
  try {
    return await provider.claims(attempt, search)
  } catch (error) {
    const fault = isRefusal(error) ? 'refused' : isSilence(error) ? 'unreachable' : 'failed'
    throw new OpenidFailure(fault, '', error)
  }
}
