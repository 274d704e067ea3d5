// The hub's files: found on the disk, reported to core, renamed, removed and given to the channels that play them.

import { access, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ChannelTelemetry, StoredFile, StoredFileKey } from '@backhaul/contract/gateway/servers'
import { type FileMedia, fileIdOf, INGESTED, type Labels } from '@backhaul/contract/nouns/files'
import { metadataDocument } from '@backhaul/contract/nouns/metadata-documents'
import { documentName, MetadataFormat } from '@backhaul/contract/nouns/metadata-formats'
import { Refused } from '@backhaul/device/refused'
import type { ServerFiles } from '@backhaul/device/server-hardware'
import { type Clock, systemClock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { type FoundFile, findFiles } from './file-folders.ts'
import { probeFile } from './file-probe.ts'
import type { HotFolder } from './hot-folder.ts'
import { createIncomingFiles } from './incoming-files.ts'
import { labelsPath, readLabels } from './ingest-labels.ts'

const SCAN_EACH_MS = 2000
/** A file that did not grow for this long is finished. */
const FINISHED_AFTER_MS = 5000
/** The most files that are reported; these are the newest. */
const MOST_FILES = 5000

export interface FileStore extends ServerFiles {
  /** Files have come from elsewhere. */
  rescan(): Promise<void>
  close(): Promise<void>
}

export interface FileStoreOptions {
  dataFolder: string
  /** Without ffmpeg nothing is known of a picture, and nothing is played. */
  ffmpegPath: string | undefined
  channels: () => readonly ChannelTelemetry[]
  play: (channelId: string, fileId: string, path: string) => void
  stopPlaying: (channelId: string, fileId: string) => void
  /** The folder that finished files are published in; undefined where the hub has no hot folder. */
  hotFolder?: HotFolder | undefined
  /** The clock by which interrupted uploads wait. */
  clock?: Clock
  log: Log
}

export function createFileStore(options: FileStoreOptions): FileStore {
  const { dataFolder, ffmpegPath, hotFolder, clock = systemClock, log } = options
  const probed = new Map<string, { sizeBytes: number; media: FileMedia | null }>()
  /** The labels of files from the ingest folder, by id. */
  const labelled = new Map<string, Labels | undefined>()
  let found = new Map<string, FoundFile>()
  let reported: StoredFile[] = []
  const uploads = createIncomingFiles({ dataFolder, onChange: rescan, clock, log })
  let onChange = () => {}
  let scanning: Promise<void> = Promise.resolve()

  async function mediaOf(id: string, file: FoundFile): Promise<FileMedia | null> {
    const known = probed.get(id)
    if (known?.sizeBytes === file.sizeBytes) return known.media
    const media = ffmpegPath === undefined ? null : await probeFile(ffmpegPath, file.path)
    probed.set(id, { sizeBytes: file.sizeBytes, media })
    return media
  }

  async function labelsOf(id: string, { unitId, path }: FoundFile): Promise<Labels | undefined> {
    if (unitId !== INGESTED) return undefined
    if (!labelled.has(id)) labelled.set(id, await readLabels(path))
    return labelled.get(id)
  }

  async function scan(): Promise<void> {
    const coming = await uploads.found()
    const isComing = new Set(coming.map(fileIdOf))
    const files = [...(await findFiles(dataFolder)), ...coming]
      .sort((a, b) => b.modifiedMs - a.modifiedMs)
      .slice(0, MOST_FILES)
    const next: StoredFile[] = []
    for (const { path, ...file } of files) {
      // A file from before the clock was set back would seem to grow until the clock is there again.
      const isGrowing = Math.abs(Date.now() - file.modifiedMs) < FINISHED_AFTER_MS
      const isTransferring = isComing.has(fileIdOf(file)) || isGrowing
      const media = isTransferring ? null : await mediaOf(fileIdOf(file), { path, ...file })
      const labels = await labelsOf(fileIdOf(file), { path, ...file })
      next.push({ ...file, isTransferring, media, ...(labels && { labels }) })
    }
    found = new Map(files.map((file) => [fileIdOf(file), file]))
    for (const known of [probed, labelled])
      for (const id of known.keys()) if (!found.has(id)) known.delete(id)
    hotFolder?.offer(
      next.flatMap(({ isTransferring, media, labels: _, ...file }, at) => {
        const { path } = files[at] ?? {}
        return isTransferring || path === undefined ? [] : [{ ...file, path, media }]
      }),
    )
    if (isDeepStrictEqual(reported, next)) return
    reported = next
    onChange()
  }

  /** One scan at a time; resolves after a scan that began after the call. */
  function rescan(): Promise<void> {
    scanning = scanning.then(scan).catch((error) => log.error(error, 'scan of the recorded files failed'))
    return scanning
  }

  /** Only files that were found on the disk are touched: no name leads anywhere else. */
  function requireFile(key: StoredFileKey): FoundFile {
    const file = found.get(fileIdOf(key))
    if (!file) throw new Refused('file.notOnDisk')
    return file
  }

  /** Throws Refused while it is being written. */
  async function publish(key: StoredFileKey, to: HotFolder): Promise<void> {
    const file = requireFile(key)
    const { isTransferring, media = null } = reported.find((one) => fileIdOf(one) === fileIdOf(key)) ?? {}
    if (isTransferring !== false) throw new Refused('file.beingWritten')
    await to.publish({ ...file, media })
  }

  /** It would be about a name, and facts, that the file no longer has. */
  async function removeDocuments(path: string): Promise<void> {
    for (const format of MetadataFormat.options) await rm(documentName(path, format), { force: true })
  }

  /** Core has them; another file may get the name. */
  const forgetLabels = (path: string) => rm(labelsPath(path), { force: true })

  function requireFree(channelId: string): void {
    const channel = options.channels().find((one) => one.channelId === channelId)
    const isFree = channel?.status === 'idle' || channel?.status === 'PlayStoredFile'
    const isOwn = channel?.source === 'bonded' || channel?.source === 'file'
    if (!channel || !isFree || !isOwn || ffmpegPath === undefined) throw new Refused('channel.busyOrOffline')
  }

  void rescan()
  const timer = setInterval(() => void rescan(), SCAN_EACH_MS)
  return {
    uploads,
    rescan,
    all: () => reported,
    async rename(key, newFileName) {
      const { path } = requireFile(key)
      const target = join(dirname(path), newFileName)
      const isTaken = await access(target).then(
        () => true,
        () => false,
      )
      if (isTaken) throw new Refused('name.taken')
      await rename(path, target)
      await forgetLabels(path)
      await removeDocuments(path)
      await rescan()
    },
    async remove(key) {
      const { path } = requireFile(key)
      await rm(path)
      await forgetLabels(path)
      await removeDocuments(path)
      await rescan()
    },
    async describe(key, format, metadata) {
      const { path } = requireFile(key)
      // Programs that watch the folder never read half a document.
      const unfinished = join(dirname(path), `.${documentName(key.fileName, format)}.part`)
      await writeFile(unfinished, metadataDocument(key.fileName, metadata, format))
      await removeDocuments(path)
      await rename(unfinished, documentName(path, format))
      await rescan()
    },
    play(key, channelId) {
      requireFree(channelId)
      options.play(channelId, fileIdOf(key), requireFile(key).path)
    },
    ...(hotFolder && { publish: (key: StoredFileKey) => publish(key, hotFolder) }),
    stopPlaying: (key, channelId) => options.stopPlaying(channelId, fileIdOf(key)),
    onChange(listener) {
      onChange = listener
    },
    async close() {
      clearInterval(timer)
      await scanning
      await uploads.close()
    },
  }
}
