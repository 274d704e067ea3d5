// The newest sample of a unit, in the objects of the one before: samples of a fleet that are kept for a second each are all
// moved to the old generation, and are garbage there.
import type { LinkTelemetry, UnitSample } from '@backhaul/contract/gateway/units'
import { same } from '../../world/same.ts'

/** The sample to keep after `newest`; battery and position, which others refer to, are never changed. */
export function sampleAfter(kept: UnitSample | null, newest: UnitSample | null): UnitSample | null {
  if (!kept || !newest || kept.links.length !== newest.links.length) return newest
  for (let at = 0; at < newest.links.length; at++)
    takeLink(kept.links[at] as LinkTelemetry, newest.links[at] as LinkTelemetry)
  kept.ts = newest.ts
  kept.encoderKbps = newest.encoderKbps
  kept.capacityKbps = newest.capacityKbps
  if (!same(kept.battery, newest.battery)) kept.battery = newest.battery
  if (!same(kept.location, newest.location)) kept.location = newest.location
  return kept
}

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
