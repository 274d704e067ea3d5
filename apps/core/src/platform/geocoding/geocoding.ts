// Addresses of units that report only where they are: by the profile of their customer, else by the built-in names.
import { setImmediate } from 'node:timers/promises'
import {
  BUILT_IN_GEOCODER,
  builtInRules,
  type GeocodingProfile,
  type GeocodingRules,
  geocodersFor,
  type Position,
  wantsNewAddress,
} from '@backhaul/contract/nouns/geocoding'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { SendOutward } from '../../doors/outward-request.ts'
import type { Events } from '../../world/events.ts'
import { limitedTo } from '../../world/turns.ts'
import type { SystemSettings } from '../system-settings/system-settings.ts'
import { addressIn } from './geocoder-answer.ts'
import { loadPlaces } from './places.ts'

export interface Geocoding {
  /** The address as far as it is known, else ""; `addressFound` follows for one that is found later. */
  addressOf(unit: { id: string; inventoryId: string }, position: Position): string
  start(): Promise<void>
  stop(): void
}

interface Needs {
  clock: Clock
  log: Log
  events: Events
  systemSettings: Pick<SystemSettings, 'geocodingProfiles'>
  sendOutward: SendOutward
}

interface Known {
  position: Position
  address: string
  /** The rules by which it was found; others have come into force when they differ. */
  rules: GeocodingRules
  /** By geocoder, on the monotonic clock; a map for each unit of a fleet would take more memory than its address. */
  requestedMs: Record<string, number>
  isLooking: boolean
  /** A geocoder failed: the request is repeated after its interval, even for a unit that has not moved. */
  hasFailed: boolean
}

/** Profiles are read again after this long, for those that another core wrote. */
const profilesAgeMs = 10_000
/** Requests to geocoding services at the same time. */
const requestsAtOnce = 2

export function createGeocoding(needs: Needs): Geocoding {
  const { clock, events, log } = needs
  const known = new Map<string, Known>()
  const profiles = createProfiles(needs)
  const requesting = limitedTo(requestsAtOnce)
  const oneByOne = limitedTo(1)
  let isStopped = false

  async function ask(geocoder: string, position: Position): Promise<string | undefined> {
    if (geocoder === BUILT_IN_GEOCODER) {
      const nameOf = await loadPlaces()
      // Thousands are requested at once after a start: other work of core is done between them.
      return await oneByOne(async () => {
        await setImmediate()
        return nameOf(position) || undefined
      })
    }
    const address = geocoder.replaceAll('{lat}', `${position.lat}`).replaceAll('{lng}', `${position.lng}`)
    const headers = { accept: 'application/json', 'user-agent': 'Backhaul' }
    return await requesting(async () =>
      isStopped ? undefined : addressIn(await needs.sendOutward(address, { method: 'GET', headers })),
    )
  }

  /** The first geocoder that has an answer; one whose interval is not over ends the search until then. */
  async function look(id: string, entry: Known, position: Position): Promise<void> {
    const { rules } = entry
    let hasFailed = false
    for (const { geocoder, intervalMs } of geocodersFor(rules, position)) {
      const nowMs = clock.monotonicMs()
      const lastMs = entry.requestedMs[geocoder]
      if (lastMs !== undefined && nowMs - lastMs < intervalMs) return
      entry.requestedMs[geocoder] = nowMs
      try {
        const address = await ask(geocoder, position)
        if (address === undefined) continue
        return found(id, entry, { position, address, hasFailed })
      } catch (error) {
        hasFailed = true
        // Its path and query may hold a key.
        log.warn({ err: error, unit: id, geocoder: hostOf(geocoder) }, 'address not found')
      }
    }
    found(id, entry, { position, address: '', hasFailed })
  }

  function found(id: string, entry: Known, now: Pick<Known, 'position' | 'address' | 'hasFailed'>): void {
    if (isStopped || known.get(id) !== entry) return
    const isNew = entry.address !== now.address
    Object.assign(entry, now)
    if (isNew) events.emit('addressFound', { unitId: id })
  }

  function start(id: string, entry: Known, position: Position): void {
    entry.isLooking = true
    void look(id, entry, position)
      .catch((error) => log.error({ err: error, unit: id }, 'looking for an address failed'))
      .finally(() => {
        entry.isLooking = false
      })
  }

  events.on('deviceRemoved', ({ deviceId }) => void known.delete(deviceId))

  return {
    addressOf({ id, inventoryId }, position) {
      const rules = profiles.of(inventoryId)
      const before = known.get(id)
      if (before?.rules !== rules) {
        const entry: Known = {
          position,
          address: before?.address ?? '',
          rules,
          requestedMs: {},
          isLooking: false,
          hasFailed: false,
        }
        known.set(id, entry)
        start(id, entry, position)
        return entry.address
      }
      const { isLooking, hasFailed, address } = before
      if (!isLooking && (hasFailed || wantsNewAddress(rules, before.position, position)))
        start(id, before, position)
      return address
    },
    start: profiles.read,
    stop() {
      isStopped = true
    },
  }
}

const hostOf = (geocoder: string): string => URL.parse(geocoder)?.host ?? geocoder

/** The rules of each customer; the same object as long as they are the same. */
function createProfiles({ clock, log, systemSettings }: Needs) {
  let byCustomer = new Map<string, GeocodingRules>()
  let readMs = Number.NEGATIVE_INFINITY
  let isReading = false

  async function read(): Promise<void> {
    const all: GeocodingProfile[] = await systemSettings.geocodingProfiles.all()
    const sameOrNew = (id: string, now: GeocodingProfile): GeocodingRules => {
      const before = byCustomer.get(id)
      return before && JSON.stringify(before) === JSON.stringify(now) ? before : now
    }
    byCustomer = new Map(all.flatMap((one) => one.inventories.map((id) => [id, sameOrNew(id, one)] as const)))
  }

  return {
    read,
    of(inventoryId: string): GeocodingRules {
      if (!isReading && clock.monotonicMs() - readMs >= profilesAgeMs) {
        isReading = true
        readMs = clock.monotonicMs()
        void read()
          .catch((error) => log.warn({ err: error }, 'geocoding profiles not read'))
          .finally(() => {
            isReading = false
          })
      }
      return byCustomer.get(inventoryId) ?? builtInRules
    },
  }
}
