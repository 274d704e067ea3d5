import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import type { Duplex, Writable } from 'node:stream'
import { type Clock, systemClock, type Timer } from './clock.ts'
import { createLineSplitter } from './line-splitter.ts'

const restartDelaysMs = [1000, 2000, 5000, 10_000]
const stableAfterMs = 30_000

export interface ChildExit {
  code: number | null
  signal: NodeJS.Signals | null
  /** Why the program could not be started at all. */
  error?: string
}

export interface ChildOptions {
  command: string
  args: readonly string[]
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Run as another user, when we are root. */
  uid?: number
  gid?: number
  onStdoutLine?: (line: string) => void
  /** Raw standard output, instead of lines. */
  onStdout?: (chunk: Buffer) => void
  onStderrLine?: (line: string) => void
  /** After every end of the program; `restartInMs` is absent when it will not be started again. */
  onExit?: (exit: ChildExit, restartInMs: number | undefined) => void
  /**
   * Start the program again after 1, 2, 5, then every 10 s, until stop; a function returns the pause instead, or undefined
   * when there is to be no further start.
   */
  restart?: boolean | ((exit: ChildExit, pauseMs: number) => number | undefined)
  /** Instead of 1, 2, 5 and 10 s. */
  restartPausesMs?: readonly number[]
  /** Opens descriptor 3 as a second pipe: its output goes to `onData`, writeSide feeds it. */
  sidePipe?: { onData?: (chunk: Buffer) => void }
  /** Bytes that may wait for the program on its standard input; above it writes are dropped. */
  backlogLimitBytes?: number
  /** The program is a shell: what it has started ends with it. A program that goes on would keep its output open. */
  isShell?: boolean
  /** The time that the program may take to end after stop before it is killed. */
  killAfterMs?: number
  clock?: Clock
}

export interface SupervisedChild {
  pid(): number | undefined
  /** Writes bytes to standard input; false when they were dropped because the program does not keep up. */
  write(chunk: Uint8Array): boolean
  /** The same for descriptor 3, with a limit of its own. */
  writeSide(chunk: Uint8Array): boolean
  droppedCount(): number
  backlogBytes(): number
  /** Closes standard input, for programs that finish by themselves then. */
  endInput(): void
  /** SIGINT, then SIGKILL after `killAfterMs` (2 s); settles when the program is gone. Never restarts. */
  stop(): Promise<void>
  /** The last end: the first one without `restart`, else the one after stop. */
  readonly exited: Promise<ChildExit>
}

/** Each with how it is ended. */
const living = new Map<ChildProcess, (signal: NodeJS.Signals) => void>()
let exitHookSet = false
let deathSignalWorks: boolean | undefined

/**
 * Linux ends the child with its parent, even when that one was killed by SIGKILL: setpriv (util-linux) sets the
 * parent-death signal and executes the program. Elsewhere only the exit hook ends it.
 */
function withDeathSignal(command: string, args: readonly string[]): [string, string[]] {
  deathSignalWorks ??=
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0
  return deathSignalWorks
    ? ['setpriv', ['--pdeathsig', 'KILL', '--', command, ...args]]
    : [command, [...args]]
}

function track(child: ChildProcess, isShell: boolean): void {
  if (!exitHookSet) {
    exitHookSet = true
    process.on('exit', () => {
      for (const end of living.values()) end('SIGKILL')
    })
  }
  living.set(child, (signal) => {
    if (isShell && child.pid !== undefined) signalGroup(child.pid, signal)
    else child.kill(signal)
  })
}

/** All of a group, of which only the leader is our child. */
function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch {
    // All of it has ended meanwhile.
  }
}

function start(options: ChildOptions, ended: (exit: ChildExit) => void): ChildProcess {
  const [command, args] = withDeathSignal(options.command, options.args)
  const child = spawn(command, args, {
    env: options.env ?? process.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
    // A group of its own.
    detached: options.isShell ?? false,
    stdio: options.sidePipe ? ['pipe', 'pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe'],
  })
  track(child, options.isShell ?? false)
  const { onStdout, onStdoutLine = () => {}, onStderrLine = () => {} } = options
  const stdoutLines = createLineSplitter(onStdoutLine)
  const stderrLines = createLineSplitter(onStderrLine)
  child.stdout?.on('data', onStdout ?? stdoutLines.push)
  child.stderr?.on('data', stderrLines.push)
  // A program that ends during a write is reported by its exit, not by the broken pipe.
  child.stdin?.on('error', () => {})
  const side = child.stdio[3] as Duplex | undefined
  side?.on('error', () => {})
  side?.on('data', options.sidePipe?.onData ?? (() => {}))
  let error: string | undefined
  child.on('error', (problem) => {
    error = problem.message
    if (child.pid === undefined) finish(null, null)
  })
  const finish = (code: number | null, signal: NodeJS.Signals | null) => {
    living.delete(child)
    stdoutLines.end()
    stderrLines.end()
    ended(error === undefined ? { code, signal } : { code, signal, error })
  }
  child.on('close', (code, signal) => {
    if (child.pid !== undefined) finish(code, signal)
  })
  return child
}

/** Runs a program as our child: lines out, bytes in with a limit, an orderly stop, a restart when requested. */
export function superviseChild(options: ChildOptions): SupervisedChild {
  const { clock = systemClock, backlogLimitBytes = 4 << 20, killAfterMs = 2000 } = options
  const { promise: exited, resolve: resolveExited } = Promise.withResolvers<ChildExit>()
  let stopping = false
  let dropped = 0
  let failures = 0
  let restartTimer: Timer | undefined
  let killTimer: Timer | undefined
  let child: ChildProcess | undefined

  function launch(): void {
    const startedMs = clock.monotonicMs()
    child = start(options, (exit) => {
      child = undefined
      clock.clearTimeout(killTimer)
      if (clock.monotonicMs() - startedMs >= stableAfterMs) failures = 0
      const restartInMs = stopping ? undefined : pauseAfter(exit)
      if (restartInMs !== undefined) restartTimer = clock.setTimeout(launch, restartInMs)
      options.onExit?.(exit, restartInMs)
      if (restartInMs === undefined) resolveExited(exit)
    })
  }

  function pauseAfter(exit: ChildExit): number | undefined {
    const { restart = false, restartPausesMs = restartDelaysMs } = options
    const usualMs = restartPausesMs[Math.min(failures, restartPausesMs.length - 1)] ?? 0
    const pauseMs = typeof restart === 'function' ? restart(exit, usualMs) : restart ? usualMs : undefined
    // A requested restart is not a failure.
    if (pauseMs !== 0) failures++
    return pauseMs
  }

  function feed(pipe: Writable | null | undefined, chunk: Uint8Array): boolean {
    if (!pipe?.writable || pipe.writableLength + chunk.length > backlogLimitBytes) {
      dropped++
      return false
    }
    pipe.write(chunk)
    return true
  }

  launch()
  return {
    pid: () => child?.pid,
    write: (chunk) => feed(child?.stdin, chunk),
    writeSide: (chunk) => feed(child?.stdio[3] as Duplex | undefined, chunk),
    droppedCount: () => dropped,
    backlogBytes: () => child?.stdin?.writableLength ?? 0,
    endInput() {
      child?.stdin?.end()
      ;(child?.stdio[3] as Duplex | undefined)?.end()
    },
    async stop() {
      if (!stopping) {
        stopping = true
        clock.clearTimeout(restartTimer)
        if (!child) resolveExited({ code: null, signal: null })
        const end = (signal: NodeJS.Signals) => child && living.get(child)?.(signal)
        end('SIGINT')
        killTimer = clock.setTimeout(() => end('SIGKILL'), killAfterMs)
        void exited.then(() => clock.clearTimeout(killTimer))
      }
      await exited
    },
    exited,
  }
}
