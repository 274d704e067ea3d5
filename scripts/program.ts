// One program of Backhaul as the launcher sees it: started, awaited until ready, started again when it ends.
import { type ChildExit, superviseChild } from '@backhaul/runtime/child-process'
import { z } from 'zod'

export interface ProgramOptions {
  name: string
  /** The script that Node runs. */
  main: string
  /** Of its command line. */
  args?: readonly string[]
  env: NodeJS.ProcessEnv
  /** Each line the program says, its ready line excepted. */
  onLine: (line: string) => void
  /** After each end once it has been ready; it will be started again in `restartInMs`. */
  onEnd: (reason: string, restartInMs: number) => void
}

const readySchema = z.object({
  ready: z.literal(true),
  url: z.url().optional(),
  signIns: z.array(z.object({ username: z.string(), password: z.string(), role: z.string() })).optional(),
  registrationKey: z.string().optional(),
  setupCode: z.string().optional(),
})

/** What a program says in its ready line; core adds its address, whom the demo lets sign in, and a key for new units. */
export type Ready = z.output<typeof readySchema>

export interface Program {
  readonly name: string
  /** Rejects with the reason when the program ends before it was ready for the first time. */
  readonly ready: Promise<Ready>
  /** Process id while it runs. */
  pid(): number | undefined
  stop(): Promise<void>
}

const keptLines = 20
const endsWithinMs = 8_000

/** Starts the program; its first failure is final, later ends are followed by a restart with growing pauses. */
export function startProgram({ name, main, args = [], env, onLine, onEnd }: ProgramOptions): Program {
  const { promise: ready, resolve, reject } = Promise.withResolvers<Ready>()
  const lastLines: string[] = []
  let wasReady = false
  const keep = (line: string) => {
    lastLines.push(line)
    if (lastLines.length > keptLines) lastLines.shift()
    onLine(line)
  }
  // Supervised programs also end when their standard input does, so none outlives a launcher that was killed.
  const childEnv: NodeJS.ProcessEnv = { ...env, BACKHAUL_SUPERVISED: '1' }
  const child = superviseChild({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', main, ...args],
    env: childEnv,
    restart: true,
    killAfterMs: endsWithinMs,
    onStdoutLine: (line) => {
      const said = readReady(line)
      if (!said) return keep(line)
      wasReady = true
      // Any free port the first time, but the same one after a restart: devices and browsers know it by then.
      if (said.url) childEnv.BACKHAUL_PORT = new URL(said.url).port || '80'
      resolve(said)
    },
    onStderrLine: keep,
    onExit: (exit, restartInMs) => {
      const reason = whyEnded(lastLines, exit)
      lastLines.length = 0
      if (!wasReady) {
        reject(new Error(`${name} cannot start: ${reason}`))
        void child.stop()
      } else if (restartInMs !== undefined) onEnd(reason, restartInMs)
    },
  })
  return { name, ready, pid: child.pid, stop: child.stop }
}

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

/** The reason of an end in one line: the last error it logged, else the last thing it said, else how it ended. */
export function whyEnded(lines: readonly string[], exit: ChildExit): string {
  if (exit.error) return exit.error
  const logged = lines.findLast((line) => Number(parseObject(line)?.level) >= 50)
  if (logged) return sentenceOf(parseObject(logged) ?? {})
  const thrown = lines.findLast((line) => /^\w*Error\b/.test(line))
  const said = thrown ?? lines.findLast((line) => line.trim() !== '' && !/^(\s|Node\.js v|})/.test(line))
  const how = exit.signal ? `ended by ${exit.signal}` : `ended with code ${exit.code}`
  return said ? `${said.trim()} (${how})` : how
}

function sentenceOf(entry: Record<string, unknown>): string {
  const problem = entry.err as { message?: string } | undefined
  return [...new Set([entry.msg, problem?.message])].filter(Boolean).join(': ')
}
