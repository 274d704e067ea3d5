import type { Queries } from '../../database/schema.ts'
import { inventoryInScope, type Scope } from '../../database/scope.ts'

export interface ClientNotification {
  id: string
  body: string
  expiration: string
  global: boolean
}

export async function notificationsFor(
  db: Queries,
  scope: Scope,
  nowMs: number,
): Promise<ClientNotification[]> {
  const rows = await db
    .selectFrom('client_notifications')
    .select(['id', 'body', 'expires_ms', 'is_global'])
    .where('expires_ms', '>', nowMs)
    .where((eb) =>
      eb.or([eb('is_global', '=', 1), inventoryInScope(scope, eb.ref('inventory_id').$castTo<string>())]),
    )
    .orderBy('created_ms', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    body: row.body,
    expiration: new Date(row.expires_ms).toISOString(),
    global: row.is_global === 1,
  }))
}
