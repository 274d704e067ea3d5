// The hot folder: copies of finished files for a newsroom or an editing system that watches the folder.
import { constants } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { because } from '@backhaul/contract/define/refusals'
import type { FileMedia } from '@backhaul/contract/nouns/files'
import type { ServerSettings } from '@backhaul/contract/nouns/servers'
import { Refused } from '@backhaul/device/refused'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import { type Clock, systemClock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { FoundFile } from './file-folders.ts'
import { publishArguments } from './publish-arguments.ts'
import { openPublishedList } from './published-list.ts'
import { openLike } from './shared-rights.ts'

/** A file that could not be published is tried again after this long. */
const RETRY_MS = 60_000
/** An order has to be answered within 10 s; a large file takes longer. */
const ANSWER_WITHIN_MS = 7000

export interface FinishedFile extends FoundFile {
  /** Null when it has no picture. */
  readonly media: FileMedia | null
}

export interface HotFolder {
  /** Settings that are absent are not changed. */
  apply(settings: Partial<ServerSettings>): void
  /** Everything that is finished now; publishes what has not been published yet, where all files are. */
  offer(files: readonly FinishedFile[]): void
  /**
   * Resolves when the copy is in the folder, or after some seconds while it is still being made. Rejects with Refused and
   * the reason.
   */
  publish(file: FinishedFile): Promise<void>
  close(): Promise<void>
}

export interface HotFolderOptions {
  folder: string
  dataFolder: string
  ffmpegPath: string
  /** The name of a channel that users see. */
  nameOfChannel: (channelId: string) => string | undefined
  clock?: Clock
  log: Log
}

/** The key of a file, which is the same after the file was renamed. */
const keyOf = ({ channelId, unitId, modifiedMs, sizeBytes }: FoundFile) =>
  [channelId, unitId, modifiedMs, sizeBytes].join('/')

export function openHotFolder(options: HotFolderOptions): HotFolder {
  const { folder, dataFolder, ffmpegPath, nameOfChannel, clock = systemClock, log } = options
  const list = openPublishedList(dataFolder)
  /** By file, in ms of the steady clock. */
  const retryAt = new Map<string, number>()
  const stopping = new AbortController()
  /** One file at a time. */
  let working: Promise<void> = Promise.resolve()
  let isOffering = false

  const isThere = (name: string) =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    )

  /** The name of the file, with a number where another file has it; a file that is published again keeps its name. */
  async function nameFor(file: FinishedFile, format: string): Promise<string> {
    const { name: stem } = parse(file.fileName)
    const own = list.now().names[keyOf(file)]
    for (let count = 1; ; count += 1) {
      const name = `${stem}${count === 1 ? '' : ` (${count})`}.${format}`
      if (name === own || !(await isThere(name))) return name
    }
  }

  async function requireWritable(): Promise<void> {
    await access(folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      throw new Refused(because('publishing.notWritable', { reason: error.code ?? error.message }))
    })
  }

  /** Written under a name that no watcher takes, and given its own name when it is complete. */
  async function copy(file: FinishedFile): Promise<void> {
    if (stopping.signal.aborted) return
    if (!file.media) throw new Refused('publishing.noPicture')
    await requireWritable()
    const { hotfolderOutputFormat: format } = list.now().settings
    const name = await nameFor(file, format)
    const part = join(folder, `.${name}.part`)
    const lines: string[] = []
    const child = runFfmpeg({
      path: ffmpegPath,
      args: publishArguments(file.path, part, format, file.media.codec, {
        title: parse(file.fileName).name,
        channel: nameOfChannel(file.channelId) ?? file.channelId,
        finishedAt: new Date(file.modifiedMs),
      }),
      onMessage: (line) => lines.push(line),
    })
    const stop = () => void child.stop()
    stopping.signal.addEventListener('abort', stop)
    const { code, error } = await child.exited
    stopping.signal.removeEventListener('abort', stop)
    try {
      if (code !== 0 || stopping.signal.aborted)
        throw new Refused(because('publishing.failed', { reason: lines.at(-1) ?? error ?? 'interrupted' }))
      await openLike(folder, part, 'file')
      await rename(part, join(folder, name))
    } finally {
      await rm(part, { force: true })
    }
    await list.change({ names: { ...list.now().names, [keyOf(file)]: name } })
    log.info({ file: file.fileName, name }, 'file published')
  }

  function inTurn(file: FinishedFile): Promise<void> {
    const done = working.then(() => copy(file))
    working = done.catch(() => {})
    return done
  }

  /** Names of files that no longer exist are forgotten. */
  async function forgetOthers(files: readonly FinishedFile[]): Promise<void> {
    const present = new Set(files.map(keyOf))
    const names = Object.entries(list.now().names)
    const kept = names.filter(([key]) => present.has(key))
    for (const key of retryAt.keys()) if (!present.has(key)) retryAt.delete(key)
    if (kept.length < names.length) await list.change({ names: Object.fromEntries(kept) })
  }

  async function publishNew(files: readonly FinishedFile[]): Promise<void> {
    await forgetOthers(files)
    for (const file of files) {
      const { alwaysSinceMs, names } = list.now()
      if (alwaysSinceMs === null) return
      const key = keyOf(file)
      const isDue = clock.monotonicMs() >= (retryAt.get(key) ?? 0)
      if (!file.media || file.modifiedMs < alwaysSinceMs || names[key] !== undefined || !isDue) continue
      await inTurn(file).catch((error: unknown) => {
        if (stopping.signal.aborted) return
        retryAt.set(key, clock.monotonicMs() + RETRY_MS)
        log.error({ err: error, file: file.fileName, retryInMs: RETRY_MS }, 'file not published')
      })
    }
  }

  return {
    apply(wanted) {
      const { settings: before, alwaysSinceMs } = list.now()
      const settings = {
        publishingMode: wanted.publishingMode ?? before.publishingMode,
        hotfolderOutputFormat: wanted.hotfolderOutputFormat ?? before.hotfolderOutputFormat,
      }
      const isAlways = settings.publishingMode === 'always'
      const changes = { settings, alwaysSinceMs: isAlways ? (alwaysSinceMs ?? clock.nowMs()) : null }
      list.change(changes).catch((error: unknown) => log.error(error, 'settings of publishing not stored'))
    },
    offer(files) {
      if (isOffering) return
      isOffering = true
      publishNew(files)
        .catch((error: unknown) => log.error(error, 'finished files not published'))
        .finally(() => {
          isOffering = false
        })
    },
    async publish(file) {
      if (list.now().settings.publishingMode === 'off') throw new Refused('publishing.off')
      const done = inTurn(file)
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
      const timer = clock.setTimeout(answer, ANSWER_WITHIN_MS)
      done.catch((error: unknown) => log.error({ err: error, file: file.fileName }, 'file not published'))
      await Promise.race([done, answered]).finally(() => clock.clearTimeout(timer))
    },
    async close() {
      stopping.abort()
      await working
    },
  }
}
