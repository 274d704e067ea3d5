import type { Queries } from '../../database/schema.ts'

export async function readBody(db: Queries, userId: string): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom('preferences')
    .select('body')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? (JSON.parse(row.body) as Record<string, unknown>) : {}
}

export async function writeBody(
  db: Queries,
  userId: string,
  body: Record<string, unknown>,
  nowMs: number,
): Promise<void> {
  const values = { body: JSON.stringify(body), updated_ms: nowMs }
  await db
    .insertInto('preferences')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}
