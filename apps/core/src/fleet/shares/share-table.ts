import type {
  PublisherRow,
  SharedChannelRow,
  ShareFolderRow,
  SubscriberRow,
} from '../../database/communication-schema.ts'
import type { Queries } from '../../database/schema.ts'
import { inventoryInScope, type Scope } from '../../database/scope.ts'

/** `id` narrows to one. */
export async function publishers(db: Queries, scope: Scope, id?: string): Promise<PublisherRow[]> {
  return await db
    .selectFrom('publishers')
    .selectAll()
    .where((eb) => inventoryInScope(scope, eb.ref('inventory_id')))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy('id')
    .execute()
}

export async function insertPublisher(db: Queries, row: PublisherRow): Promise<void> {
  await db.insertInto('publishers').values(row).execute()
}

export async function updatePublisher(
  db: Queries,
  { id, name, description }: Pick<PublisherRow, 'id' | 'name' | 'description'>,
): Promise<void> {
  await db.updateTable('publishers').set({ name, description }).where('id', '=', id).execute()
}

export async function deletePublisher(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('publishers').where('id', '=', id).execute()
}

/** The publisher with this key, of any customer. */
export async function publisherOfKey(db: Queries, shareKey: string): Promise<PublisherRow | undefined> {
  return await db.selectFrom('publishers').selectAll().where('share_key', '=', shareKey).executeTakeFirst()
}

export async function sharedChannels(db: Queries): Promise<SharedChannelRow[]> {
  return await db.selectFrom('shared_channels').selectAll().orderBy('channel_id').execute()
}

export async function share(db: Queries, row: SharedChannelRow): Promise<void> {
  await db
    .insertInto('shared_channels')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function unshare(db: Queries, row: SharedChannelRow): Promise<void> {
  await db
    .deleteFrom('shared_channels')
    .where('publisher_id', '=', row.publisher_id)
    .where('channel_id', '=', row.channel_id)
    .execute()
}

/** A publisher shares what its group has, and no longer what has left the group. */
export async function unshareWhatLeft(db: Queries): Promise<void> {
  await db
    .deleteFrom('shared_channels')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('publishers')
            .innerJoin('group_channels', 'group_channels.group_id', 'publishers.group_id')
            .whereRef('publishers.id', '=', 'shared_channels.publisher_id')
            .whereRef('group_channels.channel_id', '=', 'shared_channels.channel_id')
            .select('publishers.id'),
        ),
      ),
    )
    .execute()
}

export type SubscriberFacts = SubscriberRow & {
  group_name: string
  folder_name: string | null
  publisher_id: string | null
  publisher_name: string | null
}

/** Subscribers with the names of the folder and of the publisher whose key they entered. */
export async function subscribers(db: Queries, scope: Scope, id?: string): Promise<SubscriberFacts[]> {
  return await db
    .selectFrom('subscribers')
    .innerJoin('groups', 'groups.id', 'subscribers.group_id')
    .leftJoin('share_folders', 'share_folders.id', 'subscribers.folder_id')
    .leftJoin('publishers', 'publishers.share_key', 'subscribers.share_key')
    .selectAll('subscribers')
    .select([
      'groups.name as group_name',
      'share_folders.name as folder_name',
      'publishers.id as publisher_id',
      'publishers.name as publisher_name',
    ])
    .where((eb) => inventoryInScope(scope, eb.ref('subscribers.inventory_id')))
    .$if(id !== undefined, (query) => query.where('subscribers.id', '=', id ?? ''))
    .orderBy('subscribers.id')
    .execute()
}

export async function insertSubscriber(db: Queries, row: SubscriberRow): Promise<void> {
  await db.insertInto('subscribers').values(row).execute()
}

export async function updateSubscriber(
  db: Queries,
  { id, ...row }: Omit<SubscriberRow, 'created_ms'>,
): Promise<void> {
  await db.updateTable('subscribers').set(row).where('id', '=', id).execute()
}

export async function deleteSubscriber(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('subscribers').where('id', '=', id).execute()
}

/** The channels that are shared now, and the groups that have subscribed to each. */
export async function groupsByChannel(db: Queries): Promise<{ channelId: string; groupId: string | null }[]> {
  return await db
    .selectFrom('shared_channels')
    .innerJoin('publishers', 'publishers.id', 'shared_channels.publisher_id')
    .leftJoin('subscribers', 'subscribers.share_key', 'publishers.share_key')
    .select(['shared_channels.channel_id as channelId', 'subscribers.group_id as groupId'])
    .execute()
}

export async function folders(db: Queries, scope: Scope, id?: string): Promise<ShareFolderRow[]> {
  return await db
    .selectFrom('share_folders')
    .selectAll()
    .where((eb) => inventoryInScope(scope, eb.ref('inventory_id')))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy('id')
    .execute()
}

export async function insertFolder(db: Queries, row: ShareFolderRow): Promise<void> {
  await db.insertInto('share_folders').values(row).execute()
}

export async function renameFolder(db: Queries, id: string, name: string): Promise<void> {
  await db.updateTable('share_folders').set({ name }).where('id', '=', id).execute()
}

/** Locks it against new subscribers until the transaction ends. */
export async function holdFolder(db: Queries, id: string): Promise<void> {
  await db
    .updateTable('share_folders')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', id)
    .execute()
}

export async function hasSubscribers(db: Queries, folderId: string): Promise<boolean> {
  const row = await db
    .selectFrom('subscribers')
    .select('id')
    .where('folder_id', '=', folderId)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteFolder(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('share_folders').where('id', '=', id).execute()
}
