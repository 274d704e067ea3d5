// Files that servers report, stored in the order in which the messages are received.
import type { Files as FilesMessage } from '@backhaul/contract/gateway/gateway'
import type { StoredFile, StoredFileKey } from '@backhaul/contract/gateway/servers'
import { type FileOrigin, fileIdOf, INGESTED } from '@backhaul/contract/nouns/files'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import { createWrites } from '../../database/writes.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import * as table from './file-table.ts'

export interface FileSync {
  /** A file that will arrive under this id is stored with this origin; answers how to cancel that. */
  expect(fileId: string, origin: FileOrigin): () => void
  /** The file of an upload that will arrive has this metadata in place of that of its unit; answers how to cancel that. */
  label(fileId: string, metadata: Readonly<Record<string, string>>): () => void
  /** Resolves once everything received so far is stored. */
  written(): Promise<void>
}

interface Needs {
  db: Database
  log: Log
  events: Events
  channels: Channels
  units: Units
}

const noOrigin: FileOrigin = { unitName: '', unitType: '', gps: null, story: {}, promptMetadata: false }

export function createFileSync({ db, log, events, channels, units }: Needs): FileSync {
  const expected = new Map<string, FileOrigin>()
  const labels = new Map<string, Readonly<Record<string, string>>>()
  /** Ids that a server has named since it began a complete list. */
  const namedSince = new Map<string, Set<string>>()
  const writes = createWrites(log)

  function originOf(file: StoredFile): FileOrigin {
    const unit = units.values(file.unitId)
    if (!unit) return { ...noOrigin, story: file.labels ?? {} }
    const { name, type, location, metadata, promptMetadata } = unit
    const gps = location && { lat: location.lat, lng: location.lng }
    // An upload may have labels of its own; what the server records itself has those of the unit.
    const own = labels.get(fileIdOf(file))
    const story = own ?? metadata
    return { unitName: name, unitType: type, gps, story, promptMetadata: promptMetadata && own !== undefined }
  }

  /**
   * A server reports for its own channels; an ingest server reports the ingested files of the channels of others that are
   * assigned to it, or were so when the file came.
   */
  async function isOwn(serverId: string, file: StoredFile): Promise<boolean> {
    if (channels.serverOf(file.channelId) === serverId) return true
    const channel = channels.known(file.channelId)
    if (!channel || file.unitId !== INGESTED) return false
    const stored = await table.fileOf(db, file)
    return stored ? stored.serverId === serverId : channel.ingestAssociation?.serverId === serverId
  }

  async function write(serverId: string, message: FilesMessage): Promise<void> {
    const own: StoredFile[] = []
    for (const file of message.files) if (await isOwn(serverId, file)) own.push(file)
    if (message.begins) namedSince.set(serverId, new Set())
    const named = namedSince.get(serverId)
    for (const file of own) named?.add(fileIdOf(file))
    let gone: readonly StoredFileKey[] = []
    await db.transaction().execute(async (transaction) => {
      const files = own.map((file) => ({
        ...file,
        origin: expected.get(fileIdOf(file)) ?? originOf(file),
      }))
      await table.saveFiles(transaction, serverId, files)
      await table.removeFiles(transaction, serverId, message.removed)
      if (!message.ends || !named) return
      gone = (await table.keysOfServer(transaction, serverId)).filter((key) => !named.has(fileIdOf(key)))
      await table.removeFiles(transaction, serverId, gone)
    })
    for (const file of own) if (!file.isTransferring) labels.delete(fileIdOf(file))
    if (message.ends) namedSince.delete(serverId)
    events.emit('filesStored', { serverId, files: own, removed: [...message.removed, ...gone] })
  }

  events.on('device:files', ({ deviceId, message }) => {
    void writes.add(() => write(deviceId, message), 'files of the server not stored', { server: deviceId })
  })
  events.on('deviceDisconnected', ({ deviceId }) => void namedSince.delete(deviceId))

  return {
    expect(fileId, origin) {
      expected.set(fileId, origin)
      return () => void expected.delete(fileId)
    },
    label(fileId, metadata) {
      labels.set(fileId, metadata)
      return () => void labels.delete(fileId)
    },
    written: writes.stored,
  }
}
