/** Values that all simulated devices keep across a restart, by serial number, in one file. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock, Timer } from '@backhaul/runtime/clock'

/** A fleet registers in a burst; the file is written once for many. */
const writeAfterMs = 500

export interface JsonStore<T> {
  get(serialNumber: string): T | undefined
  set(serialNumber: string, value: T): void
  delete(serialNumber: string): void
  /** Writes pending changes. */
  close(): void
}

export function openJsonStore<T>(path: string, clock: Clock): JsonStore<T> {
  const values = new Map<string, T>(Object.entries(readValues<T>(path)))
  let timer: Timer | undefined

  function write(): void {
    clock.clearTimeout(timer)
    timer = undefined
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(values)), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }

  const changed = () => {
    timer ??= clock.setTimeout(write, writeAfterMs)
  }

  return {
    get: (serialNumber) => values.get(serialNumber),
    set(serialNumber, value) {
      values.set(serialNumber, value)
      changed()
    },
    delete(serialNumber) {
      values.delete(serialNumber)
      changed()
    },
    close() {
      if (timer !== undefined) write()
    },
  }
}

function readValues<T>(path: string): Record<string, T> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, T>
  } catch {
    return {}
  }
}
