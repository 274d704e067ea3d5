// The facilities that every feature may use.
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../database/schema.ts'
import type { Sealing } from '../database/sealing.ts'
import type { KnownBrowsers } from '../doors/api/known-browser.ts'
import type { OutwardAddresses } from '../doors/outward-address.ts'
import type { SendOutward } from '../doors/outward-request.ts'
import type { Events } from './events.ts'

export interface World {
  db: Database
  clock: Clock
  /** Wall time that advances by monotonic time: for ages that are stored. */
  ages: Clock
  log: Log
  events: Events
  sealing: Sealing
  knownBrowsers: KnownBrowsers
  /** For connections to hosts that a user entered. */
  outwardAddresses: OutwardAddresses
  /** Sends a request to an address that a user entered. */
  sendOutward: SendOutward
}
