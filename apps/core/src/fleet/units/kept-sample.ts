// The newest sample of a unit, in the objects of the one before: samples of a fleet that are kept for a second each are all
// moved to the old generation, and are garbage there.
import type { LinkTelemetry, UnitSample } from '@backhaul/contract/gateway/units'
import { same } from '../../world/same.ts'

/** The sample to keep after `newest`; battery and position, which others refer to, are never changed. */
export function sampleAfter(kept: UnitSample | null, newest: UnitSample | null): UnitSample | null {
  if (!newest) return null
  if (kept?.links.length !== newest.links.length) return copyOf(newest)
  for (let at = 0; at < newest.links.length; at++)
    takeLink(kept.links[at] as LinkTelemetry, newest.links[at] as LinkTelemetry)
  kept.ts = newest.ts
  kept.encoderKbps = newest.encoderKbps
  kept.capacityKbps = newest.capacityKbps
  if (!isSameBattery(kept.battery, newest.battery)) kept.battery = newest.battery
  if (!isSameLocation(kept.location, newest.location)) kept.location = newest.location
  return kept
}

// Field by field: `same` looks its fields up by name, for each unit each second.
const isSameBattery = (one: UnitSample['battery'], other: UnitSample['battery']): boolean =>
  one && other
    ? one.percentage === other.percentage &&
      one.connected === other.connected &&
      one.charging === other.charging
    : one === other

const isSameLocation = (one: UnitSample['location'], other: UnitSample['location']): boolean =>
  one && other
    ? one.lat === other.lat &&
      one.lng === other.lng &&
      one.address === other.address &&
      one.accuracyM === other.accuracyM
    : one === other

/**
 * Not the sample itself: where the first objects that a place in the code makes are kept, V8 makes all later ones of that place
 * in the old generation.
 */
const copyOf = (sample: UnitSample): UnitSample => ({
  ...sample,
  links: sample.links.map((link) => ({ ...link })),
})

function takeLink(kept: LinkTelemetry, newest: LinkTelemetry): void {
  kept.port = newest.port
  kept.up = newest.up
  kept.kbps = newest.kbps
  kept.downKbps = newest.downKbps
  kept.rttMs = newest.rttMs
  kept.lossPercent = newest.lossPercent
  kept.rtxPercent = newest.rtxPercent
  kept.capacityKbps = newest.capacityKbps
  if (!same(kept.signal, newest.signal)) kept.signal = newest.signal
}
