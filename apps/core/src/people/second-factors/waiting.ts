// Pending second steps: stored sealed for some minutes under a secret that is shown once and used once.
import { randomBytes } from 'node:crypto'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import type { Sealing } from '../../database/sealing.ts'
import { hashSecret } from '../../database/secrets.ts'

export interface Waiting<T> {
  /** Answers the secret. */
  put(value: T): Promise<string>
  /** Undefined for one that is unknown, used, dropped or too old. */
  find(secret: string): Promise<T | undefined>
  /** Counts one of its tries; false when none is left or it is gone. */
  takeTry(secret: string): Promise<boolean>
  /** Ends it; false when it was gone, so that of several at the same time one succeeds. */
  use(secret: string): Promise<boolean>
  dropOf(userId: string): Promise<void>
}

interface Needs {
  db: Database
  /** The clock by which they expire. */
  ages: Clock
  sealing: Sealing
}

export function createWaiting<T extends { userId: string }>(
  { db, ages, sealing }: Needs,
  { kind, lastsMs, tries = 1 }: { kind: string; lastsMs: number; tries?: number },
): Waiting<T> {
  const ownerOf = (userId: string) => `${kind} ${userId}`
  return {
    async put(value) {
      const nowMs = ages.nowMs()
      await db.deleteFrom('challenges').where('until_ms', '<=', nowMs).execute()
      const secret = randomBytes(24).toString('base64url')
      await db
        .insertInto('challenges')
        .values({
          secret_hash: hashSecret(secret),
          kind,
          user_id: value.userId,
          sealed: sealing.seal(JSON.stringify(value), ownerOf(value.userId)),
          tries_left: tries,
          until_ms: nowMs + lastsMs,
        })
        .execute()
      return secret
    },
    async find(secret) {
      const nowMs = ages.nowMs()
      const row = await db
        .selectFrom('challenges')
        .select(['user_id', 'sealed'])
        .where('secret_hash', '=', hashSecret(secret))
        .where('kind', '=', kind)
        .where('until_ms', '>', nowMs)
        // One that was made before the clock was set back would wait too long.
        .where('until_ms', '<=', nowMs + lastsMs)
        .executeTakeFirst()
      const value = row && sealing.open(row.sealed, ownerOf(row.user_id))
      return value === undefined ? undefined : (JSON.parse(value) as T)
    },
    async takeTry(secret) {
      const { numUpdatedRows } = await db
        .updateTable('challenges')
        .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
        .where('secret_hash', '=', hashSecret(secret))
        .where('kind', '=', kind)
        .where('tries_left', '>', 0)
        .executeTakeFirst()
      return numUpdatedRows > 0
    },
    async use(secret) {
      const { numDeletedRows } = await db
        .deleteFrom('challenges')
        .where('secret_hash', '=', hashSecret(secret))
        .where('kind', '=', kind)
        .executeTakeFirst()
      return numDeletedRows > 0
    },
    async dropOf(userId) {
      await db.deleteFrom('challenges').where('user_id', '=', userId).where('kind', '=', kind).execute()
    },
  }
}
