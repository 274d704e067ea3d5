// Uploads of units: one file of each unit at a time, the others wait; what became of each is written down.
import { randomBytes } from 'node:crypto'
import type { fileOrders } from '@backhaul/contract/gateway/servers'
import type { unitFileOrders } from '@backhaul/contract/gateway/units'
import {
  type FileUpload,
  isUploadOver,
  nameAtServer,
  UPLOADS_KEPT,
  unitFileTexts,
} from '@backhaul/contract/nouns/unit-files'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Database } from '../../database/schema.ts'
import type { Events } from '../../events.ts'
import type { Devices } from '../devices/devices.ts'
import type { Units } from '../units/units.ts'
import { createUploadRelay } from './upload-relay.ts'
import * as table from './upload-table.ts'

export interface Uploads {
  /** The newest of a unit, newest first. */
  of(unitId: string): readonly FileUpload[]
  add(asked: Asked): Promise<FileUpload[]>
  /** False when none of the files is on its way. */
  cancel(unitId: string, paths: readonly string[]): boolean
  bind(app: FastifyInstance): void
  start(): Promise<void>
  stop(): Promise<void>
}

export interface Asked {
  unitId: string
  inventoryId: string
  channelId: string
  channelName: string
  serverId: string
  paths: readonly string[]
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
  units: Units
}

interface Running {
  id: string
  unitId: string
  serverId: string
  silence: Timer
}

const orderLastsMs = 20_000
/** Nothing came for so long: nothing will. */
const silentAfterMs = 45_000
const tellEveryMs = 1000

export function createUploads({ db, clock, log, events, devices, units }: Needs): Uploads {
  const known = new Map<string, FileUpload[]>()
  /** By unit. */
  const running = new Map<string, Running>()
  const serverOf = new Map<string, string>()
  let writing: Promise<unknown> = Promise.resolve()
  const relay = createUploadRelay({
    clock,
    deviceOf: devices.host.deviceOf,
    onTaken: taken,
    onBroken: broken,
  })

  const of = (unitId: string): FileUpload[] => known.get(unitId) ?? []
  const isRunning = (id: string) => [...running.values()].find((one) => one.id === id)

  function change(unitId: string, id: string, more: Partial<FileUpload>): FileUpload | undefined {
    const next = of(unitId).map((one) => (one.id === id ? { ...one, ...more } : one))
    known.set(unitId, next)
    return next.find((one) => one.id === id)
  }

  const tell = (unitId: string) => units.setUploads(unitId, of(unitId))

  function end(unitId: string, id: string, state: FileUpload['state'], reason: string | null = null): void {
    const ended = change(unitId, id, { state, reason, endedAt: clock.nowMs() })
    serverOf.delete(id)
    const mine = running.get(unitId)
    if (mine?.id === id) {
      clock.clearTimeout(mine.silence)
      running.delete(unitId)
      relay.close(id)
    }
    if (ended)
      writing = writing
        .then(() => table.endUpload(db, ended))
        .catch((error) => log.error({ err: error, upload: id }, 'the end of an upload is not written'))
    tell(unitId)
    next(unitId)
  }

  const silence = (unitId: string, id: string): Timer =>
    clock.setTimeout(() => end(unitId, id, 'failed', 'Nothing came any more'), silentAfterMs)

  /** The oldest that waits, when nothing of the unit is on its way. */
  function next(unitId: string): void {
    if (running.has(unitId)) return
    const first = of(unitId).findLast(({ state }) => state === 'pending')
    const serverId = first && serverOf.get(first.id)
    if (!first || serverId === undefined) return
    const { id: uploadId, path, name: fileName, channelId } = first
    running.set(unitId, { id: uploadId, unitId, serverId, silence: silence(unitId, uploadId) })
    relay.open({ id: uploadId, unitId, serverId })
    const deadlineMs = clock.nowMs() + orderLastsMs
    const receive: z.infer<typeof fileOrders.receive_file> = {
      uploadId,
      file: { channelId, unitId, fileName },
    }
    const send: z.infer<typeof unitFileOrders.upload_file> = { uploadId, path }
    const isTold =
      devices.order(serverId, { id: `${uploadId} in`, name: 'receive_file', args: receive, deadlineMs }) &&
      devices.order(unitId, { id: `${uploadId} out`, name: 'upload_file', args: send, deadlineMs })
    if (!isTold) end(unitId, uploadId, 'failed', 'The unit or the server is not connected')
  }

  function taken(id: string, sentBytes: number, sizeBytes: number): void {
    const mine = isRunning(id)
    if (!mine) return
    clock.clearTimeout(mine.silence)
    mine.silence = silence(mine.unitId, id)
    const before = of(mine.unitId).find((one) => one.id === id)
    change(mine.unitId, id, { state: 'uploading', sentBytes, sizeBytes })
    if (before?.state !== 'uploading') tell(mine.unitId)
  }

  function broken(id: string): void {
    const mine = isRunning(id)
    if (mine) end(mine.unitId, id, 'failed', 'The server went away')
  }

  /** The server has it: it is done. Either end that refuses ends it, and before the first byte that is a rejection. */
  function outcome(deviceId: string, orderId: string, state: string, reason = ''): void {
    const [id = '', side] = orderId.split(' ')
    const mine = isRunning(id)
    if (!mine || deviceId !== (side === 'in' ? mine.serverId : mine.unitId)) return
    const isBegun = of(mine.unitId).find((one) => one.id === id)?.state === 'uploading'
    if (state === 'refused') end(mine.unitId, id, isBegun ? 'failed' : 'rejected', reason)
    if (state === 'confirmed' && side === 'in') end(mine.unitId, id, 'success')
  }

  events.on('deviceSaid', ({ deviceId, message }) => {
    if (message.type === 'outcome' && message.id !== undefined)
      outcome(deviceId, message.id, message.state, message.reason)
  })
  events.on('deviceClosed', ({ deviceId }) => {
    for (const { id, unitId, serverId } of [...running.values()])
      if (deviceId === unitId || deviceId === serverId)
        end(unitId, id, 'failed', 'The unit or the server is not connected any more')
  })
  events.on('deviceRemoved', ({ deviceId }) => {
    known.delete(deviceId)
  })

  // What its former customer sent, and was about to send, is his.
  events.on('deviceMoved', ({ deviceId }) => {
    calledOff(deviceId, () => true, 'The unit has another customer')
    known.delete(deviceId)
    tell(deviceId)
  })

  /** What waits goes first, so that none of it begins for a moment. */
  function calledOff(unitId: string, isMeant: (one: FileUpload) => boolean, reason: string): boolean {
    const open = of(unitId).filter((one) => isMeant(one) && !isUploadOver(one.state))
    for (const state of ['pending', 'uploading'])
      for (const one of open) if (one.state === state) end(unitId, one.id, 'failed', reason)
    return open.length > 0
  }

  const progress = () => {
    for (const unitId of running.keys()) tell(unitId)
  }
  let timer: Timer | undefined

  return {
    of,
    async add({ unitId, inventoryId, channelId, channelName, serverId, paths, by, isTaken }) {
      const uploads: FileUpload[] = []
      for (const [at, path] of paths.entries()) {
        const name = nameAtServer(path)
        const isThere =
          (await isTaken(name)) ||
          [...uploads, ...of(unitId)].some(
            (one) => one.name === name && one.channelId === channelId && one.state === 'pending',
          )
        const startedAt = clock.nowMs()
        uploads.unshift({
          ...{ id: freshId(at), path, name, channelId, channelName, by, startedAt },
          ...{ sizeBytes: null, sentBytes: 0 },
          ...(isThere
            ? { state: 'rejected', endedAt: startedAt, reason: unitFileTexts.nameTaken }
            : { state: 'pending', endedAt: null, reason: null }),
        })
      }
      await table.insertUploads(db, uploads, { unitId, inventoryId })
      for (const { id, state } of uploads) if (!isUploadOver(state)) serverOf.set(id, serverId)
      known.set(unitId, keep([...uploads, ...of(unitId)]))
      tell(unitId)
      next(unitId)
      return uploads
    },
    cancel: (unitId, paths) => calledOff(unitId, ({ path }) => paths.includes(path), unitFileTexts.calledOff),
    bind: relay.bind,
    async start() {
      await table.failOpen(db, clock.nowMs(), 'Core was started anew')
      for (const [unitId, uploads] of await table.newestUploads(db)) {
        known.set(
          unitId,
          uploads.filter(({ startedAt }) => startedAt >= units.sinceMs(unitId)),
        )
        tell(unitId)
      }
      timer = clock.setInterval(progress, tellEveryMs)
    },
    async stop() {
      clock.clearInterval(timer)
      for (const { id, unitId } of [...running.values()]) end(unitId, id, 'failed', 'Core stops')
      await writing
    },
  }
}

/** Sorts by its place among those of one call. */
const freshId = (at: number): string => `ul-${at}${randomBytes(9).toString('base64url')}`

/** Those that are over make room first. */
function keep(uploads: readonly FileUpload[]): FileUpload[] {
  const open = uploads.filter(({ state }) => !isUploadOver(state)).length
  let room = UPLOADS_KEPT - open
  return uploads.filter(({ state }) => !isUploadOver(state) || room-- > 0)
}
