/** The status that a benchmark device sends each second: six links, battery, position. The same bytes go to every contestant. */
import type { UnitSample } from '@backhaul/contract/gateway/units'

const carriers = [0, 1, 2, 3, 4, 5]

/** A sample that differs from second to second, as real ones do. */
export function sampleAt(device: number, second: number, ts: number): UnitSample {
  const wobble = (span: number, step: number) =>
    Math.round(((device * 31 + second * step) % 97) * (span / 97))
  return {
    ts,
    links: carriers.map((port) => ({
      port,
      up: true,
      kbps: 600 + wobble(1400, 7 + port),
      downKbps: 40,
      rttMs: 40 + wobble(60, 3 + port),
      lossPercent: wobble(2, 5 + port),
      rtxPercent: 0,
      capacityKbps: 2400,
    })),
    encoderKbps: 4000,
    capacityKbps: 9000,
    battery: { connected: true, charging: false, percentage: 40 + (second % 50) },
    location: { lat: 51.5 + second / 1e5, lng: -0.12, address: '' },
  }
}

/** The same from a unit whose battery is nearly empty. */
export const alarmingSample = (sample: UnitSample): UnitSample => ({
  ...sample,
  battery: { connected: true, charging: false, percentage: 8 },
})

/** The same from a unit that drives at 100 km/h, somewhere between the polar circles. */
export function drivingSample(sample: UnitSample, device: number, second: number): UnitSample {
  const lat = -50 + ((device * 7919) % 11_500) / 100 + second * 0.00025
  const lng = -180 + ((device * 104_729) % 36_000) / 100
  return { ...sample, location: { lat, lng, address: '' } }
}

/** The same with a number that can be found again: the round-trip time, which the unit list shows. */
export function markedSample(sample: UnitSample, mark: number): UnitSample {
  return { ...sample, links: sample.links.map((link) => ({ ...link, rttMs: mark })) }
}
