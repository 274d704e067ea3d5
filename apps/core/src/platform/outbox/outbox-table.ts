import { type Mail, type MailKind, OUTBOX_TRIES, outboxPauseMs } from '@backhaul/contract/nouns/outbox'
import { contains } from '../../database/dialect.ts'
import { countOf } from '../../database/paging.ts'
import type { MailRow, Queries } from '../../database/schema.ts'
import { inventoryInScope, type Scope } from '../../database/scope.ts'

/** Mail without a customer is the installation's own, for those who may see all customers. */
const inScope = (db: Queries, scope: Scope) => {
  const rows = db.selectFrom('mails')
  return scope.everything
    ? rows
    : rows.where((eb) => inventoryInScope(scope, eb.ref('inventory_id').$notNull()))
}

export async function insertMail(db: Queries, row: MailRow): Promise<void> {
  await db.insertInto('mails').values(row).execute()
}

export interface MailPage {
  state: Mail['state'] | undefined
  search: string
  offset: number
  limit: number
}

export async function mailPage(
  db: Queries,
  scope: Scope,
  { state, search, offset, limit }: MailPage,
): Promise<{ items: Mail[]; total: number }> {
  let rows = inScope(db, scope)
  if (state !== undefined) rows = rows.where('state', '=', state)
  if (search !== '')
    rows = rows.where((eb) =>
      eb.or(
        (['recipient', 'subject', 'text'] as const).map((column) => contains(db, eb.ref(column), search)),
      ),
    )
  const [found, total] = await Promise.all([
    rows.selectAll().orderBy('created_ms', 'desc').orderBy('id').limit(limit).offset(offset).execute(),
    countOf(rows),
  ])
  return { items: found.map(mailOf), total }
}

export async function findMail(db: Queries, scope: Scope, id: string): Promise<Mail | undefined> {
  const row = await inScope(db, scope).selectAll().where('id', '=', id).executeTakeFirst()
  return row && mailOf(row)
}

/** The due messages of these kinds, the oldest first. */
export async function dueMails(
  db: Queries,
  kinds: readonly MailKind[],
  nowMs: number,
  atMost: number,
): Promise<Mail[]> {
  const rows = await db
    .selectFrom('mails')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('kind', 'in', kinds)
    // A message that is due later than the longest pause was postponed before the clock was set back.
    .where((is) => is.or([is('due_ms', '<=', nowMs), is('due_ms', '>', nowMs + outboxPauseMs(OUTBOX_TRIES))]))
    .orderBy('due_ms')
    .limit(atMost)
    .execute()
  return rows.map(mailOf)
}

export async function updateMail(
  db: Queries,
  id: string,
  changes: Partial<Pick<MailRow, 'state' | 'tries' | 'fault' | 'due_ms' | 'sent_ms'>>,
): Promise<void> {
  await db.updateTable('mails').set(changes).where('id', '=', id).execute()
}

export async function deleteMail(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute()
}

const mailOf = (row: MailRow): Mail => ({
  id: row.id,
  kind: row.kind as MailKind,
  recipient: row.recipient,
  subject: row.subject,
  text: row.text,
  state: row.state as Mail['state'],
  tries: row.tries,
  fault: row.fault,
  createdOn: new Date(row.created_ms).toISOString(),
  sentOn: row.sent_ms === null ? null : new Date(row.sent_ms).toISOString(),
})
