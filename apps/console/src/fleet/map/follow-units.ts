// Keeps the markers of the map equal to the live units: only those that changed are checked.
import { type KnownUnit, liveUnits, type UnitMatches, unitLook } from '../units/units.ts'
import type { Share } from './markers.ts'
import type { UnitLook } from './sprites.ts'
import type { UnitMap } from './unit-map.ts'

const shareOf = ({ tone }: Pick<UnitLook, 'tone'>): Share =>
  tone === 'live' || tone === 'ready' || tone === 'offline' ? tone : 'busy'

const looks = new Map<string, UnitLook>()

/** Equal looks are one object. */
function lookOf(unit: KnownUnit): UnitLook {
  const { shape, tone, severity = 'none' } = unitLook(unit)
  const { onAir } = unit.tally
  const key = `${shape} ${tone} ${severity} ${onAir} ${unit.stale}`
  const known = looks.get(key)
  if (known) return known
  const look: UnitLook = { key, shape, tone, severity, onAir, stale: unit.stale, share: shareOf({ tone }) }
  looks.set(key, look)
  return look
}

/** `onShown` receives the number of units on the map. */
export function followUnits(map: Pick<UnitMap, 'put' | 'remove'>, onShown: (units: number) => void) {
  const seen = new Map<string, KnownUnit>()
  const placed = new Set<string>()
  let matches: UnitMatches
  let reported: number | undefined

  function place(uid: string, unit: KnownUnit): void {
    const { location } = unit
    if (location && (!matches || matches(unit))) {
      placed.add(uid)
      map.put(uid, { lat: location.lat, lng: location.lng, look: lookOf(unit) })
    } else if (placed.delete(uid)) map.remove(uid)
  }

  function follow(): void {
    for (const uid of liveUnits.ids()) {
      const unit = liveUnits.get(uid)
      if (unit === undefined || seen.get(uid) === unit) continue
      seen.set(uid, unit)
      place(uid, unit)
    }
    if (seen.size > liveUnits.size())
      for (const uid of seen.keys()) {
        if (liveUnits.get(uid) !== undefined) continue
        seen.delete(uid)
        if (placed.delete(uid)) map.remove(uid)
      }
    if (reported === placed.size) return
    reported = placed.size
    onShown(reported)
  }

  const stop = liveUnits.subscribeList(follow)
  return {
    filter(next: UnitMatches): void {
      matches = next
      seen.clear()
      follow()
    },
    stop,
  }
}
