// One channel's transport stream in memory: every packet passes here once and goes to all subscribers.

import { createStreamKnowledge, type Picture } from './stream-knowledge.ts'
import { createPacketAligner, packetBytes } from './ts-packets.ts'
import type { TsStream } from './ts-streams.ts'

/** Gets whole packets; `startsAtKeyFrame` when the first of them begins a key frame. Must not block. */
export type TsReader = (packets: Buffer, startsAtKeyFrame: boolean) => void

export interface TsBus {
  /** Bytes as they come from the source, in pieces of any size. */
  push(chunk: Buffer): void
  /**
   * Begins with the tables and the newest key frame that is known, or (`fromNext`) with the one to come.
   * Returns the function that unsubscribes. A reader that throws is dropped and affects no other.
   */
  subscribe(read: TsReader, options?: { fromNext?: boolean }): () => void
  video(): TsStream | undefined
  /** The first track of sound. */
  audio(): TsStream | undefined
  /** The number of tracks of sound. */
  audioTracks(): number
  picture(): Picture | undefined
  /** Changes whenever the tables name other streams than before. */
  layout(): string
  hasKeyFrame(): boolean
  lastDataMs(): number
  /** Since the last call. */
  takeBytes(): number
  continuityErrors(): number
  /** Forgets the stream but keeps its readers: another source begins. */
  reset(): void
}

export interface TsBusOptions {
  nowMs?: () => number
  onReaderFailed?: (error: unknown) => void
}

interface Reader {
  read: TsReader
  /** Gets nothing before the next key frame. */
  waiting: boolean
}

export function createTsBus({
  nowMs = () => performance.now(),
  onReaderFailed = () => {},
}: TsBusOptions = {}): TsBus {
  const readers = new Set<Reader>()
  let stream = createStreamKnowledge()
  let bytes = 0
  let lastDataMs = 0

  function pass(reader: Reader, packets: Buffer, startsAtKey: boolean): void {
    if (!readers.has(reader)) return
    try {
      reader.read(packets, startsAtKey)
    } catch (error) {
      readers.delete(reader)
      onReaderFailed(error)
    }
  }

  function deliver(packets: Buffer, startsAtKey: boolean): void {
    stream.keep(packets, startsAtKey)
    for (const reader of readers) {
      if (reader.waiting && !startsAtKey) continue
      if (reader.waiting) {
        reader.waiting = false
        pass(reader, stream.tables(), false)
      }
      pass(reader, packets, startsAtKey)
    }
  }

  const aligner = createPacketAligner((packets) => {
    bytes += packets.length
    lastDataMs = nowMs()
    stream.check(packets)
    let from = 0
    let startsAtKey = false
    for (let at = 0; at < packets.length; at += packetBytes) {
      if (!stream.inspect(packets, at)) continue
      if (at > from) deliver(packets.subarray(from, at), startsAtKey)
      stream.keyBegins()
      from = at
      startsAtKey = true
    }
    deliver(packets.subarray(from), startsAtKey)
  })

  return {
    push: aligner.push,
    subscribe(read, { fromNext = false } = {}) {
      const cached = fromNext ? [] : stream.cached()
      const reader: Reader = { read, waiting: cached.length === 0 }
      readers.add(reader)
      if (cached.length > 0) {
        pass(reader, stream.tables(), false)
        for (const [index, packets] of cached.entries()) pass(reader, packets, index === 0)
      }
      return () => void readers.delete(reader)
    },
    video: () => stream.finder.video(),
    audio: () => stream.finder.audio(),
    audioTracks: () => stream.finder.audioPids().length,
    picture: () => stream.picture(),
    layout: () =>
      stream.finder
        .streams()
        .map(({ pid, codec }) => `${pid}:${codec}`)
        .join(' '),
    hasKeyFrame: () => stream.cached().length > 0,
    lastDataMs: () => lastDataMs,
    takeBytes() {
      const taken = bytes
      bytes = 0
      return taken
    },
    continuityErrors: () => stream.errors(),
    reset() {
      stream = createStreamKnowledge()
      for (const reader of readers) reader.waiting = true
    },
  }
}
