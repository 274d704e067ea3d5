// One program of Backhaul as the launcher sees it: started, awaited until ready, started again when it ends.
import { join } from 'node:path'
import { type ChildExit, superviseChild } from '@backhaul/runtime/child-process'
import { WRONG_SETTINGS_CODE } from '@backhaul/runtime/settings'
import { RESTART_CODE } from '@backhaul/runtime/stop'
import { z } from 'zod'
import { repository } from './places.ts'

export interface ProgramOptions {
  name: string
  /** The script that Node runs. */
  main: string
  /** The arguments of its command line. */
  args?: readonly string[]
  /** A network namespace of the kernel that it runs in. */
  namespace?: string | undefined
  env: NodeJS.ProcessEnv
  /** Each line of the program's output, except its ready line. */
  onLine: (line: string) => void
  /** After each end once it has been ready; it is restarted in `restartInMs`, unless that is undefined. */
  onEnd: (reason: string, restartInMs: number | undefined) => void
}

const readySchema = z.object({
  ready: z.literal(true),
  url: z.url().optional(),
  metricsUrl: z.url().optional(),
  signIns: z.array(z.object({ username: z.string(), password: z.string(), role: z.string() })).optional(),
  registrationKey: z.string().optional(),
  setupCode: z.string().optional(),
  remarks: z.array(z.string()).optional(),
})

/** The ready line of a program; core adds its address, the users of the demo, and a key for new units. */
export type Ready = z.output<typeof readySchema>

export interface Program {
  readonly name: string
  /** Rejects with the reason when the program ends before it was ready for the first time. */
  readonly ready: Promise<Ready>
  /** Process id while it runs. */
  pid(): number | undefined
  stop(): Promise<void>
}

/** Where Node keeps what it has compiled, which saves a third of the next start; not used where the folder cannot be written. */
export const compileCache = join(repository, '.tools', 'compile-cache')

/**
 * The objects of a message or a packet are garbage when the next one arrives. V8 keeps room for many young objects, and next
 * to it marks a heap of usual size every few seconds, unless that may grow to twice what lives: a quarter of the processor
 * time of a hub with one channel.
 *
 * Core has room for the young objects of more than a second of a fleet, so that little of it is copied, and few places where
 * threads allocate, which spares memory.
 */
export const memoryOf = (name: string): { args: readonly string[]; env: NodeJS.ProcessEnv } => {
  const growing = '--heap-growing-percent=100'
  if (name !== 'core') return { args: [growing], env: {} }
  return { args: ['--max-semi-space-size=32', growing], env: { MALLOC_ARENA_MAX: '2' } }
}

const keptLines = 20
const endsWithinMs = 8_000
/** A control room waits: a program that crashed is restarted quickly, and one that crashes again and again with growing pauses. */
const restartPausesMs = [100, 500, 1000, 2000]

/** When a program that ended is started again: immediately on its request, never where that does not help. */
export const restartAfter = ({ code }: ChildExit, pauseMs: number): number | undefined =>
  code === WRONG_SETTINGS_CODE ? undefined : code === RESTART_CODE ? 0 : pauseMs

/** Ends before it was ready. `code` is that of the program. */
export class StartFailure extends Error {
  readonly code: number

  constructor(message: string, code: number | null) {
    super(message)
    this.name = 'StartFailure'
    this.code = code ?? 1
  }
}

/** Starts the program; its first failure is final, later ends are followed by a restart with growing pauses. */
export function startProgram({
  name,
  main,
  args = [],
  namespace,
  env,
  onLine,
  onEnd,
}: ProgramOptions): Program {
  const { promise: ready, resolve, reject } = Promise.withResolvers<Ready>()
  const lastLines: string[] = []
  let wasReady = false
  let isStopping = false
  const keep = (line: string) => {
    lastLines.push(line)
    if (lastLines.length > keptLines) lastLines.shift()
    onLine(line)
  }
  // Supervised programs also end when their standard input does, so none outlives a launcher that was killed.
  const memory = memoryOf(name)
  const childEnv: NodeJS.ProcessEnv = {
    NODE_COMPILE_CACHE: compileCache,
    ...memory.env,
    ...env,
    BACKHAUL_SUPERVISED: '1',
  }
  const within = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace]
  const [command = process.execPath, ...words] = [...within, process.execPath]
  const child = superviseChild({
    command,
    args: [...words, '--disable-warning=ExperimentalWarning', ...memory.args, main, ...args],
    env: childEnv,
    restart: restartAfter,
    restartPausesMs,
    killAfterMs: endsWithinMs,
    onStdoutLine: (line) => {
      const ready = readReady(line)
      if (!ready) return keep(line)
      wasReady = true
      // Any free port the first time, but the same one after a restart: devices and browsers know it by then.
      if (ready.url) childEnv.BACKHAUL_PORT = new URL(ready.url).port || '80'
      if (ready.metricsUrl) childEnv[metricsPortOf(name)] = new URL(ready.metricsUrl).port || '80'
      resolve(ready)
    },
    onStderrLine: keep,
    onExit: (exit, restartInMs) => {
      const reason = whyEnded(lastLines, exit)
      lastLines.length = 0
      if (!wasReady) {
        reject(new StartFailure(`${name} cannot start: ${reason}`, exit.code))
        void child.stop()
      } else if (!isStopping) onEnd(reason, restartInMs)
    },
  })
  return {
    name,
    ready,
    pid: child.pid,
    stop() {
      isStopping = true
      return child.stop()
    },
  }
}

const metricsPortOf = (name: string) =>
  name === 'hub' ? 'BACKHAUL_HUB_METRICS_PORT' : 'BACKHAUL_METRICS_PORT'

/** The ready line's content, or nothing when the line is something else. */
export function readReady(line: string): Ready | undefined {
  return readySchema.safeParse(parseObject(line)).data
}

function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/**
 * The reason of an end in one line. A program that was ended by a signal, or normally, gives none. Any other has its
 * reason in the wrong settings, in a fatal line of its log, in the error that was thrown, or in the last error in its
 * log; earlier lines may be about anything.
 */
export function whyEnded(lines: readonly string[], exit: ChildExit): string {
  if (exit.error) return exit.error
  if (exit.signal) return `ended by ${exit.signal}`
  const how = `ended with code ${exit.code}`
  if (exit.code === 0 || exit.code === RESTART_CODE) return how
  const settings = settingsIn(lines)
  if (exit.code === WRONG_SETTINGS_CODE && settings) return `${settings} (${how})`
  const logged = lines.filter((line) => parseObject(line)?.level !== undefined)
  const isReason = (line: string, least: number) => Number(parseObject(line)?.level) >= least
  const fatal =
    logged.findLast((line) => isReason(line, 60)) ?? logged.slice(-1).find((line) => isReason(line, 50))
  if (fatal) return `${sentenceOf(parseObject(fatal) ?? {})} (${how})`
  const plain = lines.filter((line) => !logged.includes(line))
  const thrown = plain.findLast((line) => /^\w*Error\b/.test(line))
  const last = thrown ?? plain.findLast((line) => line.trim() !== '' && !/^(\s|Node\.js v|})/.test(line))
  return last ? `${last.trim()} (${how})` : how
}

/** The lines about wrong settings as one, undefined where there are none. */
function settingsIn(lines: readonly string[]): string | undefined {
  const from = lines.findLastIndex((line) => line.startsWith('Settings are wrong'))
  if (from < 0) return undefined
  const [head, ...problems] = lines.slice(from).map((line) => line.trim())
  return `${head} ${problems.join('; ')}`
}

function sentenceOf(entry: Record<string, unknown>): string {
  const problem = entry.err as { message?: string } | undefined
  return [...new Set([entry.msg, problem?.message])].filter(Boolean).join(': ')
}
