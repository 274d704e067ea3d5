/** Signals from tests to the programs that they have started. */
import { spawnSync } from 'node:child_process'

/** Sends a signal to one process. Zero and negative numbers stand for groups, such as the whole run of tests: they fail. */
export function signalProcess(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || !(pid > 1)) throw new Error(`${pid} is not the number of a process`)
  process.kill(pid, signal)
}

/** Whether the process is there, which may be one that ended and was not collected. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Kills what is left of these processes; those that have ended meanwhile are no failure. */
export function killProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      signalProcess(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** The processes that have this text in their arguments; may be none. */
export const processesWith = (text: string): number[] =>
  spawnSync('pgrep', ['-f', text], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean).map(Number)
