/** Each field of a status against the contract (packages/contract/src/gateway/units.ts), by hand. */
import type { LinkTelemetry, UnitSample } from '@backhaul/contract/gateway/units'

const isNumber = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most
const isNumberOrNull = (value: unknown, least: number, most: number): boolean =>
  value === null || isNumber(value, least, most)
const most = Number.MAX_VALUE
const samplesAtMost = 60
const linksAtMost = 64

function isLink(link: LinkTelemetry): boolean {
  return (
    Number.isInteger(link.port) &&
    isNumber(link.port, 0, 63) &&
    typeof link.up === 'boolean' &&
    isNumber(link.kbps, 0, most) &&
    isNumber(link.downKbps, 0, most) &&
    isNumberOrNull(link.rttMs, 0, most) &&
    isNumber(link.lossPercent, 0, 100) &&
    isNumber(link.rtxPercent, 0, 100) &&
    isNumberOrNull(link.capacityKbps, 0, most)
  )
}

function isBattery({ battery }: UnitSample): boolean {
  if (battery === undefined || battery === null) return true
  const { connected, charging, percentage } = battery
  return typeof connected === 'boolean' && typeof charging === 'boolean' && isNumberOrNull(percentage, 0, 100)
}

function isLocation({ location }: UnitSample): boolean {
  if (location === undefined || location === null) return true
  const { lat, lng, address } = location
  return (
    isNumber(lat, -90, 90) && isNumber(lng, -180, 180) && typeof address === 'string' && address.length < 256
  )
}

const isSample = (sample: UnitSample): boolean =>
  isNumber(sample.ts, -most, most) &&
  Array.isArray(sample.links) &&
  sample.links.length <= linksAtMost &&
  sample.links.every(isLink) &&
  isNumberOrNull(sample.encoderKbps, -most, most) &&
  isNumberOrNull(sample.capacityKbps, -most, most) &&
  isBattery(sample) &&
  isLocation(sample)

/** Whether the message of a unit is one with figures that the contract takes. */
export const isTelemetry = (samples: readonly UnitSample[]): boolean =>
  Array.isArray(samples) && samples.length > 0 && samples.length <= samplesAtMost && samples.every(isSample)
