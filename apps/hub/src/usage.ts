import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { cpus, freemem, totalmem } from 'node:os'

export interface Usage {
  cpuPercent: number
  memoryPercent: number
  storagePercent: number
}

const percent = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10

function cpuTimes(): { busy: number; all: number } {
  let busy = 0
  let all = 0
  for (const { times } of cpus()) {
    const sum = times.user + times.nice + times.sys + times.idle + times.irq
    all += sum
    busy += sum - times.idle
  }
  return { busy, all }
}

/** Memory that is available to programs; the system's "free" excludes caches that it would release immediately. */
function availableBytes(): number {
  try {
    const line = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))
    return line ? Number(line[1]) * 1024 : freemem()
  } catch {
    return freemem()
  }
}

/** The load of the whole machine since the last call, and how full the disk of the folder is. */
export function createUsageMeter(folder: string): { read(): Usage } {
  let before = cpuTimes()
  let usage: Usage = { cpuPercent: 0, memoryPercent: 0, storagePercent: 0 }
  let storagePercent = 0
  return {
    read() {
      const now = cpuTimes()
      const all = now.all - before.all
      void statfs(folder).then(
        ({ blocks, bavail }) => {
          storagePercent = blocks > 0 ? percent(1 - bavail / blocks) : 0
        },
        () => {},
      )
      const cpuPercent = all > 0 ? percent((now.busy - before.busy) / all) : usage.cpuPercent
      before = now
      usage = { cpuPercent, memoryPercent: percent(1 - availableBytes() / totalmem()), storagePercent }
      return usage
    },
  }
}
