// Files: recordings of channels and files of units, listed for a group, played out, renamed and removed.

import type { Readable } from 'node:stream'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import {
  type ChannelFile,
  downloadPath,
  type FileChunk,
  type FileKey,
  type FileMetadata,
  fileIdOf,
  fileKeyOf,
  formatOf,
  partOf,
  playoutRefusal,
} from '@backhaul/contract/nouns/files'
import type { MetadataFormat } from '@backhaul/contract/nouns/metadata-formats'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import { everything, type Scope } from '../../database/scope.ts'
import type { Api } from '../../doors/api/api.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Events } from '../../world/events.ts'
import { keepDocuments, metadataOf } from './file-documents.ts'
import { serveDownloads } from './file-downloads.ts'
import { createFileReading } from './file-reading.ts'
import { createFileSync } from './file-sync.ts'
import * as table from './file-table.ts'
import { showFileTransfers } from './file-transfers.ts'

export type { KeptFile } from './file-table.ts'

export type FileQuery = PageQuery & { groupId: string; from?: string | undefined; to?: string | undefined }

/** Every method throws NotFound for a file of a channel outside the caller's scope, as for one that does not exist. */
export interface Files {
  ofGroup(scope: Scope, query: FileQuery): Promise<Page<ChannelFile>>
  get(scope: Scope, fileId: string): Promise<table.KeptFile>
  /** A file of any customer, by its key; undefined where it is not known. */
  find(file: FileKey): Promise<table.KeptFile | undefined>
  /** Its bytes from `from` to `to`, or to the end, as its server gives them. Throws NotFound, Unavailable. */
  read(file: table.KeptFile, from: number, to?: number): Promise<Readable>
  /** Whether any of that name is known. */
  isThere(file: FileKey): Promise<boolean>
  /** A file that will arrive has this metadata in place of that of its unit; answers how to cancel that. */
  label(file: FileKey, metadata: Readonly<Record<string, string>>): () => void
  ofChannel(scope: Scope, channelId: string): Promise<{ fileId: string; url: string }[]>
  chunks(scope: Scope, fileId: string): Promise<FileChunk[]>
  metadata(scope: Scope, fileId: string): Promise<FileMetadata & { document: MetadataFormat | null }>
  metadataOf(file: table.KeptFile): FileMetadata
  /** Throws Conflict while it grows or plays, Unavailable when its server is not connected. */
  remove(scope: Scope, fileId: string): Promise<void>
  /** Answers the new id. */
  rename(scope: Scope, fileId: string, newFileName: string): Promise<string>
  /** Throws Conflict with the text of the specification. */
  play(scope: Scope, fileId: string, channelId: string, rootDirectory: string): Promise<void>
  stop(scope: Scope, fileId: string, channelId: string): Promise<void>
  /** Throws Conflict while it grows, or with the reason of the server. */
  publish(scope: Scope, fileId: string): Promise<void>
  /** Serves the downloads. */
  bind(api: Api): void
  /** Stores what was received. */
  close(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  groups: Groups
  devices: Devices
  servers: Servers
  channels: Channels
  units: Units
}

export function createFiles(needs: Needs): Files {
  const { db, groups, channels, units } = needs
  const { request } = needs.devices
  const sync = createFileSync(needs)
  showFileTransfers(needs)
  const reading = createFileReading(needs)
  keepDocuments(needs)

  async function get(scope: Scope, fileId: string): Promise<table.KeptFile> {
    const key = fileKeyOf(fileId)
    const channel = key && channels.find(scope, key.channelId)
    const file = channel?.uniqueId === key?.channelId && key && (await table.fileOf(db, key))
    if (!file) throw new NotFound('file')
    return file
  }

  function shown(file: table.KeptFile): ChannelFile {
    const name = units.values(file.unitId)?.name ?? file.origin.unitName
    return {
      fileId: fileIdOf(file),
      fileName: file.fileName,
      luName: name,
      luAlias: name,
      mmhId: file.channelId,
      mmhName: channels.known(file.channelId)?.name ?? '',
      sizeBytes: file.sizeBytes,
      lastModified: new Date(file.modifiedMs).toISOString(),
      isTransferring: file.isTransferring,
      chunkIndex: partOf(file.fileName).index,
      rootDirectory: file.rootDirectory,
      format: formatOf(file.fileName) ?? null,
      metadataFormat: file.document ?? needs.servers.settings(file.serverId).metadataFormat,
    }
  }

  /** Throws Conflict for a file that grows or plays. */
  function requireIdle(file: table.KeptFile): void {
    const isPlaying = channels.known(file.channelId) && isPlayedBy(fileIdOf(file), file.serverId)
    if (file.isTransferring) throw new Conflict('file.beingWritten')
    if (isPlaying) throw new Conflict('file.playing')
  }

  const isPlayedBy = (fileId: string, serverId: string): boolean =>
    channels.readable(everything).some((one) => one.serverId === serverId && one.playing.includes(fileId))

  return {
    get,
    async ofGroup(scope, { groupId, from, to, ...query }) {
      await groups.get(scope, groupId)
      const paging = pagingOf<table.FileSortKey | 'name'>(newestFirst(query), [
        'lastModified',
        'fileName',
        'sizeBytes',
        'name',
      ])
      const { limit, offset, sort, search } = paging
      const key = sort.key === 'name' ? 'fileName' : sort.key
      const filter = {
        groupId,
        fromMs: from === undefined ? undefined : Date.parse(from),
        toMs: to === undefined ? undefined : Date.parse(to),
        text: search?.text ?? '',
      }
      const { files, total } = await table.pageOfFiles(db, filter, {
        limit,
        offset,
        sort: { key, direction: sort.direction },
      })
      return { items: files.map(shown), total, limit, offset }
    },
    find: (key) => table.fileOf(db, key),
    read: reading.read,
    isThere: async (key) => (await table.fileOf(db, key)) !== undefined,
    label: (key, metadata) => sync.label(fileIdOf(key), metadata),
    async ofChannel(scope, channelId) {
      const { uniqueId } = channels.get(scope, channelId)
      const files = await table.filesOfChannel(db, uniqueId)
      return files.map(fileIdOf).map((fileId) => ({ fileId, url: downloadPath(fileId) }))
    },
    async chunks(scope, fileId) {
      const file = await get(scope, fileId)
      const { whole } = partOf(file.fileName)
      const all = await table.filesOfChannel(db, file.channelId, file.unitId)
      return all
        .filter((one) => partOf(one.fileName).whole === whole)
        .map((one) => ({
          index: partOf(one.fileName).index,
          fileId: fileIdOf(one),
          sizeBytes: one.sizeBytes,
          state: one.isTransferring ? ('transferring' as const) : ('done' as const),
        }))
        .sort((a, b) => a.index - b.index)
    },
    async metadata(scope, fileId) {
      const file = await get(scope, fileId)
      return { ...metadataOf(file), document: file.document ?? null }
    },
    metadataOf,
    async remove(scope, fileId) {
      const { serverId, channelId, unitId, fileName, ...file } = await get(scope, fileId)
      const key = { channelId, unitId, fileName }
      requireIdle({ serverId, ...key, ...file })
      await request(serverId, 'remove_file', { file: key })
      await sync.written()
    },
    async rename(scope, fileId, newFileName) {
      const file = await get(scope, fileId)
      const { channelId, unitId, fileName, serverId } = file
      requireIdle(file)
      if (endingOf(newFileName) !== endingOf(fileName))
        throw InvalidRequest.at('newFileName', 'file.endingFixed')
      const renamed = { channelId, unitId, fileName: newFileName }
      if (newFileName !== fileName && (await table.fileOf(db, renamed)))
        throw Conflict.at('newFileName', 'name.taken')
      const newId = fileIdOf(renamed)
      const forget = sync.expect(newId, file.origin)
      const before = { channelId, unitId, fileName }
      needs.events.emit('fileRenamed', { from: before, to: renamed })
      try {
        await request(serverId, 'rename_file', { file: before, newFileName })
        await sync.written()
      } catch (error) {
        needs.events.emit('fileRenamed', { from: renamed, to: before })
        throw error
      } finally {
        forget()
      }
      return newId
    },
    async play(scope, fileId, channelId, rootDirectory) {
      const file = await get(scope, fileId)
      const channel = channels.get(scope, channelId)
      if (file.rootDirectory !== rootDirectory) throw new NotFound('file')
      const refusal = playoutRefusal(file, channel)
      if (refusal !== undefined) throw new Conflict(refusal)
      if (channel.playing.includes(fileId)) throw new Conflict('playout.playing')
      const { unitId, fileName, serverId } = file
      await request(serverId, 'play_file', {
        file: { channelId: file.channelId, unitId, fileName },
        channelId,
      })
    },
    async stop(scope, fileId, channelId) {
      const { unitId, fileName, serverId, channelId: home } = await get(scope, fileId)
      const { playing } = channels.get(scope, channelId)
      if (!playing.includes(fileId)) throw new Conflict('playout.notPlaying')
      await request(serverId, 'stop_file', { file: { channelId: home, unitId, fileName }, channelId })
    },
    async publish(scope, fileId) {
      const { isTransferring, serverId, channelId, unitId, fileName } = await get(scope, fileId)
      if (isTransferring) throw new Conflict('file.beingWritten')
      await request(serverId, 'publish_file', { file: { channelId, unitId, fileName } })
    },
    bind(api) {
      serveDownloads(api, { get, reading })
    },
    close: sync.written,
  }
}

const endingOf = (fileName: string): string => /\.\w+$/.exec(fileName)?.[0].toLowerCase() ?? ''

const newestFirst = (query: PageQuery): PageQuery =>
  query.sort === undefined && query.sortBy === undefined ? { ...query, sortDir: 'desc' } : query
