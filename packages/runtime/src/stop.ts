import type { Log } from './log.ts'

/** Exit code of a program that requests its restart (EX_TEMPFAIL of sysexits.h). */
export const RESTART_CODE = 75

export interface StopOptions {
  /** After this long the process ends with code 1 even if the stop has not finished. */
  limitMs?: number
}

/**
 * Runs `stop` once, at SIGINT or SIGTERM, then ends the process with code 0 (1 when it failed or took too long).
 * With BACKHAUL_SUPERVISED=1 the end of standard input or of the IPC channel counts too, so that a process
 * whose parent was killed ends too. A second signal ends the process immediately. `restart` does the
 * same and requests the supervisor to start the process again.
 */
export function onStop(
  log: Log,
  stop: () => Promise<void>,
  { limitMs = 10_000 }: StopOptions = {},
): { restart(): void } {
  let stopping = false
  const begin = (reason: string, isSignal: boolean, code = 0) => {
    if (stopping) {
      if (isSignal) process.exit(1)
      return
    }
    stopping = true
    log.info({ reason }, 'stopping')
    setTimeout(() => {
      log.error({ limitMs }, 'stop took too long')
      process.exit(code || 1)
    }, limitMs).unref()
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error(error, 'stop failed')
        process.exit(code || 1)
      },
    )
  }
  process.on('SIGINT', () => begin('SIGINT', true))
  process.on('SIGTERM', () => begin('SIGTERM', true))
  const restart = () => begin('restart requested', false, RESTART_CODE)
  if (process.env.BACKHAUL_SUPERVISED !== '1') return { restart }
  process.on('disconnect', () => begin('parent closed the IPC channel', false))
  if (process.channel) return { restart }
  process.stdin.on('end', () => begin('parent closed standard input', false))
  process.stdin.on('close', () => begin('parent closed standard input', false))
  process.stdin.on('error', () => begin('parent closed standard input', false))
  process.stdin.resume()
  return { restart }
}
