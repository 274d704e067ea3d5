// A headset of the crew: a program that gives the sound of its microphone, and one that plays to its speaker.
import { because, type Cause } from '@backhaul/contract/define/refusals'
import { type SupervisedChild, superviseChild } from '@backhaul/runtime/child-process'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { bytesOf, createFrameCutter, FRAME_BYTES, type Frame, isSilent } from '@backhaul/speech/frames'
import type { SoundProgram } from './sound-device.ts'

/** After this long a program that was started counts as running. */
const stableAfterMs = 2000
const longestMessage = 200
/** A player that has just been started would play late what is written before it is ready. */
const readyAfterMs = 500
/** Frames that may wait for the player; more are dropped. */
const mostWaitingFrames = 5
/** After this many silent frames nothing is written, so that what waits in the player is played and the delay ends. */
const silentFrames = 50

export interface Headset {
  readonly jack: number
  readonly hasMicrophone: boolean
  /** Starts its programs; frames of the microphone come from now on. */
  open(onFrame: (frame: Frame) => void): void
  /** The next 20 ms for the speaker. */
  play(frame: Frame): void
  close(): Promise<void>
  /** Why it has no sound in one direction, while it is open. */
  problem(): Cause | null
}

export interface HeadsetOptions {
  jack: number
  microphone: SoundProgram | undefined
  speaker: SoundProgram | undefined
  clock: Clock
  log: Log
  /** A program has ended, or runs again. */
  onChange: () => void
}

interface RunningProgram {
  readonly child: SupervisedChild
  readonly startedMs: () => number
  stop(): Promise<void>
}

export function createHeadset(options: HeadsetOptions): Headset {
  const { jack, microphone, speaker, clock, log, onChange } = options
  const problems = new Map<'microphone' | 'speaker', Cause>()
  let running: { microphone: RunningProgram | undefined; speaker: RunningProgram | undefined } | undefined
  let silent = 0

  /** Started again 1, 2, 5, then every 10 s after it has ended, with the reason as the problem until it is stable. */
  function run(
    kind: 'microphone' | 'speaker',
    program: SoundProgram,
    onFrame: (frame: Frame) => void,
  ): RunningProgram {
    let message = ''
    let cut = createFrameCutter(onFrame)
    let startedMs = clock.monotonicMs()
    let timer: Timer | undefined
    let isStopped = false
    const steady = () => {
      timer = undefined
      if (problems.delete(kind)) onChange()
    }
    const child = superviseChild({
      ...program,
      restart: true,
      backlogLimitBytes: mostWaitingFrames * FRAME_BYTES,
      onStdout: (bytes) => cut(bytes),
      onStderrLine: (line) => {
        message = line.slice(0, longestMessage)
      },
      onExit({ code, signal, error }, restartInMs) {
        clock.clearTimeout(timer)
        cut = createFrameCutter(onFrame)
        if (isStopped || restartInMs === undefined) return
        startedMs = clock.monotonicMs() + restartInMs
        timer = clock.setTimeout(steady, restartInMs + stableAfterMs)
        const last = error ?? (message || `${code ?? signal}`)
        problems.set(kind, because('headset.ended', { jack, message: last }))
        log.warn({ jack, kind, code, signal, message: last, restartInMs }, 'sound program ended, restarting')
        onChange()
      },
    })
    return {
      child,
      startedMs: () => startedMs,
      async stop() {
        isStopped = true
        clock.clearTimeout(timer)
        child.endInput()
        await child.stop()
      },
    }
  }

  return {
    jack,
    hasMicrophone: microphone !== undefined,
    open(onFrame) {
      if (running) return
      silent = 0
      running = {
        microphone: microphone && run('microphone', microphone, onFrame),
        speaker: speaker && run('speaker', speaker, () => {}),
      }
    },
    play(frame) {
      const player = running?.speaker
      if (!player || clock.monotonicMs() - player.startedMs() < readyAfterMs) return
      silent = isSilent(frame) ? silent + 1 : 0
      if (silent <= silentFrames) player.child.write(bytesOf(frame))
    },
    async close() {
      const ending = running
      running = undefined
      problems.clear()
      await Promise.all([ending?.microphone?.stop(), ending?.speaker?.stop()])
    },
    problem: () => problems.values().next().value ?? null,
  }
}
