/** The tokens of all simulated devices in one file, so that a restart keeps their identities. */
import type { DeviceToken, TokenStore } from '@backhaul/device/token-store'
import type { Clock } from '@backhaul/runtime/clock'
import { openBook } from './book.ts'

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
  const book = openBook<DeviceToken>(path, clock)
  return {
    storeOf: (serialNumber) => ({
      load: () => book.get(serialNumber),
      save: (token) => book.set(serialNumber, token),
      clear: () => book.delete(serialNumber),
    }),
    close: book.close,
  }
}
