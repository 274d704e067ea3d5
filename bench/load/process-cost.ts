/** The cost of a process, from the kernel's accounting (proc(5)). */
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

const statOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')

/** User and system time in milliseconds of a process, children excluded. */
export function cpuMs(pid: number): number {
  const fields = statOf(pid)
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** The same for a process and everything below it, also what has ended there. */
export function familyCpuMs(pid: number): number {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const parent = Number(statOf(Number(name))[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      // It ended during the scan.
    }
  }
  const total = (one: number): number => {
    try {
      const ended = statOf(one)
      const waitedFor = ((Number(ended[13]) + Number(ended[14])) * 1000) / ticksPerSecond
      return cpuMs(one) + waitedFor + (children.get(one) ?? []).reduce((sum, child) => sum + total(child), 0)
    } catch {
      return 0
    }
  }
  return total(pid)
}

const statusKb = (pid: number, field: RegExp): number =>
  Number(field.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)

/** Resident memory in kilobytes. */
export const residentKb = (pid: number): number => statusKb(pid, /^VmRSS:\s+(\d+)/m)

/** The part of that memory that belongs to no file and is shared with no other process. */
export const ownKb = (pid: number): number => statusKb(pid, /^RssAnon:\s+(\d+)/m)
