// A black picture with silence, for the outputs of a channel to which nothing comes in.
import { unbuffered } from '@backhaul/ffmpeg/encode-arguments'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'

export interface Slate {
  isRunning(): boolean
  start(): void
  /** Nothing of it comes after that, even if its program still ends. */
  stop(): void
  close(): Promise<void>
}

export interface SlateOptions {
  ffmpegPath: string
  onData: (chunk: Buffer) => void
  log: Log
}

export function createSlate({ ffmpegPath, onData, log }: SlateOptions): Slate {
  let child: SupervisedChild | undefined
  let ending: Promise<void> = Promise.resolve()

  function start(): void {
    if (child) return
    const own: SupervisedChild = runFfmpeg({
      path: ffmpegPath,
      args: slateArguments,
      onStdout(chunk) {
        if (child === own) onData(chunk)
      },
      onMessage: (line) => log.warn({ line }, 'ffmpeg message of the black picture'),
      restart: true,
    })
    child = own
    log.info('outputs get a black picture')
  }

  function stop(): void {
    if (!child) return
    ending = Promise.all([ending, child.stop()]).then(() => {})
    child = undefined
  }

  return {
    isRunning: () => child !== undefined,
    start,
    stop,
    async close() {
      stop()
      await ending
    },
  }
}

const slateArguments = [
  '-hide_banner',
  '-nostdin',
  '-nostats',
  '-v',
  'error',
  '-re',
  '-f',
  'lavfi',
  '-i',
  'color=black:size=1280x720:rate=25[out0];anullsrc=sample_rate=48000:channel_layout=stereo[out1]',
  '-map',
  '0:v',
  '-map',
  '0:a',
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-tune',
  'zerolatency',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '25',
  '-c:a',
  'aac',
  '-b:a',
  '96k',
  ...unbuffered,
  '-f',
  'mpegts',
  'pipe:1',
]
