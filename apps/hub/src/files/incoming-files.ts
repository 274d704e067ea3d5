// Files that units send, until they are complete: kept under the id of their upload, so that an interrupted upload can continue.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UPLOAD_WAITS_MS } from '@backhaul/contract/nouns/unit-files'
import { Refused } from '@backhaul/device/refused'
import type { IncomingFile, ServerUploads } from '@backhaul/device/server-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { type FoundFile, folderName } from './file-folders.ts'
import { createWaitedTimes } from './waited-times.ts'

export interface IncomingFiles extends ServerUploads {
  /** The uploads that are running. */
  found(): Promise<FoundFile[]>
  close(): Promise<void>
}

export interface IncomingFilesOptions {
  dataFolder: string
  /** An upload has begun or ended. */
  onChange: () => Promise<void>
  clock: Clock
  log: Log
}

const CLEAN_EACH_MS = 3_600_000

export function createIncomingFiles({
  dataFolder,
  onChange,
  clock,
  log,
}: IncomingFilesOptions): IncomingFiles {
  const folder = join(dataFolder, 'incoming')
  const waited = createWaitedTimes(folder, clock)
  const coming = new Map<string, IncomingFile>()
  const partOf = (uploadId: string) => join(folder, `${uploadId}.part`)
  /** The mark of a file that is complete, for a core that did not receive the answer. */
  const markOf = (uploadId: string) => join(folder, `${uploadId}.complete`)

  const sizeOf = (path: string) =>
    stat(path)
      .then(({ size }) => size)
      .catch(() => undefined)

  const placeOf = ({ file: { channelId, unitId, fileName } }: IncomingFile) =>
    join(dataFolder, 'uploads', folderName(channelId), folderName(unitId), fileName)

  async function write({ uploadId, from }: IncomingFile, content: AsyncIterable<Uint8Array>): Promise<void> {
    const part = partOf(uploadId)
    await mkdir(folder, { recursive: true })
    if (from > 0) await truncate(part, from)
    // Data that is still buffered when the connection ends is still written.
    const file = createWriteStream(part, { flags: from > 0 ? 'a' : 'w', flush: true })
    let fault: unknown
    async function* asFarAsItCame() {
      try {
        yield* content
      } catch (error) {
        fault = error
      }
    }
    await pipeline(asFarAsItCame, file)
    if (fault !== undefined) throw fault
  }

  /** Compares the sum of the file on the disk, including the bytes from before an interruption. */
  async function verify({ uploadId, sum }: IncomingFile): Promise<void> {
    if (!sum) return
    const wanted = await sum()
    const hash = createHash('sha256')
    await pipeline(createReadStream(partOf(uploadId)), hash)
    if (hash.digest('hex') === wanted) return
    await rm(partOf(uploadId), { force: true })
    throw new Refused('upload.damaged')
  }

  async function clean(): Promise<void> {
    for (const [name, waitedMs] of await waited.count()) {
      if (waitedMs < UPLOAD_WAITS_MS || coming.has(name.slice(0, name.lastIndexOf('.')))) continue
      const path = join(folder, name)
      await rm(path, { force: true })
      if (name.endsWith('.part')) log.info({ path }, 'removed part of a file: its upload was abandoned')
    }
  }

  let cleaning: Promise<void> = Promise.resolve()
  function cleanAgain(): void {
    cleaning = cleaning.then(clean).catch((error) => log.error(error, 'removal of abandoned uploads failed'))
  }
  cleanAgain()
  const timer = clock.setInterval(cleanAgain, CLEAN_EACH_MS)

  return {
    async found() {
      const files = [...coming.values()].map(async ({ uploadId, file }) => {
        const path = partOf(uploadId)
        const sizeBytes = await sizeOf(path)
        if (sizeBytes === undefined) return []
        const [rootDirectory, modifiedMs, document] = ['uploads' as const, Date.now(), null]
        return [{ ...file, rootDirectory, path, sizeBytes, modifiedMs, document }]
      })
      return (await Promise.all(files)).flat()
    },
    async kept(uploadId) {
      if ((await sizeOf(markOf(uploadId))) !== undefined) return 'complete'
      return (await sizeOf(partOf(uploadId))) ?? 0
    },
    async receive(incoming, content) {
      const { uploadId } = incoming
      const place = placeOf(incoming)
      const isTaken = await access(place).then(
        () => true,
        () => false,
      )
      if (isTaken) throw new Refused('name.taken')
      coming.set(uploadId, incoming)
      try {
        await write(incoming, content)
        await verify(incoming)
        await mkdir(dirname(place), { recursive: true })
        await rename(partOf(uploadId), place)
        await writeFile(markOf(uploadId), '')
      } finally {
        coming.delete(uploadId)
        await onChange()
      }
    },
    async forget(uploadId) {
      await rm(partOf(uploadId), { force: true })
    },
    async close() {
      clock.clearInterval(timer)
      // The time since the last count would be lost to a hub that is started again often.
      cleanAgain()
      await cleaning
    },
  }
}
