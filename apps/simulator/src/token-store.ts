/** The tokens of all simulated devices in one file, so that they keep their identities across a restart. */
import type { DeviceToken, TokenStore } from '@backhaul/device/token-store'
import type { Clock } from '@backhaul/runtime/clock'
import { openJsonStore } from './json-store.ts'

export interface DeviceTokens {
  storeOf(serialNumber: string): TokenStore
  /** Writes pending changes. */
  close(): void
}

/**
 * A token that is lost in a crash within half a second costs little: the device registers again with its serial number
 * and becomes the same device.
 */
export function openDeviceTokens(path: string, clock: Clock): DeviceTokens {
  const tokens = openJsonStore<DeviceToken>(path, clock)
  return {
    storeOf: (serialNumber) => ({
      load: () => tokens.get(serialNumber),
      save: (token) => tokens.set(serialNumber, token),
      clear: () => tokens.delete(serialNumber),
    }),
    close: tokens.close,
  }
}
