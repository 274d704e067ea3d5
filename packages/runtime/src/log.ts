import { type Logger, pino } from 'pino'
import type { LogTail } from './log-tail.ts'
import { redactSecrets } from './redact.ts'

export type Log = Logger
export type LogFormat = 'json' | 'pretty'

export interface LogOptions {
  /** Name of the program, for instance `core`. */
  name: string
  format: LogFormat
  level?: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Receives each finished line with its line feed; standard error when absent. */
  write?: (line: string) => void
  /** Receives each line too, with the `slot` that the line names. */
  tail?: Pick<LogTail, 'note'>
}

/** A pino log on standard error: standard output is kept for the ready line. Secrets in addresses are never written. */
export function createLog({ name, format, level = 'info', write, tail }: LogOptions): Log {
  const out = (line: string, slot: string | undefined) => {
    if (write) write(line)
    else process.stderr.write(line)
    tail?.note(line, slot)
  }
  const options = { name, level, base: { name } }
  const stream = {
    write(written: string) {
      const json = redactSecrets(written)
      const slot = slotOf(json)
      out(format === 'json' ? json : prettyLine(json), slot)
    },
  }
  return pino(format === 'json' ? { ...options, timestamp: pino.stdTimeFunctions.isoTime } : options, stream)
}

/** Present in the lines of a child log for one slot. */
const slotOf = (json: string): string | undefined => /"slot":"([^"]*)"/.exec(json)?.[1]

const levelWords: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}
const ownFields = new Set(['level', 'time', 'name', 'msg', 'err'])

/** One JSON line of pino as a short human line: `12:00:01 core warn  text key=value`. */
function prettyLine(jsonLine: string): string {
  const entry = JSON.parse(jsonLine) as Record<string, unknown>
  const time = new Date(Number(entry.time)).toISOString().slice(11, 19)
  const level = (levelWords[Number(entry.level)] ?? String(entry.level)).padEnd(5)
  const fields = Object.entries(entry)
    .filter(([key]) => !ownFields.has(key))
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const error = entry.err as { stack?: string; message?: string } | undefined
  const trace = error ? `\n${error.stack ?? error.message ?? ''}` : ''
  return `${time} ${String(entry.name)} ${level} ${String(entry.msg ?? '')}${fields.join('')}${trace}\n`
}
