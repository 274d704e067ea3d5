// Uploads of units: one file of each unit at a time; an interrupted one continues when both ends are connected again.

import { randomBytes } from 'node:crypto'
import {
  type PlainCode,
  reasonFields,
  type Wording,
  wordingOfFields,
} from '@backhaul/contract/define/refusals'
import type { Outcome, UploadProgress } from '@backhaul/contract/gateway/gateway'
import type { fileOrders } from '@backhaul/contract/gateway/servers'
import type { unitFileOrders } from '@backhaul/contract/gateway/units'
import type { UploadSource } from '@backhaul/contract/gateway/uploads'
import {
  type FileUpload,
  isUploadOver,
  nameAtServer,
  UPLOAD_WAITS_MS,
  UPLOADS_KEPT,
} from '@backhaul/contract/nouns/unit-files'
import { type Clock, createAgeingClock, type Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Database } from '../../database/schema.ts'
import { createWrites } from '../../database/writes.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import type { Files } from '../files/files.ts'
import { createUploadRelay, type SourceFile } from './upload-relay.ts'
import * as table from './upload-table.ts'
import { createUploadWays } from './upload-ways.ts'

export interface Uploads {
  /** The newest of a unit, newest first. */
  of(unitId: string): readonly FileUpload[]
  add(uploads: NewUploads): Promise<FileUpload[]>
  /** False when none of the files is being uploaded. */
  cancel(unitId: string, paths: readonly string[]): boolean
  bind(app: FastifyInstance): void
  start(): Promise<void>
  stop(): Promise<void>
}

export interface NewUploads {
  unitId: string
  inventoryId: string
  channelId: string
  channelName: string
  serverId: string
  paths: readonly string[]
  metadata: Readonly<Record<string, string>> | null
  by: string
  /** Whether the channel has a file of this name from the unit. */
  isTaken: (fileName: string) => Promise<boolean>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  devices: Devices
  servers: Servers
  units: Units
  /** The file that will arrive has this metadata; answers how to cancel that. */
  label: Files['label']
}

interface Running {
  id: string
  /** The number of the attempt; reports of the devices about an earlier one are ignored. */
  attempt: string
  unitId: string
  serverId: string
  /** Its bytes go from unit to server; without it, through the relay of core. */
  isInTunnel: boolean
  silence: Timer
}

const orderLastsMs = 20_000
/** After this long without data although both are connected it has failed. */
const silentAfterMs = 45_000
const checkEveryMs = 1000

export function createUploads(needs: Needs): Uploads {
  const { db, clock, log, events, devices, units, label } = needs
  const ways = createUploadWays(needs)
  const ages = createAgeingClock(clock)
  const known = new Map<string, FileUpload[]>()
  /** The progress of each upload that is not over. */
  const progress = new Map<string, table.UploadProgress>()
  /** Cancels the metadata of a file, by upload. */
  const labelled = new Map<string, () => void>()
  /** The running upload of each unit. */
  const running = new Map<string, Running>()
  const writes = createWrites(log)
  const relay = createUploadRelay({
    clock,
    deviceOf: devices.host.deviceOf,
    isExpected: (id, end, deviceId) =>
      end === 'serverId'
        ? progress.get(id)?.serverId === deviceId
        : progress.has(id) && of(deviceId).some((one) => one.id === id),
    onTaken: taken,
    onChanged: changed,
  })

  const of = (unitId: string): FileUpload[] => known.get(unitId) ?? []
  const openOf = (unitId: string) => of(unitId).filter(({ state }) => !isUploadOver(state))
  const isRunning = (id: string) => [...running.values()].find((one) => one.id === id)
  const isConnected = (deviceId: string) => devices.get(deviceId)?.presence === 'online'
  const showOnUnit = units.provide('uploadedFiles')
  const show = (unitId: string) => showOnUnit(unitId, { uploadedFiles: of(unitId) })

  /** Stored in the order of the changes. */
  function change(unitId: string, id: string, more: Partial<FileUpload>): void {
    const next = of(unitId).map((one) => (one.id === id ? { ...one, ...more } : one))
    known.set(unitId, next)
    const changed = next.find((one) => one.id === id)
    const kept = progress.get(id)
    if (changed)
      void writes.add(() => table.saveUpload(db, changed, kept), 'state of the upload not stored', {
        upload: id,
      })
  }

  function release(unitId: string, id: string): void {
    const mine = running.get(unitId)
    if (mine?.id !== id) return
    clock.clearTimeout(mine.silence)
    running.delete(unitId)
    relay.close(id)
  }

  function end(unitId: string, id: string, state: FileUpload['state'], why?: PlainCode | Wording): void {
    const serverId = progress.get(id)?.serverId
    progress.delete(id)
    // A file that has arrived takes its metadata with it, even when it is reported later than the end of the upload.
    if (state !== 'success') labelled.get(id)?.()
    labelled.delete(id)
    release(unitId, id)
    change(unitId, id, { state, ...reasonFields(why), endedAt: clock.nowMs() })
    if (state !== 'success' && serverId !== undefined) {
      const deadlineMs = clock.nowMs() + orderLastsMs
      const args: z.infer<typeof fileOrders.forget_upload> = { uploadId: id }
      devices.order(serverId, { id: `${id} forget`, name: 'forget_upload', args, deadlineMs })
    }
    show(unitId)
    next(unitId)
  }

  /** Bytes that are at the server are kept there. */
  function hold(unitId: string, id: string, why: PlainCode): void {
    release(unitId, id)
    const kept = progress.get(id)
    if (!kept) return
    progress.set(id, { ...kept, waitingSinceMs: kept.waitingSinceMs ?? ages.nowMs() })
    change(unitId, id, { state: 'waiting', ...reasonFields(why) })
    show(unitId)
  }

  const absentEnd = (unitId: string, serverId: string): PlainCode | undefined =>
    !isConnected(unitId) ? 'upload.unitAway' : !isConnected(serverId) ? 'upload.serverAway' : undefined

  const silence = (unitId: string, id: string): Timer =>
    clock.setTimeout(() => end(unitId, id, 'failed', 'media.stopped'), silentAfterMs)

  /** The oldest whose ends are both connected, when no upload of the unit is running. */
  function next(unitId: string): void {
    for (const one of openOf(unitId).toReversed()) {
      const kept = progress.get(one.id)
      if (!kept || running.get(unitId)?.id === one.id) continue
      const absent = absentEnd(unitId, kept.serverId)
      if (absent !== undefined && absent !== one.cause?.code) hold(unitId, one.id, absent)
      if (absent === undefined && one.state !== 'pending')
        change(unitId, one.id, { state: 'pending', ...reasonFields(undefined) })
      if (absent === undefined && !running.has(unitId)) begin(unitId, one, kept)
    }
    show(unitId)
  }

  function begin(unitId: string, upload: FileUpload, { serverId, modifiedMs }: table.UploadProgress): void {
    const { id: uploadId, path, name: fileName, channelId, sizeBytes } = upload
    const attempt = randomBytes(6).toString('base64url')
    const tunnel = ways.tunnel(unitId, serverId)
    const isInTunnel = tunnel !== undefined
    log.info({ upload: uploadId, unitId, serverId, way: isInTunnel ? 'links' : 'core' }, 'upload begins')
    running.set(unitId, {
      id: uploadId,
      attempt,
      unitId,
      serverId,
      isInTunnel,
      silence: silence(unitId, uploadId),
    })
    const source = sizeBytes === null ? undefined : { sizeBytes, modifiedMs }
    if (!isInTunnel) relay.open({ id: uploadId, unitId, serverId, source })
    const deadlineMs = clock.nowMs() + orderLastsMs
    const receive: z.infer<typeof fileOrders.receive_file> = {
      uploadId,
      file: { channelId, unitId, fileName },
      resume: source !== undefined,
      ...(tunnel && { tunnel: { id: tunnel.id, key: tunnel.key } }),
    }
    const send: z.infer<typeof unitFileOrders.upload_file> = {
      uploadId,
      path,
      ...(tunnel && { tunnel: { ...tunnel, ...(isWhole(source) && { source }) } }),
    }
    devices.order(serverId, {
      id: orderId(uploadId, 'in', attempt),
      name: 'receive_file',
      args: receive,
      deadlineMs,
    })
    devices.order(unitId, {
      id: orderId(uploadId, 'out', attempt),
      name: 'upload_file',
      args: send,
      deadlineMs,
    })
  }

  function taken(id: string, sentBytes: number, { sizeBytes, modifiedMs }: SourceFile): void {
    const mine = isRunning(id)
    const kept = progress.get(id)
    if (!mine || !kept) return
    const { unitId } = mine
    clock.clearTimeout(mine.silence)
    mine.silence = silence(unitId, id)
    progress.set(id, { ...kept, modifiedMs, waitingSinceMs: null })
    const uploads = of(unitId)
    if (uploads.find((one) => one.id === id)?.state === 'uploading')
      known.set(
        unitId,
        uploads.map((one) => (one.id === id ? { ...one, sentBytes } : one)),
      )
    else {
      change(unitId, id, { state: 'uploading', sentBytes, sizeBytes })
      show(unitId)
    }
  }

  function changed(id: string): void {
    const mine = isRunning(id)
    if (mine) end(mine.unitId, id, 'failed', 'upload.changed')
  }

  /** Progress of a file in a tunnel; the unit has refused another file than the one that began. */
  function progressed(serverId: string, { uploadId, keptBytes, ...source }: UploadProgress): void {
    const mine = isRunning(uploadId)
    if (mine?.isInTunnel && mine.serverId === serverId && keptBytes <= source.sizeBytes)
      taken(uploadId, keptBytes, source)
  }

  /** It is done when the server has it. A refusal of either end ends it; before the first byte that is a rejection. */
  function outcome(deviceId: string, orderId: string, said: Outcome): void {
    const { state } = said
    const [id = '', side, attempt] = orderId.split(' ')
    const mine = isRunning(id)
    if (!mine || mine.attempt !== attempt || deviceId !== (side === 'in' ? mine.serverId : mine.unitId))
      return
    const { unitId } = mine
    if (state === 'confirmed' && side === 'in') end(unitId, id, 'success')
    if (state !== 'refused') return
    if (mine.isInTunnel && said.cause?.code === 'upload.serverSilent') {
      ways.silent(unitId, mine.serverId)
      release(unitId, id)
      next(unitId)
      return
    }
    const isBegun = of(unitId).find((one) => one.id === id)?.sizeBytes !== null
    const away = side === 'in' ? 'upload.serverAway' : 'upload.unitAway'
    if (isInterruption(said)) hold(unitId, id, away)
    else end(unitId, id, isBegun ? 'failed' : 'rejected', wordingOfFields(said, 'device.refused'))
  }

  /** A disconnected device takes no part any more, and one that is back does not know its former order. */
  function presenceChanged(deviceId: string): void {
    for (const { id, unitId, serverId } of [...running.values()])
      if (deviceId === unitId || deviceId === serverId)
        hold(unitId, id, deviceId === unitId ? 'upload.unitAway' : 'upload.serverAway')
    for (const unitId of known.keys())
      if (openOf(unitId).some(({ id }) => unitId === deviceId || progress.get(id)?.serverId === deviceId))
        next(unitId)
  }

  events.on('device:outcome', ({ deviceId, message }) => {
    if (message.id !== undefined) outcome(deviceId, message.id, message)
  })
  events.on('device:uploadProgress', ({ deviceId, message }) => progressed(deviceId, message))
  events.on('deviceConnected', ({ deviceId }) => {
    ways.connected(deviceId)
    presenceChanged(deviceId)
  })
  events.on('deviceDisconnected', ({ deviceId }) => presenceChanged(deviceId))
  events.on('deviceRemoved', ({ deviceId }) => {
    for (const { id } of openOf(deviceId)) {
      progress.delete(id)
      labelled.get(id)?.()
      labelled.delete(id)
      release(deviceId, id)
    }
    known.delete(deviceId)
    for (const unitId of known.keys())
      cancelWhere(unitId, ({ id }) => progress.get(id)?.serverId === deviceId, 'upload.serverRemoved')
  })

  // Uploads of its former customer, pending ones too, remain with that customer.
  events.on('deviceMoved', ({ deviceId }) => {
    cancelWhere(deviceId, () => true, 'unit.otherCustomer')
    known.delete(deviceId)
    show(deviceId)
  })

  /** Pending uploads are cancelled first, so that none of them starts in between. */
  function cancelWhere(unitId: string, isMeant: (one: FileUpload) => boolean, why: PlainCode): boolean {
    const open = openOf(unitId).filter(isMeant)
    const running = open.filter(({ id }) => isRunning(id))
    const waiting = open.filter(({ id }) => !isRunning(id))
    for (const { id } of [...waiting, ...running]) end(unitId, id, 'failed', why)
    return open.length > 0
  }

  const isOverdue = ({ id, state }: FileUpload): boolean =>
    state === 'waiting' &&
    ages.nowMs() - (progress.get(id)?.waitingSinceMs ?? ages.nowMs()) >= UPLOAD_WAITS_MS

  function check(): void {
    for (const unitId of known.keys()) {
      cancelWhere(unitId, isOverdue, 'upload.neverBack')
      if (openOf(unitId).length > 0) next(unitId)
    }
  }

  function labelFile(unitId: string, { id, channelId, name: fileName, metadata }: FileUpload): void {
    if (metadata !== null) labelled.set(id, label({ channelId, unitId, fileName }, metadata))
  }

  /** Resumes the uploads of the time before the restart. */
  function adopt(unitId: string, { upload, progress: kept }: table.KeptUpload): void {
    if (isUploadOver(upload.state)) return
    labelFile(unitId, upload)
    if (kept) {
      const { waitingSinceMs } = kept
      // The wait is not longer than before the clock was set back.
      const sinceMs = waitingSinceMs === null ? null : Math.min(waitingSinceMs, ages.nowMs())
      progress.set(upload.id, { ...kept, waitingSinceMs: sinceMs })
    } else end(unitId, upload.id, 'failed', 'upload.serverRemoved')
  }
  let timer: Timer | undefined

  return {
    of,
    async add({ unitId, inventoryId, channelId, channelName, serverId, paths, metadata, by, isTaken }) {
      const uploads: FileUpload[] = []
      for (const [at, path] of paths.entries()) {
        const name = nameAtServer(path)
        const isThere =
          (await isTaken(name)) ||
          [...uploads, ...of(unitId)].some(
            (one) => one.name === name && one.channelId === channelId && !isUploadOver(one.state),
          )
        const startedAt = clock.nowMs()
        uploads.unshift({
          id: freshId(at),
          path,
          name,
          metadata: metadata && { ...metadata },
          channelId,
          channelName,
          by,
          startedAt,
          sizeBytes: null,
          sentBytes: 0,
          ...(isThere
            ? { state: 'rejected', endedAt: startedAt, ...reasonFields('upload.nameTaken') }
            : { state: 'pending', endedAt: null, reason: null }),
        })
      }
      await table.insertUploads(db, uploads, { unitId, inventoryId, serverId })
      for (const upload of uploads)
        if (!isUploadOver(upload.state)) {
          progress.set(upload.id, { serverId, modifiedMs: null, waitingSinceMs: null })
          labelFile(unitId, upload)
        }
      known.set(unitId, keep([...uploads, ...of(unitId)]))
      show(unitId)
      next(unitId)
      return uploads
    },
    cancel: (unitId, paths) => cancelWhere(unitId, ({ path }) => paths.includes(path), 'upload.cancelled'),
    bind: relay.bind,
    async start() {
      for (const [unitId, kept] of await table.newestUploads(db)) {
        const own = kept.filter(({ upload }) => upload.startedAt >= units.sinceMs(unitId))
        known.set(
          unitId,
          own.map(({ upload }) => upload),
        )
        for (const one of own) adopt(unitId, one)
        next(unitId)
      }
      timer = clock.setInterval(check, checkEveryMs)
    },
    async stop() {
      clock.clearInterval(timer)
      for (const { id, unitId } of [...running.values()]) hold(unitId, id, 'upload.unitAway')
      await writes.stored()
    },
  }
}

/** A device of an earlier version reports it by this text only. */
const earlierWords = 'The connection was interrupted'

const isInterruption = ({ cause, reason }: Outcome): boolean =>
  cause?.code === 'upload.interrupted' || reason === earlierWords

/** Whether a source can be sent: another file cannot be recognised without the time of its change. */
const isWhole = (source: SourceFile | undefined): source is UploadSource =>
  source !== undefined && source.modifiedMs !== null

const orderId = (...parts: [uploadId: string, side: 'in' | 'out', attempt: string]): string => parts.join(' ')

/** Sorts by the order within one call. */
const freshId = (at: number): string => `ul-${at}${randomBytes(9).toString('base64url')}`

/** Finished ones are removed first. */
function keep(uploads: readonly FileUpload[]): FileUpload[] {
  const open = uploads.filter(({ state }) => !isUploadOver(state)).length
  let room = UPLOADS_KEPT - open
  return uploads.filter(({ state }) => !isUploadOver(state) || room-- > 0)
}
