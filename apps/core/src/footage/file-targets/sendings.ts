// Sending files to their targets: each way is a row, so that it continues after a restart; one file of a target at a time.
import { Readable } from 'node:stream'
import { Refusal } from '@backhaul/contract/define/errors'
import { type Reason, reasonFields, type Wording } from '@backhaul/contract/define/refusals'
import { type FileTargetKind, SENDING_TRIES, sendingPauseMs } from '@backhaul/contract/nouns/file-targets'
import { metadataDocument } from '@backhaul/contract/nouns/metadata-documents'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Files, KeptFile } from '../files/files.ts'
import * as table from './sending-table.ts'
import type { StoredTarget } from './target-table.ts'
import { type Item, type OpenTarget, TransferFailure, type Transport } from './transfer.ts'
import { failureOf } from './transfer-failures.ts'

export interface Sendings {
  /** Something may be due. */
  wake(): void
  /** Breaks off what is running of it; its row is already in its last state. */
  breakOff(id: string): void
  /** Breaks off all that is running to a target that is deleted. */
  breakOffTarget(targetId: string): void
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  files: Pick<Files, 'find' | 'read' | 'metadataOf'>
  transports: Readonly<Record<FileTargetKind, Transport>>
  /** Undefined once it is deleted. */
  targetOf(id: string): Promise<{ target: StoredTarget; open: OpenTarget } | undefined>
}

/** Files that are sent at the same time; more would share the same network. */
const atOnce = 4
const lookEveryMs = 5000
/** Progress is stored so often. */
const storeEveryMs = 1000

interface Running {
  readonly targetId: string
  readonly abort: AbortController
  readonly done: Promise<void>
}

export function createSendings({ db, clock, log, files, transports, targetOf }: Needs): Sendings {
  const running = new Map<string, Running>()
  let looking: Promise<void> | undefined
  let isStopping = false
  let timer: Timer | undefined

  function itemOf({ id }: table.StoredSending, file: KeptFile, target: StoredTarget): Item {
    const metadata = files.metadataOf(file)
    const { fileName, sizeBytes } = file
    const { sentMetadata: format } = target
    const isDescribed = format !== 'none' && metadata.sendMetadata
    return {
      id,
      fileName,
      sizeBytes,
      document: isDescribed ? { format, text: metadataDocument(fileName, metadata, format) } : undefined,
      // A server gives no part of an empty file.
      read: async (from, to) => (sizeBytes === 0 ? Readable.from([]) : await files.read(file, from, to)),
    }
  }

  /** Stores how far it is, once at a time. */
  function progressOf(id: string) {
    let [storedMs, storing] = [clock.monotonicMs(), Promise.resolve()]
    return {
      sent(sentBytes: number): void {
        if (clock.monotonicMs() - storedMs < storeEveryMs) return
        storedMs = clock.monotonicMs()
        storing = storing
          .then(async () => void (await table.changeSending(db, id, { sentBytes })))
          .catch((error) => log.error({ err: error, sending: id }, 'progress of the sending not stored'))
      },
      stored: () => storing,
    }
  }

  async function send(sending: table.StoredSending, signal: AbortSignal): Promise<number> {
    const [file, found] = [await files.find(sending.file), await targetOf(sending.targetId)]
    if (!file || !found) throw new TransferFailure('sending.fileGone', true)
    const { target, open } = found
    const { sizeBytes } = file
    await table.changeSending(db, sending.id, { state: 'sending', sizeBytes })
    const { sent, stored } = progressOf(sending.id)
    try {
      await transports[target.kind].send(open, itemOf(sending, file, target), {
        progress: sending.progress,
        keep: async (progress) => void (await table.changeSending(db, sending.id, { progress })),
        sent,
        signal,
      })
    } finally {
      await stored()
    }
    return sizeBytes
  }

  async function failed(sending: table.StoredSending, error: Error): Promise<void> {
    const { id, targetId } = sending
    const tries = sending.tries + 1
    const isOver = tries >= SENDING_TRIES || (error instanceof TransferFailure && error.isFinal)
    log.warn({ sending: id, target: targetId, tries, reason: error.message }, 'file not sent to its target')
    const nowMs = clock.nowMs()
    await table.changeSending(db, id, {
      state: isOver ? 'failed' : 'waiting',
      tries,
      dueMs: nowMs + sendingPauseMs(tries),
      ...(isOver && { endedMs: nowMs }),
      ...reasonFields(whyOf(error)),
    })
  }

  async function run(sending: table.StoredSending, { signal }: AbortController): Promise<void> {
    const { id, targetId, file } = sending
    try {
      const sentBytes = await send(sending, signal)
      const isDone = await table.changeSending(db, id, {
        state: 'done',
        sentBytes,
        endedMs: clock.nowMs(),
        reason: null,
      })
      if (isDone) log.info({ sending: id, target: targetId, file: file.fileName }, 'file sent to its target')
    } catch (error) {
      // Cancelled, or core ends: it continues after the start.
      if (!signal.aborted) await failed(sending, failureOf(error))
    }
  }

  function begin(sending: table.StoredSending): void {
    const { id, targetId } = sending
    const abort = new AbortController()
    const done = run(sending, abort)
      .catch((error) => log.error({ err: error, sending: id }, 'state of the sending not stored'))
      .finally(() => {
        running.delete(id)
        wake()
      })
    running.set(id, { targetId, abort, done })
  }

  async function look(): Promise<void> {
    for (const sending of await table.dueSendings(db, clock.nowMs())) {
      const isBusy = [...running.values()].some(({ targetId }) => targetId === sending.targetId)
      if (isStopping || running.size >= atOnce) return
      if (!isBusy && !running.has(sending.id)) begin(sending)
    }
  }

  function wake(): void {
    if (isStopping) return
    looking ??= look()
      .catch((error) => log.error({ err: error }, 'due sendings of files not read'))
      .finally(() => {
        looking = undefined
      })
  }

  return {
    wake,
    breakOff: (id) => running.get(id)?.abort.abort(),
    breakOffTarget(targetId) {
      for (const one of running.values()) if (one.targetId === targetId) one.abort.abort()
    },
    async start() {
      await table.waitAgain(db)
      timer = clock.setInterval(wake, lookEveryMs)
    },
    async stop() {
      isStopping = true
      clock.clearInterval(timer)
      await looking
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

function whyOf(error: Error): Reason | Wording {
  if (error instanceof TransferFailure) return error.why
  const { message, cause } = error as Refusal
  return error instanceof Refusal ? { message, cause } : { message: error.message }
}
