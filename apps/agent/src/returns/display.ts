// The display of the crew: a window by ffplay, or a command of the owner that gets MPEG-TS on standard input.
import { because, type Cause, causeOf } from '@backhaul/contract/define/refusals'
import { feedChild } from '@backhaul/ffmpeg/child-feed'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import { type SupervisedChild, superviseChild } from '@backhaul/runtime/child-process'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { withoutFolders } from '@backhaul/runtime/redact'

/** After this long a program that was started counts as showing the picture. */
const stableAfterMs = 2000
const restartAfterMs = 3000
const longestMessage = 200

export type DisplaySetting =
  | { readonly kind: 'none' | 'window' }
  | { readonly kind: 'command'; readonly command: string }

/** As an owner writes it: `none`, `window`, or a command line for the shell. */
export function readDisplay(text: string): DisplaySetting {
  return text === 'none' || text === 'window' ? { kind: text } : { kind: 'command', command: text }
}

/** The program that shows the picture, or the reason why there is none. */
export type DisplayProgram =
  | { readonly command: string; readonly args: readonly string[]; readonly isShell?: true }
  | Cause

export interface DisplayMachine {
  /** The path of ffplay on this machine. */
  ffplayPath: string | undefined
  hasDesktop: boolean
  /** The address of the picture on this machine, the same for each display. */
  address: string
}

export function displayProgram(setting: DisplaySetting, machine: DisplayMachine): DisplayProgram {
  const { ffplayPath, hasDesktop, address } = machine
  if (setting.kind === 'none') return because('returnDisplay.none', { address })
  if (setting.kind === 'command') return { command: '/bin/sh', args: ['-c', setting.command], isShell: true }
  if (ffplayPath === undefined) return because('returnDisplay.noProgram', { program: 'ffplay' })
  return hasDesktop ? { command: ffplayPath, args: windowArguments } : causeOf('returnDisplay.noDesktop')
}

const windowArguments = [
  '-hide_banner',
  '-loglevel',
  'error',
  '-fflags',
  'nobuffer',
  '-flags',
  'low_delay',
  '-framedrop',
  '-probesize',
  '1000000',
  '-analyzeduration',
  '1000000',
  '-window_title',
  'Video return',
  '-fs',
  '-f',
  'mpegts',
  '-i',
  'pipe:0',
]

export interface Display {
  /** Takes effect with the next picture; the program is started again when it ends. */
  show(): void
  hide(): Promise<void>
  /** Why the crew sees no picture on it; null while it shows one, or would. */
  problem(): Cause | null
}

export interface DisplayOptions {
  program: DisplayProgram
  bus: TsBus
  clock: Clock
  log: Log
}

/**
 * 1. hidden: no program runs;
 * 2. shown: the program runs and gets the picture from a key frame on; when it ends to 3, after `hide` to 1;
 * 3. waiting for 3 s to start it again, with the reason of its end as the problem; then 2. The problem is gone when the
 *    program has run for 2 s.
 */
export function createDisplay({ program, bus, clock, log }: DisplayOptions): Display {
  if ('code' in program) return { show() {}, hide: async () => {}, problem: () => program }
  const { command, args, isShell = false } = program
  let child: SupervisedChild | undefined
  let endFeed = () => {}
  let timer: Timer | undefined
  let isShown = false
  let problem: Cause | null = null

  function start(): void {
    let message = ''
    const started = superviseChild({
      command,
      args,
      isShell,
      onStderrLine: (line) => {
        message = line.slice(0, longestMessage)
      },
      onExit({ code, signal, error }) {
        endFeed()
        clock.clearTimeout(timer)
        child = undefined
        if (!isShown) return
        const last = error ?? (message || `${code ?? signal}`)
        problem = because('returnDisplay.ended', { message: withoutFolders(last) })
        log.warn({ code, signal, message: last }, 'display program ended, restarting')
        timer = clock.setTimeout(start, restartAfterMs)
      },
    })
    child = started
    endFeed = feedChild({ bus, child: started })
    timer = clock.setTimeout(() => {
      problem = null
    }, stableAfterMs)
  }

  return {
    show() {
      if (isShown) return
      isShown = true
      start()
    },
    async hide() {
      isShown = false
      clock.clearTimeout(timer)
      endFeed()
      problem = null
      child?.endInput()
      await child?.stop()
    },
    problem: () => problem,
  }
}
