import type { StoredFile, StoredFileKey } from '@backhaul/contract/gateway/servers'
import { FileMedia, FileOrigin, RootDirectory } from '@backhaul/contract/nouns/files'
import { MetadataFormat } from '@backhaul/contract/nouns/metadata-formats'
import { type Expression, sql } from 'kysely'
import { contains } from '../../database/dialect.ts'
import type { ChannelFileRow } from '../../database/file-schema.ts'
import { countOf, fromNearerEnd, type Paging } from '../../database/paging.ts'
import { keptCount } from '../../database/row-counts.ts'
import type { Queries } from '../../database/schema.ts'
import { isFewFound, mayContain } from '../../database/search.ts'

export interface KeptFile extends StoredFile {
  serverId: string
  origin: FileOrigin
}

export type FileSortKey = 'lastModified' | 'fileName' | 'sizeBytes'

const columnOf = { lastModified: 'modified_ms', fileName: 'file_name', sizeBytes: 'size_bytes' } as const

/** Filters the files of the channels of a group. */
export interface FileQuery {
  groupId: string
  fromMs: number | undefined
  toMs: number | undefined
  text: string
}

/** Inserts new files; existing ones keep their origin. */
export async function saveFiles(
  db: Queries,
  serverId: string,
  files: readonly (StoredFile & { origin: FileOrigin })[],
): Promise<void> {
  for (const file of files) {
    const reported = {
      server_id: serverId,
      root_directory: file.rootDirectory,
      size_bytes: file.sizeBytes,
      modified_ms: file.modifiedMs,
      is_transferring: file.isTransferring ? 1 : 0,
      media: file.media && JSON.stringify(file.media),
      document: file.document ?? null,
    } as const
    const { channelId: channel_id, unitId: unit_id, fileName: file_name } = file
    await db
      .insertInto('channel_files')
      .values({ channel_id, unit_id, file_name, ...reported, origin: JSON.stringify(file.origin) })
      .onConflict((conflict) =>
        conflict.columns(['channel_id', 'unit_id', 'file_name']).doUpdateSet(reported),
      )
      .execute()
  }
}

export async function removeFiles(
  db: Queries,
  serverId: string,
  files: readonly StoredFileKey[],
): Promise<void> {
  for (const { channelId, unitId, fileName } of files)
    await db
      .deleteFrom('channel_files')
      .where('server_id', '=', serverId)
      .where('channel_id', '=', channelId)
      .where('unit_id', '=', unitId)
      .where('file_name', '=', fileName)
      .execute()
}

export async function keysOfServer(db: Queries, serverId: string): Promise<StoredFileKey[]> {
  const rows = await db
    .selectFrom('channel_files')
    .select(['channel_id', 'unit_id', 'file_name'])
    .where('server_id', '=', serverId)
    .execute()
  return rows.map((row) => ({
    channelId: row.channel_id,
    unitId: row.unit_id,
    fileName: row.file_name,
  }))
}

export async function fileOf(db: Queries, file: StoredFileKey): Promise<KeptFile | undefined> {
  const row = await db
    .selectFrom('channel_files')
    .selectAll()
    .where('channel_id', '=', file.channelId)
    .where('unit_id', '=', file.unitId)
    .where('file_name', '=', file.fileName)
    .executeTakeFirst()
  return row && keptOf(row)
}

/** All files of a channel, or only those of one of its units. */
export async function filesOfChannel(db: Queries, channelId: string, unitId?: string): Promise<KeptFile[]> {
  const rows = await db
    .selectFrom('channel_files')
    .selectAll()
    .where('channel_id', '=', channelId)
    .$if(unitId !== undefined, (query) => query.where('unit_id', '=', unitId as string))
    .orderBy('modified_ms', 'desc')
    .orderBy('file_name')
    .execute()
  return rows.map(keptOf)
}

const allFiles = (db: Queries) => db.selectFrom('channel_files')
type Files = ReturnType<typeof allFiles>

export async function pageOfFiles(
  db: Queries,
  query: FileQuery,
  { sort, ...window }: Pick<Paging<FileSortKey>, 'sort' | 'limit' | 'offset'>,
): Promise<{ files: KeptFile[]; total: number }> {
  const channels = channelsOf(db, query.groupId).$asScalar()
  const mayHaveText = await mayContain(db, 'channel_files', query.text, keyColumns)
  const total = isWhole(query)
    ? await keptCount(db, 'channel_files', (owner) => sql`${owner} in ${channels}`)
    : await countOf(matching(db, query, channels, mayHaveText))
  const { limit, offset, read, inOrder } = fromNearerEnd(window, total)
  const ordered = (files: Files) =>
    files
      .selectAll()
      .orderBy(columnOf[sort.key], read(sort.direction))
      .orderBy('channel_id', read('asc'))
      .orderBy('unit_id', read('asc'))
      .orderBy('file_name', read('asc'))
  // The first of each channel are read in the order of its index: all files of several channels would have to be sorted.
  const isFew = await isFewFound(db, 'channel_files', query.text || undefined, total)
  const parts = isFew ? [] : await fewChannels(db, query.groupId)
  const firstOf = (id: string) => ordered(matching(db, query, id, mayHaveText)).limit(offset + limit)
  const files =
    parts.length > 1 ? allOf(db, parts.map(firstOf)) : matching(db, query, parts[0] ?? channels, mayHaveText)
  const rows = await ordered(files).limit(limit).offset(offset).execute()
  return { files: inOrder(rows).map(keptOf), total }
}

const keyColumns = (['channel_id', 'unit_id', 'file_name'] as const).map((name) =>
  sql.ref<string>(`channel_files.${name}`),
)

/** Parts of one statement; SQLite takes 500. */
const partsAtMost = 100

const channelsOf = (db: Queries, groupId: string) =>
  db.selectFrom('group_channels').select('channel_id').where('group_id', '=', groupId)

/** The channels of a group, or none where they are more than one statement takes. */
async function fewChannels(db: Queries, groupId: string): Promise<string[]> {
  const rows = await channelsOf(db, groupId)
    .limit(partsAtMost + 1)
    .execute()
  return rows.length > partsAtMost ? [] : rows.map((row) => row.channel_id)
}

const allOf = (db: Queries, parts: readonly Expression<unknown>[]): Files =>
  db.selectFrom(
    sql<ChannelFileRow>`(${sql.join(
      parts.map((part) => sql`select * from ${part} as part`),
      sql` union all `,
    )})`.as('channel_files'),
  )

/** All files of its channels. */
const isWhole = ({ fromMs, toMs, text }: FileQuery): boolean =>
  fromMs === undefined && toMs === undefined && text === ''

function matching(
  db: Queries,
  { fromMs, toMs, text }: Omit<FileQuery, 'groupId'>,
  channels: string | Expression<string>,
  mayHaveText: Expression<boolean>,
): Files {
  let found = allFiles(db).where((eb) =>
    typeof channels === 'string' ? eb('channel_id', '=', channels) : eb('channel_id', 'in', channels),
  )
  if (fromMs !== undefined) found = found.where('modified_ms', '>=', fromMs)
  if (toMs !== undefined) found = found.where('modified_ms', '<', toMs)
  if (text !== '') found = found.where(mayHaveText).where(contains(db, sql.ref('file_name'), text))
  return found
}

function keptOf(row: ChannelFileRow): KeptFile {
  return {
    channelId: row.channel_id,
    unitId: row.unit_id,
    fileName: row.file_name,
    serverId: row.server_id,
    rootDirectory: RootDirectory.parse(row.root_directory),
    sizeBytes: row.size_bytes,
    modifiedMs: row.modified_ms,
    isTransferring: row.is_transferring === 1,
    media: row.media === null ? null : FileMedia.parse(JSON.parse(row.media)),
    document: row.document === null ? null : MetadataFormat.parse(row.document),
    origin: FileOrigin.parse(JSON.parse(row.origin)),
  }
}
