import { type EmailRecipient, VERIFICATION_LASTS_MS } from '@backhaul/contract/nouns/recipients'
import type { Queries } from '../../database/schema.ts'
import type { GroupRecipientRow } from '../../database/settings-schema.ts'

/** By group, each by address; `only` narrows them to some groups. */
export async function recipientsOf(
  db: Queries,
  only?: readonly string[],
): Promise<Map<string, EmailRecipient[]>> {
  const rows = await db
    .selectFrom('group_recipients')
    .selectAll()
    .$if(only !== undefined, (query) => query.where('group_id', 'in', only ?? []))
    .orderBy('email_key')
    .execute()
  const byGroup = Map.groupBy(rows, (row) => row.group_id)
  return new Map([...byGroup].map(([groupId, of]) => [groupId, of.map(shownRecipient)]))
}

export const shownRecipient = ({
  email,
  verified_ms: verifiedMs,
  link_sent_ms: sentMs,
}: Pick<GroupRecipientRow, 'email' | 'verified_ms' | 'link_sent_ms'>): EmailRecipient => ({
  email,
  verified: verifiedMs !== null,
  linkEndsAt: verifiedMs === null ? new Date(sentMs + VERIFICATION_LASTS_MS).toISOString() : null,
})

export async function recipientRows(db: Queries, groupId: string): Promise<GroupRecipientRow[]> {
  return await db.selectFrom('group_recipients').selectAll().where('group_id', '=', groupId).execute()
}

/** A row that exists already is not changed; answers whether it was new. */
export async function insertRecipient(db: Queries, row: GroupRecipientRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('group_recipients')
    .values(row)
    .onConflict((conflict) => conflict.columns(['group_id', 'email_key']).doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

export async function deleteRecipients(
  db: Queries,
  groupId: string,
  emailKeys: readonly string[],
): Promise<void> {
  if (emailKeys.length === 0) return
  await db
    .deleteFrom('group_recipients')
    .where('group_id', '=', groupId)
    .where('email_key', 'in', emailKeys)
    .execute()
}

export async function updateRecipient(
  db: Queries,
  { group_id: groupId, email_key: emailKey }: Pick<GroupRecipientRow, 'group_id' | 'email_key'>,
  changes: Partial<GroupRecipientRow>,
): Promise<void> {
  await db
    .updateTable('group_recipients')
    .set(changes)
    .where('group_id', '=', groupId)
    .where('email_key', '=', emailKey)
    .execute()
}

interface OfGroup extends GroupRecipientRow {
  group: string
  inventoryId: string
}

const withGroup = (db: Queries) =>
  db
    .selectFrom('group_recipients')
    .innerJoin('groups', 'groups.id', 'group_recipients.group_id')
    .selectAll('group_recipients')
    .select(['groups.name as group', 'groups.inventory_id as inventoryId'])

export async function recipientByToken(db: Queries, tokenHash: string): Promise<OfGroup | undefined> {
  return await withGroup(db).where('token_hash', '=', tokenHash).executeTakeFirst()
}

/** Verified ones without an e-mail about alerts since then; one in the future is from before the clock was set back. */
export async function recipientsSilentSince(db: Queries, sinceMs: number, nowMs: number): Promise<OfGroup[]> {
  return await withGroup(db)
    .where('verified_ms', 'is not', null)
    .where((is) => is.or([is('mailed_ms', '<=', sinceMs), is('mailed_ms', '>', nowMs)]))
    .execute()
}
