// Limits attempts to sign in, by account and by address, in a sliding window; in the database, for every core.
import { TooMany } from '@backhaul/contract/define/errors'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import { forgetAttempts, recentAttempts, recordAttempts, windowMs } from '../attempts.ts'
import { lineOf } from '../source-address.ts'

const perBrowser = 5
const perAccountAtAddress = 5
const perAddress = 20
const perAccountAtMost = 20

export interface Attempt {
  /** The account that is tried; without one the attempt counts for the address alone. */
  account?: string
  address: string
  /** One that has signed in to this account before: it is counted separately from other browsers. */
  knownBrowser?: string | undefined
  /** The limit for all addresses together; a secret that cannot be guessed needs none. */
  perAccount?: number
}

export interface LoginRateLimit {
  /** Throws TooMany; else counts one attempt, which the returned function removes when it succeeded. */
  take(attempt: Attempt): Promise<() => Promise<void>>
}

/** Attempts of one `purpose` count together. */
export function createLoginRateLimit(
  { db, clock }: { db: Database; clock: Clock },
  purpose: string,
): LoginRateLimit {
  return {
    async take(attempt) {
      const nowMs = clock.nowMs()
      const limits = limitsOf(attempt).map((limit) => ({ ...limit, key: `${purpose} ${limit.key}` }))
      for (const { key, most } of limits) {
        const times = await recentAttempts(db, key, nowMs)
        const oldest = times[times.length - most]
        if (oldest) throw tooMany(oldest.at_ms, nowMs)
      }
      const keys = limits.map(({ key }) => key)
      const ids = await recordAttempts(db, keys, nowMs)
      // Others may have been counted in the meantime: the first ones pass.
      for (const [at, { key, most }] of limits.entries()) {
        const times = await recentAttempts(db, key, nowMs)
        const place = times.findIndex(({ id }) => id === ids[at])
        if (place < most) continue
        await forgetAttempts(db, ids)
        throw tooMany(times[place - most]?.at_ms ?? nowMs, nowMs)
      }
      return () => forgetAttempts(db, ids)
    },
  }
}

const tooMany = (oldestMs: number, nowMs: number) =>
  new TooMany(Math.ceil((oldestMs + windowMs - nowMs) / 1000))

function limitsOf({ account, address, knownBrowser, perAccount = perAccountAtMost }: Attempt) {
  const line = lineOf(address)
  const ofAddress = { key: `address ${line}`, most: perAddress }
  if (account === undefined) return [ofAddress]
  const name = account.toLowerCase()
  if (knownBrowser !== undefined) return [{ key: `browser ${knownBrowser} of ${name}`, most: perBrowser }]
  return [
    { key: `account ${name} at ${line}`, most: perAccountAtAddress },
    ofAddress,
    { key: `account ${name}`, most: perAccount },
  ]
}
