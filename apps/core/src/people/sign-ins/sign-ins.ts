// Sign-ins: one browser in which a user is signed in, from the password to sign-out or expiry.
import { randomBytes, randomUUID } from 'node:crypto'
import { InvalidRequest, NotFound, NotSignedIn, Refusal } from '@backhaul/contract/define/errors'
import { because, type Wording, wordingOf } from '@backhaul/contract/define/refusals'
import type { SecondFactorChallenge, SecondStep } from '@backhaul/contract/nouns/second-factors'
import type { FirstUser as GivenUser, OwnSignIn, SignInWays } from '@backhaul/contract/nouns/sign-ins'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import { everything } from '../../database/scope.ts'
import { hashSecret } from '../../database/secrets.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { KnownBrowserCookie, KnownBrowsers, ReadCookie } from '../../doors/api/known-browser.ts'
import { createLoginRateLimit } from '../../doors/api/login-rate-limit.ts'
import type { Audit } from '../../platform/audit/audit.ts'
import type { EventMap, Events } from '../../world/events.ts'
import { type Openid, OpenidFailure } from '../openid/openid.ts'
import type { SecondFactors } from '../second-factors/second-factors.ts'
import type { Person, Users } from '../users/users.ts'
import { createFirstUser, type FirstUser } from './first-user.ts'
import * as table from './sign-in-table.ts'

const hourMs = 3_600_000
/** A sign-in expires after this, even when it is used. */
const lastsMs = 14 * 24 * hourMs
/** A shift and the way home; an open console sends a request every five minutes. */
const idleMs = 24 * hourMs
/** Claims of a provider are requested again at least once a day of work. */
const lastsFromProviderMs = 12 * hourMs
/** Use is recorded at most this often, so that reads do not cause writes. */
const noteUseMs = 60_000
const sweepMs = hourMs

/** The place that a user signs in from. */
export interface Origin {
  address: string
  agent: string
  /** The secret of the sign-in that the browser holds already: that one ends. */
  presentToken: string | undefined
  readCookie: ReadCookie
}

export interface Credentials extends Origin {
  username: string
  password: string
  /** The address at which the browser finds this installation: a passkey belongs to one site. */
  origin: string
}

/** A browser that comes back from the provider. */
export interface Return extends Origin {
  /** The value that it kept when it was redirected there. */
  kept: string | undefined
  /** The query of its address. */
  search: string
}

export interface Opened {
  userId: string
  token: string
  csrf: string
  lastsMs: number
  /** The browser is recognised by it at the next sign-in to this account. */
  known: KnownBrowserCookie
}

export interface SignIns {
  /** Throws NotSignedIn for a wrong name or password alike, TooMany after too many of them. */
  open(credentials: Credentials): Promise<Opened | { secondFactor: SecondFactorChallenge }>
  /** The step after the password for users with a second factor; throws the same. */
  openBySecondStep(given: SecondStep, origin: Origin & Pick<Credentials, 'origin'>): Promise<Opened>
  /** Throws OpenidFailure, or TooMany after too many of them. `next` is the requested path. */
  openFromProvider(arriving: Return): Promise<Opened & { next: string | undefined }>
  /** Whether users can sign in at a provider too, and whether it answers now. */
  ways(): Promise<SignInWays>
  firstUser: FirstUser
  /** Makes the first user, see first-user.ts, and signs them in. */
  openFirst(given: GivenUser, origin: Origin): Promise<Opened>
  /** Answers where the sign-in at the provider ends, if it began there. */
  close(caller: Caller, origin: string): Promise<string | undefined>
  /** Where the caller is signed in now, the last used first. */
  own(caller: Caller): Promise<OwnSignIn[]>
  /** Changes the caller's own password; guesses at the old one count like those at the login page. */
  changePassword(
    caller: Caller,
    given: { oldPassword: string; password: string },
    address: string,
  ): Promise<void>
  /** Throws NotFound for one that is over or another user's. */
  endOwn(caller: Caller, id: string): Promise<void>
  /** Answers how many there were. */
  endOthers(caller: Caller): Promise<number>
  /** Undefined when the cookie's secret is unknown, expired or signed out. */
  callerOf(token: string): Promise<Caller | undefined>
  /** Ends expired sign-ins every hour, so that sockets left open are closed too. */
  start(): Promise<void>
  stop(): void
}

interface Needs {
  db: Database
  clock: Clock
  /** The clock by which sign-ins expire. */
  ages: Clock
  log: Log
  events: Events
  audit: Audit
  users: Users
  secondFactors: SecondFactors
  knownBrowsers: KnownBrowsers
  /** The provider of the installation, if it has one. */
  openid: Openid | undefined
}

export function createSignIns(needs: Needs): SignIns {
  const { db, clock, ages, log, events, audit, users, secondFactors, openid, knownBrowsers } = needs
  const attempts = createLoginRateLimit({ db, clock: ages }, 'sign-in')
  const firstUser = createFirstUser({ users, attempts })

  let sweeping: Timer | undefined

  const emitEnded = ({ id, userId }: { id: string; userId: string }) =>
    events.emit('signInEnded', { signInId: id, userId })

  async function end(signIn: { id: string; userId: string }): Promise<table.SignIn | undefined> {
    const ended = await table.deleteSignIn(db, signIn.id)
    emitEnded(signIn)
    return ended
  }

  async function sweep(): Promise<void> {
    const nowMs = ages.nowMs()
    for (const signIn of await table.deleteEnded(db, nowMs, nowMs - idleMs)) emitEnded(signIn)
  }

  async function record(
    action: string,
    who: { id: string | null; username: string },
    address: string,
    refusal?: Wording,
  ) {
    await audit.record({
      userId: who.id,
      username: who.username,
      scope: everything,
      action,
      objectKind: 'signIns',
      objectId: null,
      inventoryId: null,
      address,
      result: refusal?.message ?? 'done',
      cause: refusal?.cause,
      details: {},
    })
  }

  const isOver = (signIn: table.SignIn): boolean => {
    const nowMs = ages.nowMs()
    return signIn.expiresMs <= nowMs || signIn.lastSeenMs + idleMs <= nowMs
  }

  const liveOf = async (userId: string) =>
    (await table.signInsOf(db, userId)).filter((signIn) => !isOver(signIn))

  async function shutOut({ userId, exceptSignInId }: EventMap['userShutOut']): Promise<void> {
    for (const signIn of await table.deleteOfUser(db, userId, exceptSignInId)) emitEnded(signIn)
  }
  events.on('userShutOut', (news) => {
    shutOut(news).catch((error) => log.error(error, 'sign-ins: ending those of a user failed'))
  })

  /** Sign-ins that are being checked, each with the users who were shut out since it began. */
  const underWay = new Set<Set<string>>()
  events.on('userShutOut', ({ userId }) => {
    for (const shutOut of underWay) shutOut.add(userId)
  })

  /** A user who is shut out meanwhile is not signed in: an old password is refused once there is a new one. */
  async function proven<Proof extends { person: Person; opened: object }>(
    prove: () => Promise<Proof>,
  ): Promise<Proof> {
    const shutOut = new Set<string>()
    underWay.add(shutOut)
    try {
      const proof = await prove()
      const { person, opened } = proof
      if (!shutOut.has(person.id)) return proof
      if ('id' in opened) await end({ id: String(opened.id), userId: person.id })
      throw new NotSignedIn('signIn.incorrect')
    } finally {
      underWay.delete(shutOut)
    }
  }

  async function begin(
    person: Person,
    { address, agent, presentToken }: Origin,
    { lasts = lastsMs, openidToken = null as string | null } = {},
  ): Promise<Opened & { id: string }> {
    const nowMs = ages.nowMs()
    const present = presentToken && (await table.findByTokenHash(db, hashSecret(presentToken)))
    if (present) await end(present)
    const [token, csrf] = [randomBytes(32).toString('base64url'), randomBytes(24).toString('base64url')]
    const id = randomUUID()
    await table.insertSignIn(db, {
      id,
      userId: person.id,
      tokenHash: hashSecret(token),
      csrfHash: hashSecret(csrf),
      address,
      agent: agent.slice(0, 255),
      createdMs: nowMs,
      lastSeenMs: nowMs,
      expiresMs: nowMs + lasts,
      openidToken,
    })
    const known = knownBrowsers.make(person.username)
    return { id, userId: person.id, token, csrf, lastsMs: lasts, known }
  }

  return {
    firstUser,
    async openFirst(given, origin) {
      try {
        const person = await firstUser.make(given, origin.address)
        await record('signIns.makeFirstUser', person, origin.address)
        return await begin(person, origin)
      } catch (error) {
        if (error instanceof Refusal)
          await record('signIns.makeFirstUser', { id: null, username: given.username }, origin.address, error)
        throw error
      }
    },
    async open({ username, password, ...origin }) {
      const { address } = origin
      const knownBrowser = knownBrowsers.find(username, origin.readCookie)
      const takeBack = await attempts.take({ account: username, address, knownBrowser })
      const { person, opened } = await proven(async () => {
        const person = await users.withPassword(username, password)
        if (!person) {
          const refusal = new NotSignedIn('signIn.incorrect')
          await record('signIns.signIn', { id: null, username }, address, refusal)
          throw refusal
        }
        await takeBack()
        const secondFactor = await secondFactors.challenge(person, origin)
        return { person, opened: secondFactor ? { secondFactor } : await begin(person, origin) }
      })
      if (!('secondFactor' in opened)) await record('signIns.signIn', person, address)
      return opened
    },
    async openBySecondStep(given, origin) {
      const { opened } = await proven(async () => {
        const { person, isRight } = await secondFactors.prove(given, origin)
        const refusal = isRight ? undefined : new NotSignedIn('secondFactor.wrongCode')
        await record('signIns.secondStep', person, origin.address, refusal)
        if (refusal) throw refusal
        return { person, opened: await begin(person, origin) }
      })
      return opened
    },
    async openFromProvider({ kept, search, ...origin }) {
      if (!openid) throw new OpenidFailure('stale')
      const takeBack = await attempts.take({ address: origin.address })
      try {
        const { person, hasOtherRights, idToken, next } = await openid.finish(kept, search)
        await takeBack()
        const opened = await begin(person, origin, { lasts: lastsFromProviderMs, openidToken: idToken })
        if (hasOtherRights) await shutOut({ userId: person.id, exceptSignInId: opened.id })
        await record('signIns.openid', person, origin.address)
        return { ...opened, next }
      } catch (error) {
        if (error instanceof OpenidFailure) {
          log.info({ err: error.cause, fault: error.fault }, 'sign-in at the provider failed')
          const why = because('openid.failed', { error: error.fault })
          await record('signIns.openid', { id: null, username: error.who }, origin.address, wordingOf(why))
        }
        throw error
      }
    },
    ways: async () => ({
      openid: openid ? { name: openid.name, isReachable: await openid.isReachable() } : null,
    }),
    async start() {
      await table.clampFutureSignIns(db, ages.nowMs())
      const failed = (error: unknown) => log.error(error, 'sign-ins: deleting expired ones failed')
      sweeping = clock.setInterval(() => void sweep().catch(failed), sweepMs)
    },
    stop: () => clock.clearInterval(sweeping),
    async close({ signInId, userId }, origin) {
      const ended = await end({ id: signInId, userId })
      return ended?.openidToken ? await openid?.endAddress(ended.openidToken, origin) : undefined
    },
    async changePassword(caller, given, address) {
      const takeBack = await attempts.take({ account: caller.username, address })
      try {
        await users.administration.changePassword(caller, given)
      } catch (error) {
        const isGuess =
          error instanceof InvalidRequest && error.fields.some(({ field }) => field === 'oldPassword')
        if (!isGuess) await takeBack()
        throw error
      }
      await takeBack()
    },
    async own({ userId, signInId }) {
      // Readers compare with the present wall clock.
      const aheadMs = clock.nowMs() - ages.nowMs()
      return (await liveOf(userId)).map(({ id, address, agent, ...signIn }) => {
        const [createdMs, lastSeenMs] = [signIn.createdMs + aheadMs, signIn.lastSeenMs + aheadMs]
        return { id, address, agent, createdMs, lastSeenMs, isThis: id === signInId }
      })
    },
    async endOwn({ userId }, id) {
      const signIn = (await liveOf(userId)).find((own) => own.id === id)
      if (!signIn) throw new NotFound('signIn')
      await end(signIn)
    },
    async endOthers({ userId, signInId }) {
      const others = (await liveOf(userId)).filter(({ id }) => id !== signInId)
      for (const other of others) await end(other)
      return others.length
    },
    async callerOf(token) {
      const signIn = await table.findByTokenHash(db, hashSecret(token))
      if (!signIn) return undefined
      if (isOver(signIn)) {
        await end(signIn)
        return undefined
      }
      const person = await users.person(signIn.userId)
      if (!person?.active) return undefined
      const nowMs = ages.nowMs()
      if (nowMs - signIn.lastSeenMs >= noteUseMs) await table.touch(db, signIn.id, nowMs)
      const { id: userId, username, roles, ODA } = person
      const scope = await users.scopeOf(person)
      return { userId, username, roles, ODA, scope, signInId: signIn.id, csrfHash: signIn.csrfHash }
    },
  }
}
