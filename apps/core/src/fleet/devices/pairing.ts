// Pairing codes: an operator makes one, one machine registers with it, then it is invalid.

import { randomInt } from 'node:crypto'
import { NotAllowed } from '@backhaul/contract/define/errors'
import { causeOf, english, type PlainCode } from '@backhaul/contract/define/refusals'
import {
  newPairingCode,
  normalPairingCode,
  PAIRING_TTL_MS,
  pairingRefusal,
} from '@backhaul/contract/nouns/pairing'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database, DatabaseTransaction, Queries } from '../../database/schema.ts'
import { hashSecret } from '../../database/secrets.ts'
import {
  clampFutureCodes,
  deleteCodesExpiredBefore,
  findCode,
  insertCode,
  type PairingFacts,
  useCode,
} from './pairing-table.ts'

/** For this long a late machine gets the reason for its refusal; after that the code is unknown. */
const rememberedMs = 24 * 60 * 60_000

export interface PairingCode {
  code: string
  expiresMs: number
}

export interface Pairing {
  /** The caller checks whether the user may make a code for the group. */
  make(groupId: string, userId: string, ttlMs?: number): Promise<PairingCode>
  /** Several codes, in a transaction of the caller's. */
  makeSeveral(
    transaction: DatabaseTransaction,
    count: number,
    groupId: string,
    userId: string,
    ttlMs: number,
  ): Promise<PairingCode[]>
  /** The code that a machine sent as its key; undefined when there is none, NotAllowed when it is over. */
  find(key: string): Promise<{ codeHash: string; groupId: string } | undefined>
  /** The state of a code, without using it; undefined when there is none, or none any more. */
  read(key: string): Promise<PairingFacts | undefined>
  /** Uses the code within the transaction that makes the device; throws NotAllowed when it was used meanwhile. */
  spend(transaction: DatabaseTransaction, codeHash: string, deviceId: string): Promise<void>
}

export function createPairing({ db, clock }: { db: Database; clock: Clock }): Pairing {
  async function forget(queries: Queries): Promise<void> {
    const nowMs = clock.nowMs()
    await clampFutureCodes(queries, nowMs)
    await deleteCodesExpiredBefore(queries, nowMs - rememberedMs)
  }

  async function add(queries: Queries, groupId: string, userId: string, ttlMs: number): Promise<PairingCode> {
    const createdMs = clock.nowMs()
    const expiresMs = createdMs + ttlMs
    const code = newPairingCode((below) => randomInt(below))
    const codeHash = hashSecret(normalPairingCode(code) ?? '')
    await insertCode(queries, { codeHash, groupId, userId, createdMs, expiresMs })
    return { code, expiresMs }
  }

  async function read(key: string): Promise<PairingFacts | undefined> {
    const plain = normalPairingCode(key)
    if (plain === undefined) return undefined
    await clampFutureCodes(db, clock.nowMs())
    return await findCode(db, hashSecret(plain))
  }

  return {
    async make(groupId, userId, ttlMs = PAIRING_TTL_MS) {
      await forget(db)
      return await add(db, groupId, userId, ttlMs)
    },
    async makeSeveral(transaction, count, ...given) {
      await forget(transaction)
      const made: PairingCode[] = []
      while (made.length < count) made.push(await add(transaction, ...given))
      return made
    },
    read,
    async find(key) {
      const found = await read(key)
      if (!found) return undefined
      refuse(pairingRefusal(found, clock.nowMs()))
      return found
    },
    async spend(transaction, codeHash, deviceId) {
      if (!(await useCode(transaction, codeHash, deviceId))) refuse('pairing.used')
    },
  }
}

function refuse(reason: PlainCode | undefined): void {
  if (reason === undefined) return
  throw new NotAllowed({ message: `registrationKey: ${english(reason)}`, cause: causeOf(reason) })
}
