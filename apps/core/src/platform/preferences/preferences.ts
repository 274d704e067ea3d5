// Preferences: what the console stores for a user.
import { type PreferenceChanges, UserPreferences } from '@backhaul/contract/nouns/preferences'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import { holdBody, readBody, writeBody } from './preference-table.ts'

export interface Preferences {
  of(userId: string): Promise<UserPreferences>
  /** Replaces those that are named. */
  save(userId: string, changes: PreferenceChanges): Promise<void>
}

export function createPreferences({ db, clock }: { db: Database; clock: Clock }): Preferences {
  return {
    of: async (userId) => readable(await readBody(db, userId)),
    save: (userId, changes) =>
      db.transaction().execute(async (transaction) => {
        await holdBody(transaction, userId, clock.nowMs())
        const body = { ...(await readBody(transaction, userId)), ...changes }
        await writeBody(transaction, userId, body, clock.nowMs())
      }),
  }
}

/** A value of an older release that this one does not understand falls back to its default, each separately. */
function readable(body: Record<string, unknown>): UserPreferences {
  const kept = Object.entries(UserPreferences.shape).filter(
    ([name, field]) => field.safeParse(body[name]).success,
  )
  return UserPreferences.parse(Object.fromEntries(kept.map(([name]) => [name, body[name]])))
}
