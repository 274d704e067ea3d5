// Raw pictures and sound of a source, for everything on this machine that makes something of them.
import { type ClockStyle, captureArguments, frameBytes } from '@backhaul/ffmpeg/encode-arguments'
import { createTracksReader, isDescription } from '@backhaul/ffmpeg/probe-picture'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import { sampleBytesOf, saysTrackMissing } from '@backhaul/ffmpeg/sound-arguments'
import { type Picture, type SoundTracks, type Source, tracksOf, withTracks } from '@backhaul/ffmpeg/sources'
import type { SupervisedChild } from '@backhaul/runtime/child-process'

const samplesPerSecond = 48_000
/** The report of ffmpeg about a source without sound: silence is sent with its picture. */
const noSoundMessage = 'does not contain any stream'

export interface RawListener {
  /** One whole frame in the pixel format of the picture; it is not changed afterwards. */
  frame(bytes: Buffer): void
  /** Any number of bytes of 16-bit sound at 48 kHz, all channels of a sample in turn; they may end within a sample. */
  sound(chunk: Buffer): void
  /** The source begins again: what was begun of a frame or a sample is not completed. */
  restarted(): void
}

export interface RawSource {
  readonly picture: Picture
  /** The format of its sound, regardless of that of the source. */
  readonly channels: number
  /** The first listener opens the source. Returns what ends it; after the last one it resolves when the source is closed. */
  listen(listener: RawListener): () => Promise<void>
}

export interface RawSourceOptions {
  ffmpegPath: string
  source: Source
  picture: Picture
  /** 2 where none are named. */
  channels?: number
  clockStyle: ClockStyle | undefined
  onMessage: (line: string) => void
  /** Called when a source of unknown sound was opened, with its tracks. */
  onTracks?: (source: Source, tracks: SoundTracks) => void
}

/** The source of a socket, which can be replaced by another one of the same size and rate. */
export interface ChangeableSource extends RawSource {
  change(source: Source): void
}

/** A source that ffmpeg opens; it is opened again when it ends. */
export function createRawSource(options: RawSourceOptions): ChangeableSource {
  const { picture, channels = 2 } = options
  const listeners = new Set<RawListener>()
  let { source } = options
  let open: { close(): Promise<void> } | undefined
  return {
    picture,
    channels,
    change(next) {
      source = next
      if (!open) return
      // A device can be opened again only when it is closed.
      const closing = open
      const reopened = closing.close().then(() => {
        if (open !== pending) return
        for (const listener of listeners) listener.restarted()
        open = openFfmpeg({ ...options, channels, source, listeners })
      })
      const pending = { close: () => reopened }
      open = pending
    },
    listen(listener) {
      listeners.add(listener)
      open ??= openFfmpeg({ ...options, channels, source, listeners })
      return async () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        const closing = open
        open = undefined
        await closing?.close()
      }
    },
  }
}

interface Opening extends RawSourceOptions {
  channels: number
  listeners: ReadonlySet<RawListener>
}

function openFfmpeg({ picture, channels, listeners, ...options }: Opening): { close(): Promise<void> } {
  const silence = Buffer.alloc(
    Math.round(samplesPerSecond / picture.framesPerSecond) * sampleBytesOf(channels),
  )
  let { source } = options
  let hasSound = true
  let lacksSound = false
  let closed = false

  function passSound(chunk: Buffer): void {
    for (const listener of listeners) listener.sound(chunk)
  }

  const readTracks = createTracksReader((tracks) => options.onTracks?.(options.source, tracks))

  const frames = createChunker(frameBytes(picture), (frame) => {
    for (const listener of listeners) listener.frame(frame)
    if (!hasSound) passSound(silence)
  })

  const run = (): SupervisedChild =>
    runFfmpeg({
      path: options.ffmpegPath,
      args: captureArguments(source, picture, options.clockStyle, hasSound, channels),
      restart: true,
      sidePipe: { onData: passSound },
      onStdout: frames.push,
      onMessage(line) {
        readTracks(line)
        if (isDescription(line)) return
        if (line.includes(noSoundMessage) || saysTrackMissing(line)) lacksSound = true
        options.onMessage(line)
      },
      onExit: ended,
    })

  function ended(): void {
    frames.reset()
    for (const listener of listeners) listener.restarted()
    if (closed || !hasSound || !lacksSound) return
    lacksSound = false
    // When a source has fewer tracks than before, only the first track is read.
    if (channels > 2 && tracksOf(source).length > 1) source = withTracks(source, [])
    else hasSound = false
    void child.stop()
    child = run()
  }

  let child = run()
  return {
    close() {
      closed = true
      return child.stop()
    },
  }
}

/** Collects bytes into chunks of one size, each in memory of its own since encoders read at their own pace. */
export function createChunker(size: number, onChunk: (chunk: Buffer) => void) {
  let chunk = Buffer.allocUnsafe(size)
  let filled = 0
  return {
    push(bytes: Buffer): void {
      for (let at = 0; at < bytes.length; ) {
        const taken = bytes.copy(chunk, filled, at, at + size - filled)
        at += taken
        filled += taken
        if (filled < size) continue
        onChunk(chunk)
        chunk = Buffer.allocUnsafe(size)
        filled = 0
      }
    },
    reset(): void {
      filled = 0
    },
  }
}
