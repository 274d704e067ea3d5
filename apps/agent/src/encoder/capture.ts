import type { ClockStyle } from '@backhaul/ffmpeg/encode-arguments'
import { captureArguments, frameBytes } from '@backhaul/ffmpeg/encode-arguments'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { Picture, Source } from '@backhaul/ffmpeg/sources'
import type { SupervisedChild } from '@backhaul/runtime/child-process'

/** One 16-bit sample of both channels: sound is handed on in whole ones. */
const sampleBytes = 4

/** Holds a source open and hands its raw frames to every encoder that asks, so that encoders can change places. */
export interface Capture {
  addEncoder(encoder: SupervisedChild): void
  removeEncoder(encoder: SupervisedChild): void
  stop(): Promise<void>
}

export interface CaptureOptions {
  ffmpegPath: string
  source: Source
  picture: Picture
  clockStyle: ClockStyle | undefined
  onMessage: (line: string) => void
}

export function startCapture(options: CaptureOptions): Capture {
  const encoders = new Set<SupervisedChild>()
  const frames = createChunker(frameBytes(options.picture), (frame) => {
    for (const encoder of encoders) encoder.write(frame)
  })
  let soundRest: Buffer = Buffer.alloc(0)

  function passSound(chunk: Buffer): void {
    const bytes = Buffer.concat([soundRest, chunk])
    const whole = bytes.length - (bytes.length % sampleBytes)
    soundRest = bytes.subarray(whole)
    for (const encoder of encoders) encoder.writeSide(bytes.subarray(0, whole))
  }

  const child = runFfmpeg({
    path: options.ffmpegPath,
    args: captureArguments(options.source, options.picture, options.clockStyle),
    restart: true,
    sidePipe: { onData: passSound },
    onStdout: frames.push,
    onMessage: options.onMessage,
    // A frame that was cut off by the end of the program must not shift all later ones.
    onExit: () => {
      frames.reset()
      soundRest = Buffer.alloc(0)
    },
  })
  return {
    addEncoder: (encoder) => void encoders.add(encoder),
    removeEncoder: (encoder) => void encoders.delete(encoder),
    stop: () => child.stop(),
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
