import type { Queries } from '../../database/schema.ts'
import type { AuditLine } from './audit.ts'

export async function insertLine(db: Queries, line: AuditLine & { id: string; atMs: number }): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      id: line.id,
      at_ms: line.atMs,
      user_id: line.userId,
      username: line.username,
      action: line.action,
      object_kind: line.objectKind,
      object_id: line.objectId,
      inventory_id: line.inventoryId,
      address: line.address,
      result: line.result,
      details: JSON.stringify(line.details),
    })
    .execute()
}
