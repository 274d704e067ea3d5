// Second factors: what a user shows at sign-in in addition to the password, and how they add and remove it.
import { randomUUID } from 'node:crypto'
import { Conflict, InvalidRequest, NotAllowed, NotFound, NotSignedIn } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import {
  type Enrolled,
  type OwnSecondFactors,
  type PasskeyConfirmation,
  type PasskeyOffer,
  SECOND_FACTORS_MAX,
  type SecondFactorChallenge,
  type SecondStep,
  type TotpConfirmation,
  type TotpOffer,
} from '@backhaul/contract/nouns/second-factors'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Sealing } from '../../database/sealing.ts'
import { unlessTaken } from '../../database/unique.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { KnownBrowsers, ReadCookie } from '../../doors/api/known-browser.ts'
import { createLoginRateLimit } from '../../doors/api/login-rate-limit.ts'
import type { Events } from '../../world/events.ts'
import type { Person, Users } from '../users/users.ts'
import * as table from './factor-table.ts'
import * as passkeys from './passkeys.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import { newTotp, stepOf } from './totp.ts'
import { createWaiting } from './waiting.ts'

const minuteMs = 60_000
const challengeLastsMs = 5 * minuteMs
const enrolmentLastsMs = 10 * minuteMs
/** Wrong answers to one challenge; then the password is required again. */
const triesAtMost = 5
/** A minute, of each kind and from all addresses together: a code has six digits, so guesses must be few. */
const codesPerAccount = 10

/** The place that a user acts from. */
interface At {
  address: string
  /** Only at the sign-in, where the browser may be known. */
  readCookie?: ReadCookie
  /** The address at which their browser finds this installation. */
  origin: string
}

type Kind = SecondStep['proof']['kind']

export interface SecondFactors {
  own(userId: string): Promise<OwnSecondFactors>
  /** The user's own password is required before any change; throws InvalidRequest for a wrong one, TooMany after several. */
  offerTotp(caller: Caller, password: string, at: At): Promise<TotpOffer>
  confirmTotp(caller: Caller, given: TotpConfirmation, at: At): Promise<Enrolled>
  offerPasskey(caller: Caller, password: string, at: At): Promise<PasskeyOffer>
  confirmPasskey(caller: Caller, given: PasskeyConfirmation, at: At): Promise<Enrolled>
  renewRecoveryCodes(caller: Caller, password: string, at: At): Promise<string[]>
  remove(caller: Caller, id: string, password: string, at: At): Promise<void>
  /** Removes those of another user who lost them, and ends their sign-ins; answers the number of factors. */
  reset(caller: Caller, userId: string): Promise<number>
  /** The second step that a user needs after the correct password; undefined when the password is enough. */
  challenge(person: Person, at: At): Promise<SecondFactorChallenge | undefined>
  /**
   * Whose challenge it was and whether the answer is correct; a correct one ends it, and so does the fifth wrong one.
   * Throws NotSignedIn for a challenge that is over, TooMany after too many wrong answers.
   */
  prove(given: SecondStep, at: At): Promise<{ person: Person; isRight: boolean }>
}

interface Needs {
  db: Database
  clock: Clock
  /** The clock by which pending second steps expire. */
  ages: Clock
  log: Log
  events: Events
  users: Users
  sealing: Sealing
  knownBrowsers: KnownBrowsers
}

interface Challenged {
  userId: string
  /** The challenge that a passkey has to sign. */
  passkeyChallenge?: string | undefined
}

export function createSecondFactors(needs: Needs): SecondFactors {
  const { db, clock, log, events, users, sealing, knownBrowsers } = needs
  const attempts = createLoginRateLimit({ db, clock: needs.ages }, 'second factor')
  const challenged = createWaiting<Challenged>(needs, {
    kind: 'second step',
    lastsMs: challengeLastsMs,
    tries: triesAtMost,
  })
  const enrolling = { lastsMs: enrolmentLastsMs }
  const apps = createWaiting<{ userId: string; secret: string }>(needs, { kind: 'app', ...enrolling })
  const keys = createWaiting<{ userId: string; challenge: string }>(needs, { kind: 'passkey', ...enrolling })
  events.on('userShutOut', ({ userId }) => {
    Promise.all([challenged, apps, keys].map((waiting) => waiting.dropOf(userId))).catch((error) =>
      log.error(error, 'second factors: ending the pending steps of a user failed'),
    )
  })

  async function requirePassword(caller: Caller, password: string, { address }: At): Promise<void> {
    // Enterprise users show their second factor where they sign in (RO-PERM-32).
    if ((await users.details(caller.userId)).SSO) throw new NotAllowed('user.managedElsewhere')
    const takeBack = await attempts.take({ account: `password ${caller.userId}`, address })
    if (!(await users.withPassword(caller.username, password)))
      throw InvalidRequest.at('password', 'password.mismatch')
    await takeBack()
  }

  async function requireCapacity(userId: string): Promise<table.StoredFactor[]> {
    const factors = await table.factorsOf(db, userId)
    if (factors.length >= SECOND_FACTORS_MAX)
      throw new Conflict(because('secondFactor.tooMany', { most: SECOND_FACTORS_MAX }))
    return factors
  }

  /** Stores a new factor, and makes recovery codes for a user without any. */
  async function keep(
    factor: Omit<table.StoredFactor, 'id' | 'createdMs' | 'lastUsedMs'>,
  ): Promise<Enrolled> {
    const { userId } = factor
    const fresh = newRecoveryCodes()
    return await unlessTaken(
      db.transaction().execute(async (transaction) => {
        const row = { ...factor, id: randomUUID(), createdMs: clock.nowMs(), lastUsedMs: null }
        await table.insertFactor(transaction, row)
        if ((await table.countRecoveryCodes(transaction, userId)) > 0) return { recoveryCodes: null }
        await table.replaceRecoveryCodes(transaction, userId, fresh.hashes)
        return { recoveryCodes: fresh.codes }
      }),
      () => new Conflict('passkey.known'),
    )
  }

  async function isProven(
    userId: string,
    { proof }: SecondStep,
    pending: Challenged,
    at: At,
  ): Promise<boolean> {
    if (proof.kind === 'recoveryCode')
      return await table.useRecoveryCode(db, userId, recoveryCodeHash(proof.code))
    const factors = (await table.factorsOf(db, userId)).filter(({ kind }) => kind === proof.kind)
    if (proof.kind === 'passkey') {
      if (pending.passkeyChallenge === undefined) return false
      const from = { challenge: pending.passkeyChallenge, origin: at.origin }
      const proven = await passkeys.provenPasskey(proof.response, from, factors)
      return (
        proven !== undefined && (await table.noteUse(db, proven.passkey.id, proven.counter, clock.nowMs()))
      )
    }
    for (const { id, secret } of factors) {
      const opened = sealing.open(secret, userId)
      const step = opened === undefined ? undefined : stepOf(opened, proof.code, clock.nowMs())
      if (step !== undefined && (await table.noteUse(db, id, step, clock.nowMs()))) return true
    }
    return false
  }

  return {
    async own(userId) {
      const [factors, recoveryCodesLeft] = [
        await table.factorsOf(db, userId),
        await table.countRecoveryCodes(db, userId),
      ]
      const shown = factors.map(({ id, kind, name, createdMs, lastUsedMs }) => {
        return { id, kind, name, createdMs, lastUsedMs }
      })
      return { factors: shown, recoveryCodesLeft }
    },
    async offerTotp(caller, password, at) {
      await requirePassword(caller, password, at)
      const { userId, username } = caller
      await requireCapacity(userId)
      const offer = newTotp(username)
      return { enrolment: await apps.put({ userId, secret: offer.secret }), ...offer }
    },
    async confirmTotp({ userId }, { enrolment, code, name }, { address }) {
      const offered = await apps.find(enrolment)
      if (offered?.userId !== userId) throw enrolmentOver()
      const takeBack = await attempts.take({ account: `enrolment ${userId}`, address })
      const step = stepOf(offered.secret, code, clock.nowMs())
      if (step === undefined) throw InvalidRequest.at('code', 'secondFactor.wrongCode')
      await takeBack()
      if (!(await apps.use(enrolment))) throw enrolmentOver()
      await requireCapacity(userId)
      const secret = sealing.seal(offered.secret, userId)
      // The code that confirmed the app is not valid for a sign-in too.
      return await keep({
        userId,
        kind: 'totp',
        name,
        secret,
        credentialId: null,
        transports: [],
        counter: step,
      })
    },
    async offerPasskey(caller, password, at) {
      await requirePassword(caller, password, at)
      const { userId, username } = caller
      const present = (await requireCapacity(userId)).filter(({ kind }) => kind === 'passkey')
      const { challenge, options } = await passkeys.askForPasskey(
        { id: userId, username },
        at.origin,
        present,
      )
      return { enrolment: await keys.put({ userId, challenge }), options }
    },
    async confirmPasskey({ userId }, { enrolment, name, response }, { origin }) {
      const offered = await keys.find(enrolment)
      if (offered?.userId !== userId || !(await keys.use(enrolment))) throw enrolmentOver()
      const made = await passkeys.madePasskey(response, { challenge: offered.challenge, origin })
      if (!made) throw InvalidRequest.at('response', 'passkey.invalid')
      await requireCapacity(userId)
      return await keep({ userId, kind: 'passkey', name, ...made })
    },
    async renewRecoveryCodes(caller, password, at) {
      await requirePassword(caller, password, at)
      const { userId } = caller
      if ((await table.factorsOf(db, userId)).length === 0) throw new Conflict('secondFactor.noneForCodes')
      const fresh = newRecoveryCodes()
      await db
        .transaction()
        .execute((transaction) => table.replaceRecoveryCodes(transaction, userId, fresh.hashes))
      return fresh.codes
    },
    async remove(caller, id, password, at) {
      await requirePassword(caller, password, at)
      const { userId } = caller
      await db.transaction().execute(async (transaction) => {
        if (!(await table.deleteFactor(transaction, userId, id))) throw new NotFound('secondFactor')
        if ((await table.factorsOf(transaction, userId)).length > 0) return
        await table.replaceRecoveryCodes(transaction, userId, [])
      })
    },
    async reset(caller, userId) {
      if (userId === caller.userId) throw new Conflict('secondFactor.own')
      await users.administration.requireAdministered(caller, userId)
      await challenged.dropOf(userId)
      const removed = await db.transaction().execute(async (transaction) => {
        await table.replaceRecoveryCodes(transaction, userId, [])
        return await table.deleteFactorsOf(transaction, userId)
      })
      events.emit('userShutOut', { userId })
      return removed
    },
    async challenge({ id: userId }, { origin }) {
      const factors = await table.factorsOf(db, userId)
      if (factors.length === 0) return undefined
      const own = factors.filter(({ kind }) => kind === 'passkey')
      const pending = own.length > 0 ? await passkeys.challengeProof(origin, own) : undefined
      const kinds: Kind[] = [...new Set(factors.map(({ kind }) => kind))]
      if ((await table.countRecoveryCodes(db, userId)) > 0) kinds.push('recoveryCode')
      const passkeyChallenge = pending?.challenge
      return {
        challenge: await challenged.put({ userId, passkeyChallenge }),
        kinds,
        passkeyOptions: pending?.options ?? null,
      }
    },
    async prove(given, at) {
      const { challenge, proof } = given
      const pending = await challenged.find(challenge)
      const person = pending && (await users.person(pending.userId))
      if (!pending || !person?.active) throw challengeOver()
      const takeBack = await attempts.take({
        account: `${proof.kind} ${person.id}`,
        address: at.address,
        knownBrowser: at.readCookie && knownBrowsers.find(person.username, at.readCookie),
        perAccount: codesPerAccount,
      })
      if (!(await challenged.takeTry(challenge))) throw challengeOver()
      if (!(await isProven(person.id, given, pending, at))) return { person, isRight: false }
      // Gone when the user was shut out while the answer was checked.
      if (!(await challenged.use(challenge))) throw challengeOver()
      await takeBack()
      return { person, isRight: true }
    },
  }
}

const enrolmentOver = () => new Conflict('secondFactor.enrolmentExpired')
const challengeOver = () => new NotSignedIn('signIn.expired')
