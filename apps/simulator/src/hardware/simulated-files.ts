// The simulated disk of one receiving server: recordings that grow, earlier ones, and playing out.
import type { StoredFile, StoredFileKey } from '@backhaul/contract/gateway/servers'
import { fileIdOf } from '@backhaul/contract/nouns/files'
import { Refused } from '@backhaul/device/refused'
import type { IncomingFile, ServerFiles, ServerUploads } from '@backhaul/device/server-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Random } from '../random.ts'

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
}

/** Bitrate of what is recorded, width and height of the picture. */
const picture = { codec: 'hevc', width: 1920, height: 1080 }
const earlierAtMost = 3
const dayMs = 86_400_000

export class SimulatedFiles implements ServerFiles {
  readonly #clock: Clock
  readonly #random: Random
  readonly #isFree: SimulatedFilesOptions['isFree']
  readonly #files = new Map<string, StoredFile>()
  /** By channel, the file that grows and since when. */
  readonly #growing = new Map<string, { id: string; sinceMs: number }>()
  /** By channel, the files that are played: the first one since this time. */
  readonly #queues = new Map<string, { ids: string[]; sinceMs: number }>()
  /** Bytes received, by upload. */
  readonly #kept = new Map<string, number | 'complete'>()
  readonly #known = new Set<string>()
  #listener: () => void = () => {}

  constructor({ clock, random, isFree }: SimulatedFilesOptions) {
    this.#clock = clock
    this.#random = random
    this.#isFree = isFree
  }

  all(): readonly StoredFile[] {
    return [...this.#files.values()]
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
      const lengthMs = this.#random.whole(40_000, 900_000)
      this.#put(channelId, unitId, endedMs - lengthMs, endedMs, this.#random.whole(3500, 9000))
    }
    this.#listener()
  }

  #put(channelId: string, unitId: string, startedMs: number, endedMs: number, kbps: number): string {
    const lengthMs = endedMs - startedMs
    const file: StoredFile = {
      channelId,
      unitId,
      fileName: nameOf(startedMs),
      rootDirectory: 'recordings',
      sizeBytes: Math.round((lengthMs * kbps) / 8),
      modifiedMs: endedMs,
      isTransferring: false,
      media: { ...picture, lengthMs, bitrateKbps: kbps },
    }
    const id = fileIdOf(file)
    this.#files.set(id, file)
    return id
  }

  /** A second has passed: recordings grow or end, and after a file that was played to its end the next one starts. */
  step(recordings: readonly Recording[]): void {
    const nowMs = this.#clock.nowMs()
    const left = new Set(this.#growing.keys())
    for (const { channelId, unitId, kbps } of recordings) {
      left.delete(channelId)
      const { id, sinceMs } = this.#growing.get(channelId) ?? {
        id: this.#put(channelId, unitId, nowMs, nowMs, kbps),
        sinceMs: nowMs,
      }
      this.#growing.set(channelId, { id, sinceMs })
      const file = this.#files.get(id)
      if (!file) continue
      const sizeBytes = file.sizeBytes + Math.round(kbps * 125)
      this.#files.set(id, { ...file, sizeBytes, modifiedMs: nowMs, isTransferring: true, media: null })
    }
    for (const channelId of left) this.#finish(channelId)
    this.#stepQueues(this.#clock.monotonicMs())
    if (recordings.length > 0 || left.size > 0) this.#listener()
  }

  #finish(channelId: string): void {
    const { id = '', sinceMs = 0 } = this.#growing.get(channelId) ?? {}
    this.#growing.delete(channelId)
    const file = this.#files.get(id)
    if (!file) return
    const lengthMs = Math.max(1, file.modifiedMs - sinceMs)
    const bitrateKbps = Math.round((file.sizeBytes * 8) / lengthMs)
    this.#files.set(id, { ...file, isTransferring: false, media: { ...picture, lengthMs, bitrateKbps } })
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
    if (this.#files.has(fileIdOf(renamed))) throw new Refused('name.taken')
    this.#files.delete(id)
    this.#files.set(fileIdOf(renamed), renamed)
    this.#listener()
  }

  remove(key: StoredFileKey): void {
    const [id] = this.#demand(key)
    this.#files.delete(id)
    this.#listener()
  }

  /** The bytes are counted and discarded; only their number and the file's entry are kept. */
  readonly uploads: ServerUploads = {
    kept: async (uploadId) => this.#kept.get(uploadId) ?? 0,
    forget: async (uploadId) => void this.#kept.delete(uploadId),
    receive: (incoming, content) => this.#receive(incoming, content),
  }

  async #receive(
    { uploadId, file: key, from }: IncomingFile,
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const id = fileIdOf(key)
    if (this.#files.has(id)) throw new Refused('name.taken')
    const grow = (sizeBytes: number, isTransferring: boolean) => {
      const modifiedMs = this.#clock.nowMs()
      this.#kept.set(uploadId, isTransferring ? sizeBytes : 'complete')
      this.#files.set(id, {
        ...key,
        rootDirectory: 'uploads',
        sizeBytes,
        modifiedMs,
        isTransferring,
        media: null,
      })
      this.#listener()
    }
    let sizeBytes = from
    grow(sizeBytes, true)
    try {
      for await (const piece of content) {
        sizeBytes += piece.length
        grow(sizeBytes, true)
      }
    } catch (error) {
      this.#files.delete(id)
      this.#listener()
      throw error
    }
    grow(sizeBytes, false)
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
