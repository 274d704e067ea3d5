/** Reports the files of a server to core: all of them after a welcome, afterwards only the changes. */
import { isDeepStrictEqual } from 'node:util'
import type { Files } from '@backhaul/contract/gateway/gateway'
import { FILES_PER_MESSAGE, type StoredFile, type StoredFileKey } from '@backhaul/contract/gateway/servers'
import { MAX_FRAME_BYTES } from '@backhaul/contract/gateway/shared'
import { fileIdOf } from '@backhaul/contract/nouns/files'
import type { Clock, Timer } from '@backhaul/runtime/clock'

/** Between two messages, so that a server with thousands of files remains far below core's limit. */
const paceMs = 250
const PART_BYTES = MAX_FRAME_BYTES * 0.4

export interface FileReporter {
  /** After a welcome: reports every file. */
  reportAll(): void
  /** Files may have changed: reports the difference soon. */
  reportChanges(): void
  /** The connection is lost: nothing is reported until the next reportAll. */
  forget(): void
}

export interface FileReporterOptions {
  read: () => readonly StoredFile[]
  /** False when it could not be sent. */
  send: (message: Files) => boolean
  clock: Clock
}

export function createFileReporter({ read, send, clock }: FileReporterOptions): FileReporter {
  let reported: Map<string, StoredFile> | undefined
  let queue: Files[] = []
  let timer: Timer | undefined

  function enqueue(files: readonly StoredFile[], removed: readonly StoredFileKey[], isAll: boolean): void {
    const [named, gone] = [inParts(files), inParts(removed)]
    const count = Math.max(1, named.length, gone.length)
    for (let at = 0; at < count; at++) {
      const [begins, ends] = [isAll && at === 0, isAll && at === count - 1]
      queue.push({ type: 'files', begins, ends, files: named[at] ?? [], removed: gone[at] ?? [] })
    }
  }

  /** One message a turn; when all are sent, changes of the meantime follow. */
  function turn(): void {
    timer = undefined
    if (reported === undefined) return
    if (queue.length === 0) compare(reported)
    const next = queue.shift()
    if (!next) return
    if (send(next)) timer = clock.setTimeout(turn, paceMs)
    else forget()
  }

  function compare(before: ReadonlyMap<string, StoredFile>): void {
    const now = byId(read())
    const changed = [...now].filter(([id, file]) => !isDeepStrictEqual(before.get(id), file))
    const removed = [...before].filter(([id]) => !now.has(id))
    reported = now
    if (changed.length + removed.length === 0) return
    enqueue(
      changed.map(([, file]) => file),
      removed.map(([, { channelId, unitId, fileName }]) => ({ channelId, unitId, fileName })),
      false,
    )
  }

  function forget(): void {
    clock.clearTimeout(timer)
    timer = undefined
    reported = undefined
    queue = []
  }

  return {
    reportAll() {
      forget()
      const files = read()
      reported = byId(files)
      enqueue(files, [], true)
      turn()
    },
    reportChanges() {
      if (reported !== undefined && timer === undefined) turn()
    },
    forget,
  }
}

/** Labels are of any length: no part is larger than a frame, together with the other one. */
function inParts<T>(all: readonly T[]): T[][] {
  const parts: T[][] = []
  let bytes = 0
  for (const one of all) {
    const size = Buffer.byteLength(JSON.stringify(one))
    const last = parts.at(-1)
    if (last && last.length < FILES_PER_MESSAGE && bytes + size <= PART_BYTES) {
      last.push(one)
      bytes += size
    } else {
      parts.push([one])
      bytes = size
    }
  }
  return parts
}

const byId = (files: readonly StoredFile[]): Map<string, StoredFile> =>
  new Map(files.map((file) => [fileIdOf(file), file]))
