// A device as the rest of core sees it.
import type { DeviceFacts } from './device-table.ts'

/**
 * 1. online: a socket is open and greeted;
 * 2. remembered: core has just started and the device was connected before; its last report is shown with its age;
 * 3. offline: gone.
 */
type Presence = 'online' | 'remembered' | 'offline'

export interface Device extends Readonly<DeviceFacts> {
  readonly presence: Presence
  /** Address that the device dialled from; '' while it is not connected. */
  readonly address: string
  readonly reportIntervalMs: number
  /** The time of its last message. */
  readonly lastSeenMs: number | null
  /** Its data stored before the last start of core. */
  readonly remembered: object | undefined
}
