import type { Queries } from '../../database/schema.ts'

export async function isTransmitting(db: Queries, unitId: string): Promise<boolean> {
  const row = await db
    .selectFrom('transmissions')
    .select('id')
    .where('unit_id', '=', unitId)
    .where('stopped_ms', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The first channel of the server, by name, that a unit holds. */
export async function heldChannel(db: Queries, serverId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('channels')
    .select('name')
    .where('server_id', '=', serverId)
    .where('allocated_unit_id', 'is not', null)
    .orderBy('name')
    .executeTakeFirst()
  return row?.name
}

/** A profile, a story and an access approval belong to one customer: a unit that moves loses them. */
export async function leaveCustomer(db: Queries, unitId: string): Promise<void> {
  await db.deleteFrom('unit_usage_profiles').where('unit_id', '=', unitId).execute()
  await db.deleteFrom('story_units').where('unit_id', '=', unitId).execute()
  await db.deleteFrom('access_approvals').where('device_id', '=', unitId).execute()
}
