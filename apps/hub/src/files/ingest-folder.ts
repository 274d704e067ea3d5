// The ingest folder: files that other systems put there become files of channels, each once and whole.
import { createReadStream, createWriteStream, type Stats } from 'node:fs'
import { access, lstat, mkdir, readdir, readFile, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { INGESTED } from '@backhaul/contract/nouns/files'
import { documentName } from '@backhaul/contract/nouns/metadata-formats'
import { type Clock, systemClock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { folderName } from './file-folders.ts'
import { labelsIn, writeLabels } from './ingest-labels.ts'
import { fileNameFor, isUnfinishedName, numbered } from './ingest-names.ts'
import { openLike } from './shared-rights.ts'
import { openTakenList } from './taken-list.ts'

const SCAN_EACH_MS = 1000
/** A file that did not change for this long is complete. */
const SETTLED_MS = 10_000
/** A fault is logged again after this long. */
const REPEAT_MS = 60_000
/** A document of labels is small. */
const DOCUMENT_BYTES = 1 << 20

/** Files in this folder are of this channel. */
export interface IngestPlace {
  readonly channelId: string
  readonly folder: string
}

export interface IngestFolderOptions {
  folder: string
  dataFolder: string
  places: () => readonly IngestPlace[]
  /** A file was taken. */
  onTaken: () => Promise<void>
  settledMs?: number
  clock?: Clock
  log: Log
}

interface Seen {
  readonly path: Buffer
  readonly stats: Stats
}

/** Its name may be no text. */
interface Found extends Seen {
  readonly name: string
  readonly document: Seen | undefined
}

/** Without the numbers of device and file, of which a share may get others each time that it is mounted. */
const stateOf = ({ size, mtimeMs }: Stats): string => [size, mtimeMs].join('/')
const pathIn = (folder: string, name: Buffer): Buffer => Buffer.concat([Buffer.from(`${folder}/`), name])
const documentPath = (path: Buffer): Buffer =>
  Buffer.from(documentName(path.toString('latin1'), 'json'), 'latin1')
/** Neither what a link leads to nor what is no file. */
const fileStats = (path: Buffer | string): Promise<Stats | undefined> =>
  lstat(path).then(
    (stats) => (stats.isFile() ? stats : undefined),
    () => undefined,
  )
const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

async function see(path: Buffer): Promise<Seen | undefined> {
  const stats = await fileStats(path)
  return stats && { path, stats }
}

async function findFile(place: string, raw: Buffer): Promise<Found | undefined> {
  const name = raw.toString('utf8')
  if (isUnfinishedName(name) || name.endsWith('.json')) return undefined
  const seen = await see(pathIn(place, raw))
  if (!seen || seen.stats.size === 0) return undefined
  return { ...seen, name, document: await see(documentPath(seen.path)) }
}

/** Removes a file unless another program has replaced it since. */
async function removeIf(path: Buffer, state: string | undefined): Promise<void> {
  const stats = await fileStats(path)
  if (stats && stateOf(stats) === state) await rm(path, { force: true })
}

/**
 * 1. found: it is in the folder of a channel, under the name of a finished file, and has content;
 * 2. settled: neither it nor its document has changed for some seconds; a change leads back to 1;
 * 3. taken: moved to the files of the hub. Between two disks, and where another account owns it, it is copied: one that
 *    changes meanwhile goes back to 1.
 * A list records which files are being moved and which were copied, so that the end of the program in between makes no second file, and
 * leaves no document to the next file of the name.
 */
export function watchIngestFolder(options: IngestFolderOptions): { stop(): Promise<void> } {
  const { folder, dataFolder, places, onTaken, settledMs = SETTLED_MS, clock = systemClock, log } = options
  const taken = openTakenList(dataFolder)
  /** By path: since when, in ms of the steady clock, it has been in this state. */
  const seen = new Map<string, { state: string; sinceMs: number }>()
  const logged = new Map<string, number>()
  let isStopping = false

  function warn(about: string, error: unknown): void {
    const nowMs = clock.monotonicMs()
    if (nowMs - (logged.get(about) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return
    logged.set(about, nowMs)
    log.warn({ err: error, about }, 'ingest folder: not taken')
  }

  function isSettled({ path, stats, document }: Found): boolean {
    const key = path.toString('hex')
    const state = [stats, document?.stats].map((one) => one && stateOf(one)).join()
    const nowMs = clock.monotonicMs()
    const before = seen.get(key)
    if (before?.state === state) return nowMs - before.sinceMs >= settledMs
    seen.set(key, { state, sinceMs: nowMs })
    return false
  }

  async function labelsOf({ name, document }: Found) {
    if (!document) return {}
    if (document.stats.size > DOCUMENT_BYTES) {
      warn(name, new Error('the document of its labels is too large'))
      return {}
    }
    const labels = labelsIn(await readFile(document.path, 'utf8'))
    if (!labels) warn(name, new Error('its document is no JSON object'))
    return labels ?? {}
  }

  async function freePath(to: string, name: string): Promise<string> {
    for (let count = 1; ; count++) {
      const path = join(to, numbered(fileNameFor(name), count))
      if (!(await isThere(path))) return path
    }
  }

  /** False where it changed meanwhile. */
  async function copy({ path, stats }: Found, target: string, part: string): Promise<boolean> {
    try {
      // A copy by the system would have the owner and the mode of the original.
      await pipeline(createReadStream(path), createWriteStream(part, { flush: true }))
      const now = await fileStats(path)
      if (!now || stateOf(now) !== stateOf(stats)) return false
      const state = stateOf(stats)
      await taken.add(path, { state, naming: { target, copy: stateOf(await lstat(part)) } })
      await rename(part, target)
      await taken.add(path, { state })
      return true
    } finally {
      await rm(part, { force: true })
    }
  }

  /** False where it has to be copied. This program knows only of its own file when it was taken. */
  async function move({ path, stats, document }: Found, target: string): Promise<boolean> {
    if (stats.uid !== process.geteuid?.()) return false
    const moving = { target, document: document && stateOf(document.stats) }
    await taken.add(path, { state: stateOf(stats), moving })
    try {
      await rename(path, target)
      return true
    } catch (error) {
      await taken.remove(path)
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
      return false
    }
  }

  /** Completes the record of a move, also of one that an earlier program finished or could not finish. */
  async function finishMove(path: Buffer): Promise<void> {
    const moving = taken.get(path)?.moving
    if (!moving) return
    if (await isThere(moving.target)) {
      await removeIf(documentPath(path), moving.document)
      // It is a file of the hub from now on.
      const now = new Date(clock.nowMs())
      await utimes(moving.target, now, now)
    }
    await taken.remove(path)
  }

  /** Whether the file was copied before: it only has to be removed. */
  async function wasTaken({ path, stats }: Found): Promise<boolean> {
    const before = taken.get(path)
    if (before?.state !== stateOf(stats)) return false
    if (!before.naming) return true
    const named = await fileStats(before.naming.target)
    if (!named || stateOf(named) !== before.naming.copy) return false
    await taken.add(path, { state: before.state })
    return true
  }

  /** Removes a copied file, its document first: a document that is left would belong to the next file of that name. */
  async function clear({ path, stats, document }: Found): Promise<void> {
    if (document) await removeIf(document.path, stateOf(document.stats))
    await removeIf(path, stateOf(stats))
    await taken.remove(path)
    seen.delete(path.toString('hex'))
  }

  async function take(found: Found, channelId: string): Promise<void> {
    // The document may still be that of the file before it.
    if (taken.get(found.path)?.moving) return
    if (await wasTaken(found)) return await clear(found)
    const to = join(dataFolder, 'uploads', folderName(channelId), INGESTED)
    await mkdir(to, { recursive: true })
    const target = await freePath(to, found.name)
    await writeLabels(target, await labelsOf(found))
    const isMoved = await move(found, target)
    if (!isMoved && !(await copy(found, target, join(to, '.ingesting.part')))) return
    log.info({ file: found.name, channelId, path: target }, 'file taken from the ingest folder')
    await (isMoved ? finishMove(found.path) : clear(found)).finally(onTaken)
  }

  async function scanPlace({ channelId, folder: name }: IngestPlace, present: Set<string>): Promise<void> {
    const place = join(folder, fileNameFor(name))
    await mkdir(place).then(
      () => openLike(folder, place, 'folder'),
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      },
    )
    for (const raw of await readdir(place, { encoding: 'buffer' })) {
      // The file is read again, because the copies before it may have taken long.
      const found = await findFile(place, raw)
      if (!found) continue
      present.add(found.path.toString('hex'))
      if (isStopping || !isSettled(found)) continue
      await take(found, channelId).catch((error: unknown) => warn(found.name, error))
    }
  }

  async function scan(): Promise<void> {
    const present = new Set<string>()
    for (const path of taken.paths())
      await finishMove(path).catch((error: unknown) => warn(path.toString(), error))
    for (const place of places())
      await scanPlace(place, present).catch((error: unknown) => warn(place.folder, error))
    for (const key of seen.keys()) if (!present.has(key)) seen.delete(key)
  }

  let scanning: Promise<void> | undefined
  function scanAgain(): void {
    scanning ??= scan().finally(() => {
      scanning = undefined
    })
  }

  scanAgain()
  const timer = clock.setInterval(scanAgain, SCAN_EACH_MS)
  return {
    async stop() {
      isStopping = true
      clock.clearInterval(timer)
      await scanning
    },
  }
}
