import { expect, test } from 'vitest'
import { exampleUnit } from '../examples/units.ts'
import {
  type Circumstances,
  fourKRefusal,
  type Gate,
  type GatedFeature,
  gate,
  gates,
  resolutionConflict,
  startGate,
  unlimitedServices,
} from './gates.ts'
import { defaultProperties, groupFeaturesOf, propertiesOf } from './inventories.ts'

const everythingOn = Object.fromEntries(
  Object.keys(defaultProperties).map((property) => [property, true]),
) as typeof defaultProperties

const open: Circumstances = {
  unit: { services: [...unlimitedServices], license: null, swVersion: '10.1.0' },
  serverVersion: '10.1.0',
  services: ['ai_integration', 'ingest', 'web_aud_connect', 'audio_ifb', 'graphics'],
  userServices: ['tally'],
  groupFeatures: groupFeaturesOf(everythingOn),
  properties: everythingOn,
}

/** The circumstances of `open` without those that this gate requires. */
function without(gate: Gate): Circumstances {
  const { unit } = open
  const less = (names: readonly string[], name: string) => names.filter((other) => other !== name)
  switch (gate.by) {
    case 'unitLicence':
      return { ...open, unit: { ...unit, services: less(unit.services, gate.value) } }
    case 'sla':
      return { ...open, unit: { ...unit, services: less(unit.services, 'sla') } }
    case 'unitVersion':
      return { ...open, unit: { ...unit, swVersion: '4.9' } }
    case 'serverVersion':
      return { ...open, serverVersion: '4.9' }
    case 'service':
      return { ...open, services: less(open.services, gate.value) }
    case 'userService':
      return { ...open, userServices: [] }
    case 'groupFeature':
      return { ...open, groupFeatures: { ...open.groupFeatures, [gate.value]: false } }
    case 'property':
      return { ...open, properties: { ...open.properties, [gate.value]: false } }
  }
}

const features = Object.keys(gates) as GatedFeature[]

test('every feature is open when all that its gates require is there', () => {
  expect(features.filter((feature) => gate(feature, open) !== undefined)).toEqual([])
})

const rows = features.flatMap((feature) =>
  (gates[feature] as readonly Gate[]).map((one) => [feature, one.by, one] as const),
)
test.each(rows)('%s is closed, in its own words, where the %s is missing', (feature, _, one) => {
  expect(gate(feature, without(one))).toBe(one.reason)
})

test('a version gate opens at its very version, and a later part counts as a number', () => {
  const at = (serverVersion: string) => gate('forceOutput', { serverVersion })
  expect([at('6.1.2'), at('6.1.10'), at('6.1.1'), at('6')]).toEqual([
    undefined,
    undefined,
    'feature.disabled',
    'feature.disabled',
  ])
})

test('the first closed gate of several gives the reason, and a gate without a value is closed', () => {
  const unit = { ...open.unit, services: [] }
  expect(gate('ai', { unit, services: [] })).toBe('role.notAllowed')
  expect(gate('externalPreview', { groupFeatures: {} })).toBe('feature.disabled')
  expect(gate('goLive', { properties: {} })).toBe('feature.disabled')
})

test('a unit starts with a video licence that has not ended, and in 4K with one for that too', () => {
  const camera = { ...(exampleUnit.camera as NonNullable<typeof exampleUnit.camera>), connected: true }
  const unit = { ...open.unit, camera: { ...camera, width: 1920, height: 1080 } }
  const big = { ...unit, camera: { ...camera, width: 3840, height: 2160 } }
  const but4K = unlimitedServices.filter((service) => service !== 'pro4k')
  expect([startGate(unit), startGate(big)]).toEqual([undefined, undefined])
  expect(startGate({ ...unit, services: but4K })).toBeUndefined()
  expect(startGate({ ...big, services: but4K })).toBe('unit.no4kLicence')
  const conflicts = [null, { is4K: true }, { is4K: false }].map((channel) => [
    resolutionConflict(big, channel),
    resolutionConflict({ ...big, services: but4K }, channel),
    fourKRefusal({ ...big, services: but4K }, channel),
  ])
  const unlicensed = [undefined, 'unit.no4kLicence', 'channelTip.no4kLicence']
  const unsupported = 'channel.no4k'
  expect(conflicts).toEqual([unlicensed, unlicensed, [unsupported, unsupported, 'channelTip.no4k']])
  expect(resolutionConflict(unit, { is4K: false })).toBeUndefined()
  const ended = { raHours: 0, rlHours: 9, valid: false }
  expect(startGate({ ...big, license: ended, services: but4K })).toBe('unit.noVideoLicence')
})

test('the features of a group follow from the properties of its customer, and the properties from the features', () => {
  const features = groupFeaturesOf({ ...defaultProperties, externalPreview: true })
  expect(features).toMatchObject({ ExternalPreview: true, MapView: true, SocialMedia: false })
  expect(propertiesOf(features)).toEqual({ ...defaultProperties, externalPreview: true })
  expect(propertiesOf({}).reboot).toBe(false)
})
