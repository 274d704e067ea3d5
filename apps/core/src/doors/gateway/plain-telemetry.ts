// Figures of a unit that satisfy their schema as they are, found without the schema.
//
// Every unit sends figures each second, and nearly all of them have every field and no other. Reading those by the schema costs
// a second copy of each message. What is not plain in this sense is left to the schema, which alone says what is wrong:
// plain-telemetry.test.ts compares both for many messages.
import type { UnitTelemetry } from '@backhaul/contract/gateway/gateway'
import { SAMPLES_PER_MESSAGE } from '@backhaul/contract/gateway/units'

type Fields = Readonly<Record<string, unknown>>

/** True when the schema would take the message and change nothing. */
export function isPlainTelemetry(json: unknown): json is UnitTelemetry {
  if (!isObject(json) || json.type !== 'telemetry') return false
  for (const field in json) {
    const isKnown = field === 'type' || field === 'samples' || (field === 'unitId' && isText(json.unitId, 64))
    if (!isKnown) return false
  }
  const { samples } = json
  return isList(samples, SAMPLES_PER_MESSAGE) && samples.length > 0 && samples.every(isPlainSample)
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown, most: number): value is unknown[] =>
  Array.isArray(value) && value.length <= most
const isText = (value: unknown, most: number) => typeof value === 'string' && value.length <= most
/** JSON has numbers that are infinite here, such as 1e999. */
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isWithin = (value: unknown, least: number, most: number) =>
  isNumber(value) && value >= least && value <= most
const isAmount = (value: unknown) => isNumber(value) && value >= 0

function isPlainSample(sample: unknown): boolean {
  if (!isObject(sample)) return false
  let required = 0
  for (const field in sample) {
    const value = sample[field]
    switch (field) {
      case 'ts':
        if (!isNumber(value)) return false
        required++
        break
      case 'links':
        if (!isList(value, 64) || !value.every(isPlainLink)) return false
        required++
        break
      case 'encoderKbps':
      case 'capacityKbps':
        if (value !== null && !isNumber(value)) return false
        required++
        break
      case 'battery':
        if (value !== null && !isPlainBattery(value)) return false
        break
      case 'location':
        if (value !== null && !isPlainLocation(value)) return false
        break
      default:
        return false
    }
  }
  return required === 4
}

function isPlainLink(link: unknown): boolean {
  if (!isObject(link)) return false
  let required = 0
  for (const field in link) {
    if (field === 'signal') {
      if (!isPlainSignal(link.signal)) return false
    } else if (isPlainFigure(field, link[field])) required++
    else return false
  }
  return required === 8
}

function isPlainFigure(field: string, value: unknown): boolean {
  switch (field) {
    case 'port':
      return Number.isInteger(value) && isWithin(value, 0, 63)
    case 'up':
      return typeof value === 'boolean'
    case 'kbps':
    case 'downKbps':
      return isAmount(value)
    case 'rttMs':
    case 'capacityKbps':
      return value === null || isAmount(value)
    case 'lossPercent':
    case 'rtxPercent':
      return isWithin(value, 0, 100)
    default:
      return false
  }
}

function isPlainSignal(signal: unknown): boolean {
  if (!isObject(signal)) return false
  for (const name in signal)
    if (name === '__proto__' || !isText(name, 16) || !isNumber(signal[name])) return false
  return true
}

function isPlainBattery(battery: unknown): boolean {
  if (!isObject(battery)) return false
  for (const field in battery)
    if (field !== 'connected' && field !== 'charging' && field !== 'percentage') return false
  const { connected, charging, percentage } = battery
  return (
    typeof connected === 'boolean' &&
    typeof charging === 'boolean' &&
    (percentage === null || isWithin(percentage, 0, 100))
  )
}

function isPlainLocation(location: unknown): boolean {
  if (!isObject(location)) return false
  for (const field in location) {
    const isOther = field !== 'lat' && field !== 'lng' && field !== 'address'
    if (isOther && !(field === 'accuracyM' && isAmount(location.accuracyM))) return false
  }
  return isWithin(location.lat, -90, 90) && isWithin(location.lng, -180, 180) && isText(location.address, 255)
}
