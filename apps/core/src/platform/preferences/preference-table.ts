import type { Queries } from '../../database/schema.ts'

export async function readBody(db: Queries, userId: string): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom('preferences')
    .select('body')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? (JSON.parse(row.body) as Record<string, unknown>) : {}
}

/** Makes every other writer for the same user wait for the end of the transaction, also before the first save. */
export async function holdBody(db: Queries, userId: string, nowMs: number): Promise<void> {
  await db
    .insertInto('preferences')
    .values({ user_id: userId, body: '{}', updated_ms: nowMs })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ updated_ms: nowMs }))
    .execute()
}

export async function writeBody(
  db: Queries,
  userId: string,
  body: Record<string, unknown>,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('preferences')
    .set({ body: JSON.stringify(body), updated_ms: nowMs })
    .where('user_id', '=', userId)
    .execute()
}
