/** What a process has cost, from the kernel's own books (proc(5)). */
import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** User and system time in milliseconds of a process, children excluded. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** Resident memory in kilobytes. */
export function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}
