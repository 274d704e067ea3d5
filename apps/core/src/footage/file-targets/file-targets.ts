// File targets: FTP, SFTP and S3 servers of customers; sending on request of a user, or automatically.
import { randomBytes } from 'node:crypto'
import { Conflict, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import type { StoredFile, StoredFileKey } from '@backhaul/contract/gateway/servers'
import {
  FILE_TARGETS_PER_INVENTORY,
  type FileSending,
  type FileTarget,
  type FileTargetChange,
  isSendingOver,
  type NewFileTarget,
  targetAddressFault,
} from '@backhaul/contract/nouns/file-targets'
import { fileIdOf } from '@backhaul/contract/nouns/files'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Sealing } from '../../database/sealing.ts'
import { uniqueName } from '../../database/unique.ts'
import type { OutwardAddresses } from '../../doors/outward-address.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import type { Files } from '../files/files.ts'
import { createFtpTransport } from './ftp-transport.ts'
import { createS3Transport } from './s3-transport.ts'
import * as sendingTable from './sending-table.ts'
import { createSendings } from './sendings.ts'
import { createSftpTransport } from './sftp-transport.ts'
import * as table from './target-table.ts'
import { type OpenTarget, TransferFailure } from './transfer.ts'
import { failureOf } from './transfer-failures.ts'

/** Everything throws NotFound for a customer, a target, a file and a sending outside the caller's scope. */
export interface FileTargets {
  ofInventory(scope: Scope, inventoryId: string): Promise<FileTarget[]>
  /** Throws Conflict for a taken name and for one too many. */
  create(scope: Scope, inventoryId: string, target: NewFileTarget): Promise<FileTarget>
  /** Throws Conflict for a taken name, InvalidRequest for an address of another kind. */
  change(scope: Scope, inventoryId: string, id: string, change: FileTargetChange): Promise<FileTarget>
  remove(scope: Scope, inventoryId: string, id: string): Promise<FileTarget>
  /** Throws Conflict with the reason why files cannot be sent there. */
  check(scope: Scope, inventoryId: string, id: string): Promise<void>
  /** Throws Conflict for a file that is being written, or is being sent there already. */
  send(scope: Scope, fileId: string, targetId: string, by: string): Promise<FileSending>
  sendings(
    scope: Scope,
    fileId: string,
  ): Promise<{ sendings: FileSending[]; targets: Pick<FileTarget, 'id' | 'name' | 'kind'>[] }>
  /** Throws Conflict for one that is over. */
  cancel(scope: Scope, id: string): Promise<FileSending>
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  sealing: Sealing
  outwardAddresses: OutwardAddresses
  inventories: Inventories
  channels: Channels
  files: Files
}

const freshId = (kind: 'ft' | 'fs') => `${kind}-${randomBytes(9).toString('base64url')}`

const shown = ({ secret, sendsSinceMs, ...target }: table.StoredTarget): FileTarget => ({
  ...target,
  sendsAll: sendsSinceMs !== null,
  hasSecret: secret !== null,
})

export function createFileTargets(needs: Needs): FileTargets {
  const { db, clock, log, events, sealing, outwardAddresses, inventories, channels, files } = needs
  const transports = {
    ftp: createFtpTransport(outwardAddresses),
    sftp: createSftpTransport(outwardAddresses),
    s3: createS3Transport(outwardAddresses),
  }
  const jobs = createSendings({ ...needs, transports, targetOf })

  const sealed = (secret: string, id: string) => (secret === '' ? null : sealing.seal(secret, id))

  function openOf({ id, secret, address, username, region, hostKey }: table.StoredTarget): OpenTarget {
    const opened = secret === null ? '' : (sealing.open(secret, id) ?? '')
    return { url: new URL(address), secret: opened, username, region, hostKey }
  }

  async function targetOf(id: string) {
    const target = await table.targetById(db, id)
    return target && { target, open: openOf(target) }
  }

  async function requireTarget(scope: Scope, inventoryId: string, id: string): Promise<table.StoredTarget> {
    await inventories.get(scope, inventoryId)
    const target = await table.findTarget(db, inventoryId, id)
    if (!target) throw new NotFound('fileTarget')
    return target
  }

  /** Files belong to the customer of their channel; who it is lent to sends them there too. */
  const ownerOf = (channelId: string): string => channels.known(channelId)?.inventoryId ?? ''

  const shownSending = (sending: sendingTable.StoredSending, targetName: string): FileSending => ({
    id: sending.id,
    fileId: fileIdOf(sending.file),
    targetId: sending.targetId,
    targetName,
    state: sending.state,
    sizeBytes: sending.sizeBytes,
    sentBytes: sending.sentBytes,
    tries: sending.tries,
    nextTryAt: sending.state === 'waiting' && sending.tries > 0 ? isoOf(sending.dueMs) : null,
    by: sending.startedBy,
    startedAt: isoOf(sending.startedMs),
    endedAt: sending.endedMs === null ? null : isoOf(sending.endedMs),
    reason: sending.reason,
    cause: sending.cause,
  })

  async function add(
    file: StoredFileKey & { sizeBytes: number },
    targetId: string,
    startedBy: string | null,
  ) {
    const nowMs = clock.nowMs()
    const { channelId, unitId, fileName, sizeBytes } = file
    const sending: sendingTable.StoredSending = {
      id: freshId('fs'),
      targetId,
      file: { channelId, unitId, fileName },
      state: 'waiting',
      sizeBytes,
      sentBytes: 0,
      tries: 0,
      dueMs: nowMs,
      startedBy,
      startedMs: nowMs,
      endedMs: null,
      progress: {},
      reason: null,
    }
    await sendingTable.insertSending(db, sending)
    return sending
  }

  /** Sends the files that finished since a target takes all files, and were never sent there. */
  async function sendNew(stored: readonly StoredFile[]): Promise<void> {
    const finished = stored.filter(({ isTransferring }) => !isTransferring)
    if (finished.length === 0) return
    for (const { id, inventoryId, sendsSinceMs } of await table.targetsThatSendAll(db))
      for (const file of finished) {
        if (ownerOf(file.channelId) !== inventoryId || file.modifiedMs < (sendsSinceMs ?? 0)) continue
        if (!(await sendingTable.wasSent(db, file, id))) await add(file, id, null)
      }
    jobs.wake()
  }

  async function forget(gone: readonly StoredFileKey[]): Promise<void> {
    for (const key of gone) for (const id of await sendingTable.deleteSendings(db, key)) jobs.breakOff(id)
  }

  /** The work on news, in its order. */
  let working: Promise<void> = Promise.resolve()
  function follow(run: () => Promise<void>): void {
    working = working.then(run).catch((error) => log.error({ err: error }, 'sendings of files not kept'))
  }
  events.on('fileRenamed', ({ from, to }) => follow(() => sendingTable.moveSendings(db, from, to)))
  events.on('filesStored', ({ files: stored, removed }) =>
    follow(async () => {
      await forget(removed)
      await sendNew(stored)
    }),
  )

  return {
    async ofInventory(scope, inventoryId) {
      await inventories.get(scope, inventoryId)
      return (await table.targetsOf(db, inventoryId)).map(shown)
    },
    async create(scope, inventoryId, { secret, sendsAll, ...settings }) {
      await inventories.get(scope, inventoryId)
      if ((await table.countTargets(db, inventoryId)) >= FILE_TARGETS_PER_INVENTORY)
        throw new Conflict('fileTarget.tooMany')
      const id = freshId('ft')
      const nowMs = clock.nowMs()
      const sendsSinceMs = sendsAll ? nowMs : null
      const target = { id, inventoryId, ...settings, secret: sealed(secret, id), sendsSinceMs }
      await uniqueName(table.insertTarget(db, target, nowMs))
      return shown(target)
    },
    async change(scope, inventoryId, id, { secret, sendsAll, ...changes }) {
      const before = await requireTarget(scope, inventoryId, id)
      const target = { ...before, ...changes } as table.StoredTarget
      if (secret !== undefined) target.secret = sealed(secret, id)
      if (sendsAll !== undefined)
        target.sendsSinceMs = sendsAll ? (before.sendsSinceMs ?? clock.nowMs()) : null
      const fault = targetAddressFault(target.kind, target.address)
      if (fault !== undefined) throw InvalidRequest.at('address', fault)
      await uniqueName(table.updateTarget(db, target))
      return shown(target)
    },
    async remove(scope, inventoryId, id) {
      const target = await requireTarget(scope, inventoryId, id)
      await table.deleteTarget(db, inventoryId, id)
      jobs.breakOffTarget(id)
      return shown(target)
    },
    async check(scope, inventoryId, id) {
      const target = await requireTarget(scope, inventoryId, id)
      await transports[target.kind].check(openOf(target)).catch((error: unknown) => {
        const failure = failureOf(error)
        throw failure instanceof TransferFailure ? new Conflict(failure.why) : failure
      })
    },
    async send(scope, fileId, targetId, by) {
      const file = await files.get(scope, fileId)
      if (file.isTransferring) throw new Conflict('file.beingWritten')
      const target = await table.findTarget(db, ownerOf(file.channelId), targetId)
      if (!target) throw new NotFound('fileTarget')
      const earlier = await sendingTable.sendingsOfFile(db, file)
      if (earlier.some((one) => one.targetId === targetId && !isSendingOver(one.state)))
        throw new Conflict('sending.open')
      const sending = await add(file, targetId, by)
      jobs.wake()
      return shownSending(sending, target.name)
    },
    async sendings(scope, fileId) {
      const file = await files.get(scope, fileId)
      const targets = await table.targetsOf(db, ownerOf(file.channelId))
      const nameOf = new Map(targets.map(({ id, name }) => [id, name]))
      const all = await sendingTable.sendingsOfFile(db, file)
      return {
        sendings: all.map((sending) => shownSending(sending, nameOf.get(sending.targetId) ?? '')),
        targets: targets.map(({ id, name, kind }) => ({ id, name, kind })),
      }
    },
    async cancel(scope, id) {
      const sending = await sendingTable.findSending(db, id)
      const known = sending && channels.find(scope, sending.file.channelId)
      if (!sending || !known) throw new NotFound('sending')
      const ended = { state: 'cancelled', endedMs: clock.nowMs(), reason: null } as const
      if (!(await sendingTable.changeSending(db, id, ended))) throw new Conflict('sending.over')
      jobs.breakOff(id)
      const target = await table.targetById(db, sending.targetId)
      return shownSending({ ...sending, ...ended, cause: undefined }, target?.name ?? '')
    },
    start: jobs.start,
    async stop() {
      await working
      await jobs.stop()
    },
  }
}

const isoOf = (ms: number): string => new Date(ms).toISOString()
