/** Keeps the order that restarts a device across the restart, so that it is done once and confirmed afterwards. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** The port: a file on a real device; a simulated one keeps it in memory. */
export interface RestartNote {
  /** The order by which this process was restarted. */
  load(): string | undefined
  /** Must be stored durably when it returns: the process ends next. */
  save(orderId: string): void
  /** The restart did not take place. */
  clear(): void
}

export function createRestartNote(path: string): RestartNote {
  return {
    load() {
      try {
        return readFileSync(path, 'utf8').trim() || undefined
      } catch {
        return undefined
      }
    },
    save(orderId) {
      mkdirSync(dirname(path), { recursive: true })
      const file = openSync(`${path}.new`, 'w', 0o600)
      writeSync(file, `${orderId}\n`)
      fsyncSync(file)
      closeSync(file)
      renameSync(`${path}.new`, path)
    },
    clear: () => rmSync(path, { force: true }),
  }
}
