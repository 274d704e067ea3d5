/** The tokens of all simulated devices in one file, so that a restart keeps their identities. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DeviceToken, TokenStore } from '@backhaul/device/token-store'
import type { Clock, Timer } from '@backhaul/runtime/clock'

/** A fleet registers in a burst; the file is written once for many. */
const writeAfterMs = 500

export interface TokenBook {
  storeOf(serialNumber: string): TokenStore
  /** Writes what is not yet written. */
  close(): void
}

/**
 * A token that is lost in a crash within half a second costs little: the device registers again with its serial number
 * and becomes the same device.
 */
export function openTokenBook(path: string, clock: Clock): TokenBook {
  const tokens = new Map<string, DeviceToken>(Object.entries(readBook(path)))
  let timer: Timer | undefined

  function write(): void {
    clock.clearTimeout(timer)
    timer = undefined
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(tokens)), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }

  const changed = () => {
    timer ??= clock.setTimeout(write, writeAfterMs)
  }

  return {
    storeOf: (serialNumber) => ({
      load: () => tokens.get(serialNumber),
      save(token) {
        tokens.set(serialNumber, token)
        changed()
      },
      clear() {
        tokens.delete(serialNumber)
        changed()
      },
    }),
    close() {
      if (timer !== undefined) write()
    },
  }
}

function readBook(path: string): Record<string, DeviceToken> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, DeviceToken>
  } catch {
    return {}
  }
}
