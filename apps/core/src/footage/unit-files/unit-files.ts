// Files on units: listing their storages, upload to the server of the selected channel, deletion on the unit.

import { randomBytes } from 'node:crypto'
import { Conflict, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import {
  ENTRIES_AT_MOST,
  type FileUpload,
  type Folder,
  type FolderEntry,
  isUploadOver,
  UPLOADS_KEPT,
} from '@backhaul/contract/nouns/unit-files'
import type { Storage, Unit } from '@backhaul/contract/nouns/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Api } from '../../doors/api/api.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { AccessApprovals } from '../../fleet/access-approvals/access-approvals.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import type { Files } from '../files/files.ts'
import { createUploads } from './uploads.ts'

/** Every method throws NotFound for a unit outside the caller's scope, Conflict for what is not possible now. */
export interface UnitFiles {
  storages(scope: Scope, unitId: string): Storage[]
  /** A folder as the unit answers now; throws NotFound for a path outside its storages. */
  folder(scope: Scope, unitId: string, path: string): Promise<Folder>
  /**
   * One after the other, to the server of the selected channel; `metadata` is that of these files in place of the unit's.
   * Throws InvalidRequest where the unit requires it.
   */
  upload(
    caller: Caller,
    unitId: string,
    paths: readonly string[],
    metadata?: Readonly<Record<string, string>>,
  ): Promise<FileUpload[]>
  cancel(caller: Caller, unitId: string, paths: readonly string[]): Promise<void>
  remove(caller: Caller, unitId: string, paths: readonly string[]): Promise<void>
  bind(api: Api): void
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  devices: Devices
  servers: Servers
  channels: Channels
  units: Units
  accessApprovals: AccessApprovals
  files: Files
}

export function createUnitFiles(needs: Needs): UnitFiles {
  const { db, events, devices, servers, channels, units, accessApprovals, files } = needs
  const uploads = createUploads({ ...needs, label: files.label })
  const listed = new Map<string, { unitId: string; entries: FolderEntry[] }>()

  events.on('device:folder', ({ deviceId, message }) => {
    const list = listed.get(message.listId)
    if (list?.unitId === deviceId && list.entries.length <= ENTRIES_AT_MOST)
      list.entries.push(...message.entries)
  })

  /** A connected unit that shows its files. */
  function requireUnit(scope: Scope, unitId: string): Unit {
    const unit = units.get(scope, unitId)
    if (unit.offline) throw new Conflict('unit.offline')
    if (unit.capabilities.fileUpload !== true) throw new Conflict('upload.cannot')
    return unit
  }

  /** Throws NotFound for a path that is not on the unit's storages. */
  function requireStored({ storages }: Unit, paths: readonly string[]): void {
    const isStored = (path: string) =>
      storages.some(
        (storage) => path === storage.path || path.startsWith(`${storage.path.replace(/\/$/, '')}/`),
      )
    if (!paths.every(isStored)) throw new NotFound('file')
  }

  /** The channel that the unit transmits to, or would; its server must accept files. */
  function requireChannel({ channelId: selected, transmission }: Unit) {
    const channelId = transmission?.channelId ?? selected
    const serverId = channelId === null ? undefined : channels.serverOf(channelId)
    if (channelId === null || serverId === undefined || !servers.isOnline(serverId))
      throw new Conflict('channel.busyOrOffline')
    if (servers.memory(serverId)?.actual.capabilities?.uploads !== true)
      throw new Conflict('upload.serverCannot')
    return { channelId, serverId, channelName: channels.known(channelId)?.name ?? '' }
  }

  function rejectRunningUpload(unitId: string, paths: readonly string[]): void {
    const isOpen = uploads.of(unitId).some(({ path, state }) => paths.includes(path) && !isUploadOver(state))
    if (isOpen) throw new Conflict('upload.running')
  }

  return {
    storages: (scope, unitId) => units.get(scope, unitId).storages,
    async folder(scope, unitId, path) {
      requireStored(requireUnit(scope, unitId), [path])
      const listId = `li-${randomBytes(9).toString('base64url')}`
      const entries: FolderEntry[] = []
      listed.set(listId, { unitId, entries })
      try {
        await devices.request(unitId, 'list_folder', { listId, path })
      } finally {
        listed.delete(listId)
      }
      const isCut = entries.length > ENTRIES_AT_MOST
      return { path, entries: entries.slice(0, ENTRIES_AT_MOST), isCut }
    },
    async upload(caller, unitId, paths, metadata) {
      const unit = requireUnit(caller.scope, unitId)
      requireStored(unit, paths)
      if (unit.promptMetadata && metadata === undefined)
        throw InvalidRequest.at('metadata', 'upload.metadataRequired')
      const target = requireChannel(unit)
      const requested = [...new Set(paths)]
      rejectRunningUpload(unitId, requested)
      const open = uploads.of(unitId).filter(({ state }) => !isUploadOver(state)).length
      if (open + requested.length > UPLOADS_KEPT)
        throw new Conflict(because('upload.tooMany', { most: UPLOADS_KEPT }))
      await accessApprovals.noteAct(db, caller, unitId)
      return await uploads.add({
        ...target,
        unitId,
        inventoryId: unit.inventoryId,
        paths: requested,
        metadata: metadata ?? null,
        by: caller.username,
        isTaken: (fileName) => files.isThere({ channelId: target.channelId, unitId, fileName }),
      })
    },
    async cancel(caller, unitId, paths) {
      units.get(caller.scope, unitId)
      if (!uploads.cancel(unitId, paths)) throw new Conflict('upload.notRunning')
      await accessApprovals.noteAct(db, caller, unitId)
    },
    async remove(caller, unitId, paths) {
      const unit = requireUnit(caller.scope, unitId)
      requireStored(unit, paths)
      if (unit.storages.some(({ path }) => paths.includes(path))) throw new NotFound('file')
      rejectRunningUpload(unitId, paths)
      await accessApprovals.noteAct(db, caller, unitId)
      await devices.request(unitId, 'delete_files', { paths: [...new Set(paths)] })
    },
    bind: (api) => uploads.bind(api.app),
    start: uploads.start,
    stop: uploads.stop,
  }
}
