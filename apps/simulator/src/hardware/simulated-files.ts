// The simulated disk of one receiving server: recordings that grow, earlier ones, and playing out.
import type { StoredFile, StoredFileKey } from '@backhaul/contract/gateway/servers'
import { fileIdOf, pathAtServer } from '@backhaul/contract/nouns/files'
import { Refused } from '@backhaul/device/refused'
import type { IncomingFile, ServerFiles, ServerUploads } from '@backhaul/device/server-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Random } from '../random.ts'
import type { OpenContent } from './file-door.ts'
import type { Footage } from './footage.ts'
import { KeptUploads } from './kept-uploads.ts'

interface Recording {
  channelId: string
  unitId: string
  kbps: number
}

export interface SimulatedFilesOptions {
  clock: Clock
  random: Random
  /** The channel admits no sender. */
  isFree: (channelId: string) => boolean
  /** The contents of recordings; without it they are only listed. */
  footage?: Footage | undefined
}

interface Growing {
  id: string
  sinceMs: number
  seconds: number
}

/** The picture of a recording without content. */
const picture = { codec: 'hevc', width: 1920, height: 1080 }
const earlierAtMost = 3
const dayMs = 86_400_000

export class SimulatedFiles implements ServerFiles {
  readonly #clock: Clock
  readonly #random: Random
  readonly #isFree: SimulatedFilesOptions['isFree']
  readonly #footage: Footage | undefined
  readonly #files = new Map<string, StoredFile>()
  /** By file, for those that have a content: its bytes from one place to before another. */
  readonly #contents = new Map<string, OpenContent['read']>()
  /** By channel. */
  readonly #growing = new Map<string, Growing>()
  /** By channel, the files that are played: the first one since this time. */
  readonly #queues = new Map<string, { ids: string[]; sinceMs: number }>()
  readonly #kept = new KeptUploads()
  readonly #known = new Set<string>()
  #listener: () => void = () => {}

  constructor({ clock, random, isFree, footage }: SimulatedFilesOptions) {
    this.#clock = clock
    this.#random = random
    this.#isFree = isFree
    this.#footage = footage
  }

  all(): readonly StoredFile[] {
    return [...this.#files.values()]
  }

  /** By its path at the server; undefined for one that is not there or has no content. */
  open(path: string): OpenContent | undefined {
    const file = this.all().find((one) => pathAtServer(one) === path)
    const read = file && this.#contents.get(fileIdOf(file))
    return file && read && { ...file, read }
  }

  onChange(listener: () => void): void {
    this.#listener = listener
  }

  /** Ids of the files that the channel plays. */
  playing(channelId: string): string[] {
    return [...(this.#queues.get(channelId)?.ids ?? [])]
  }

  /** A unit appears at a channel: the first time, some earlier recordings of it are created there. */
  seen(channelId: string, unitId: string): void {
    const key = `${channelId} ${unitId}`
    if (this.#known.has(key)) return
    this.#known.add(key)
    for (let count = this.#random.whole(1, earlierAtMost); count > 0; count--) {
      const endedMs = Math.round(this.#clock.nowMs() - this.#random.between(0.05, 40) * dayMs)
      const seconds = this.#random.whole(40, 900)
      const kbps = this.#random.whole(3500, 9000)
      const id = this.#put(channelId, unitId, endedMs - seconds * 1000)
      this.#hold(id, { seconds, sizeBytes: seconds * kbps * 125, modifiedMs: endedMs })
      this.#complete(id, seconds * 1000)
    }
    this.#listener()
  }

  /** An empty file of a recording that began then. */
  #put(channelId: string, unitId: string, startedMs: number): string {
    const file: StoredFile = {
      channelId,
      unitId,
      fileName: nameOf(startedMs),
      rootDirectory: 'recordings',
      sizeBytes: 0,
      modifiedMs: startedMs,
      isTransferring: true,
      media: null,
    }
    const id = fileIdOf(file)
    this.#files.set(id, file)
    return id
  }

  /** A recording is that long now; its size is that of its content, where it has one. */
  #hold(id: string, now: { seconds: number; sizeBytes: number; modifiedMs: number }): void {
    const file = this.#files.get(id)
    if (!file) return
    const { seconds, modifiedMs } = now
    const footage = this.#footage
    const sizeBytes = footage ? footage.sizeOf(seconds) : now.sizeBytes
    this.#files.set(id, { ...file, sizeBytes, modifiedMs })
    if (footage) this.#contents.set(id, (from, to) => footage.read(seconds, from, to))
  }

  #complete(id: string, lengthMs: number): void {
    const file = this.#files.get(id)
    if (!file) return
    const { codec, width, height } = this.#footage ?? picture
    const bitrateKbps = Math.round((file.sizeBytes * 8) / lengthMs)
    this.#files.set(id, {
      ...file,
      isTransferring: false,
      media: { codec, width, height, lengthMs, bitrateKbps },
    })
  }

  /** A second has passed: recordings grow or end, and after a file that was played to its end the next one starts. */
  step(recordings: readonly Recording[]): void {
    const nowMs = this.#clock.nowMs()
    const left = new Set(this.#growing.keys())
    for (const { channelId, unitId, kbps } of recordings) {
      left.delete(channelId)
      const growing = this.#growing.get(channelId) ?? {
        id: this.#put(channelId, unitId, nowMs),
        sinceMs: nowMs,
        seconds: 0,
      }
      growing.seconds++
      this.#growing.set(channelId, growing)
      const { sizeBytes = 0 } = this.#files.get(growing.id) ?? {}
      this.#hold(growing.id, {
        seconds: growing.seconds,
        sizeBytes: sizeBytes + Math.round(kbps * 125),
        modifiedMs: nowMs,
      })
    }
    for (const channelId of left) this.#finish(channelId)
    this.#stepQueues(this.#clock.monotonicMs())
    if (recordings.length > 0 || left.size > 0) this.#listener()
  }

  #finish(channelId: string): void {
    const { id = '', sinceMs = 0, seconds = 0 } = this.#growing.get(channelId) ?? {}
    this.#growing.delete(channelId)
    const { modifiedMs = 0 } = this.#files.get(id) ?? {}
    this.#complete(id, this.#footage ? seconds * 1000 : Math.max(1, modifiedMs - sinceMs))
  }

  #stepQueues(nowMs: number): void {
    for (const [channelId, { ids, sinceMs }] of this.#queues) {
      const isOver = nowMs - sinceMs >= (this.#files.get(ids[0] ?? '')?.media?.lengthMs ?? 0)
      if (!this.#isFree(channelId)) this.#queues.delete(channelId)
      else if (isOver) this.#playOn(channelId, ids.slice(1))
    }
  }

  #playOn(channelId: string, ids: string[]): void {
    if (ids.length === 0) this.#queues.delete(channelId)
    else this.#queues.set(channelId, { ids, sinceMs: this.#clock.monotonicMs() })
  }

  #demand(key: StoredFileKey): [string, StoredFile] {
    const id = fileIdOf(key)
    const file = this.#files.get(id)
    if (!file) throw new Refused('file.notOnDisk')
    return [id, file]
  }

  rename(key: StoredFileKey, newFileName: string): void {
    const [id, file] = this.#demand(key)
    const renamed = { ...file, fileName: newFileName }
    const newId = fileIdOf(renamed)
    if (this.#files.has(newId)) throw new Refused('name.taken')
    const content = this.#contents.get(id)
    this.#drop(id)
    this.#files.set(newId, renamed)
    if (content) this.#contents.set(newId, content)
    this.#listener()
  }

  remove(key: StoredFileKey): void {
    const [id] = this.#demand(key)
    this.#drop(id)
    this.#listener()
  }

  #drop(id: string): void {
    this.#files.delete(id)
    this.#contents.delete(id)
  }

  readonly uploads: ServerUploads = {
    kept: async (uploadId) => this.#kept.sizeOf(uploadId),
    forget: async (uploadId) => this.#kept.forget(uploadId),
    receive: (incoming, content) => this.#receive(incoming, content),
  }

  async #receive(
    { uploadId, file: key, from }: IncomingFile,
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const id = fileIdOf(key)
    if (this.#files.has(id)) throw new Refused('name.taken')
    const upload = this.#kept.resume(uploadId, from)
    const show = (isTransferring: boolean) => {
      this.#files.set(id, {
        ...key,
        rootDirectory: 'uploads',
        sizeBytes: upload.sizeBytes,
        modifiedMs: this.#clock.nowMs(),
        isTransferring,
        media: null,
      })
      this.#listener()
    }
    show(true)
    try {
      for await (const piece of content) {
        upload.add(piece)
        show(true)
      }
    } catch (error) {
      this.#drop(id)
      this.#listener()
      throw error
    }
    const bytes = upload.complete()
    if (bytes) this.#contents.set(id, (start, end) => bytes.subarray(start, end))
    show(false)
  }

  play(key: StoredFileKey, channelId: string): void {
    const [id] = this.#demand(key)
    if (!this.#isFree(channelId)) throw new Refused('channel.busyOrOffline')
    const queue = this.#queues.get(channelId)
    if (queue) queue.ids.push(id)
    else this.#playOn(channelId, [id])
  }

  stopPlaying(key: StoredFileKey, channelId: string): void {
    const { ids = [] } = this.#queues.get(channelId) ?? {}
    const id = fileIdOf(key)
    if (ids[0] === id) this.#playOn(channelId, ids.slice(1))
    else if (ids.includes(id)) ids.splice(ids.indexOf(id), 1)
  }
}

const nameOf = (startedMs: number): string =>
  `${new Date(startedMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z.mp4`
