// Documents of metadata, which servers store next to their files: each finished file without one gets it.
import { type FileMetadata, sendsMetadata } from '@backhaul/contract/nouns/files'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Events } from '../../world/events.ts'
import { fileOf, type KeptFile } from './file-table.ts'

interface Needs {
  db: Database
  log: Log
  events: Events
  devices: Devices
  servers: Servers
}

/** The metadata of a file. */
export function metadataOf({ modifiedMs, sizeBytes, media, origin }: KeptFile): FileMetadata {
  return {
    dateTime: new Date(modifiedMs).toISOString(),
    sizeBytes,
    resolution: media && `${media.width}x${media.height}`,
    lengthMs: media?.lengthMs ?? null,
    bitrateKbps: media?.bitrateKbps ?? null,
    codec: media?.codec ?? null,
    quality: media?.quality ?? null,
    ...origin,
    sendMetadata: sendsMetadata(origin.story),
    labels: Object.keys(origin.story),
  }
}

/** One file of a server after the other: a server with many files without a document is not flooded. */
export function keepDocuments({ db, log, events, devices, servers }: Needs): void {
  const working = new Map<string, Promise<void>>()

  const storesDocuments = (serverId: string): boolean =>
    servers.memory(serverId)?.actual.capabilities?.settings?.includes('metadataFormat') === true

  async function describe(serverId: string, key: Parameters<typeof fileOf>[1]): Promise<void> {
    const file = await fileOf(db, key)
    if (!file || file.serverId !== serverId || file.isTransferring || file.document !== null) return
    const metadata = metadataOf(file)
    if (!metadata.sendMetadata) return
    const { channelId, unitId, fileName } = file
    const { metadataFormat: format } = servers.settings(serverId)
    await devices.request(serverId, 'describe_file', {
      file: { channelId, unitId, fileName },
      format,
      metadata,
    })
  }

  events.on('filesStored', ({ serverId, files }) => {
    if (!storesDocuments(serverId)) return
    for (const file of files.filter((one) => !one.isTransferring && one.document == null)) {
      const { fileName } = file
      const done = (working.get(serverId) ?? Promise.resolve())
        .then(() => describe(serverId, file))
        .catch((error) =>
          log.warn({ err: error, server: serverId, fileName }, 'metadata of the file not stored'),
        )
      working.set(serverId, done)
    }
  })
}
