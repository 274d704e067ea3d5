import type { InterfaceKind } from '@backhaul/contract/nouns/interfaces'
import type { Queries } from '../../database/schema.ts'

/** `hand`: no server has it; a user has switched the tally of the channel on. */
export type AssociationKind = InterfaceKind | 'hand'

export interface Association {
  interfaceId: string
  kind: AssociationKind
  channelId: string
}

export async function associations(db: Queries): Promise<Association[]> {
  const rows = await db.selectFrom('channel_interfaces').selectAll().execute()
  return rows.map(({ interface_id, kind, channel_id }) => ({
    interfaceId: interface_id,
    kind: kind as AssociationKind,
    channelId: channel_id,
  }))
}

/** The channel leaves the interface of this kind that it had. */
export async function associate(db: Queries, { interfaceId, kind, channelId }: Association): Promise<void> {
  await dissociate(db, interfaceId)
  await db
    .deleteFrom('channel_interfaces')
    .where('channel_id', '=', channelId)
    .where('kind', '=', kind)
    .execute()
  await db
    .insertInto('channel_interfaces')
    .values({ interface_id: interfaceId, kind, channel_id: channelId })
    .execute()
}

export async function dissociate(db: Queries, interfaceId: string): Promise<void> {
  await db.deleteFrom('channel_interfaces').where('interface_id', '=', interfaceId).execute()
}
