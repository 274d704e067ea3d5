// Plays files out one after the other, in real time, as a stream for a channel's bus.
import { unbuffered } from '@backhaul/ffmpeg/encode-arguments'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'

export interface FilePlayer {
  /** Ids: the first is played, the others wait. */
  playing(): string[]
  play(fileId: string, path: string): void
  /** Ends it, or takes it out of the queue. */
  stop(fileId: string): void
  /** Ends all. */
  clear(): Promise<void>
}

export interface FilePlayerOptions {
  ffmpegPath: string
  onData: (chunk: Buffer) => void
  /** A file has ended: its clock is not that of the next one. */
  onEnd: () => void
  log: Log
}

export function createFilePlayer({ ffmpegPath, onData, onEnd, log }: FilePlayerOptions): FilePlayer {
  let queue: { fileId: string; path: string }[] = []
  let child: SupervisedChild | undefined

  function next(): void {
    const first = queue[0]
    if (!first || child) return
    child = runFfmpeg({
      path: ffmpegPath,
      args: playoutArguments(first.path),
      onStdout: onData,
      onMessage: (line) => log.warn({ line, file: first.fileId }, 'ffmpeg message'),
      onExit() {
        child = undefined
        queue = queue.filter((one) => one !== first)
        onEnd()
        next()
      },
    })
  }

  return {
    playing: () => queue.map(({ fileId }) => fileId),
    play(fileId, path) {
      queue.push({ fileId, path })
      next()
    },
    stop(fileId) {
      const isFirst = queue[0]?.fileId === fileId
      if (isFirst) void child?.stop()
      else queue = queue.filter((one) => one.fileId !== fileId)
    },
    async clear() {
      queue = queue.slice(0, child ? 1 : 0)
      await child?.stop()
    },
  }
}

/** At the pace of the picture; MPEG-TS wants H.264 in its own form, which the muxer makes by itself. */
const playoutArguments = (path: string): string[] => [
  '-hide_banner',
  '-nostdin',
  '-nostats',
  '-v',
  'error',
  '-re',
  '-i',
  `file:${path}`,
  '-map',
  '0:v:0',
  '-map',
  '0:a?',
  '-c',
  'copy',
  ...unbuffered,
  '-f',
  'mpegts',
  'pipe:1',
]
