import type { PlainCode } from '../define/refusals.ts'
import type { InventoryProperties, InventoryProperty } from './inventories.ts'
import type { Unit } from './units.ts'
import { isAtLeast } from './versions.ts'

/** Licences of a unit, named among its services (GAP-SVC-04). */
export const unitLicences = ['video', 'pro4k', 'multiCamera', 'databridge', 'ai', 'videoReturn'] as const
export type UnitLicence = (typeof unitLicences)[number]

/** The service of a unit that represents its maintenance contract. */
export const SLA = 'sla'

/** The licences of a unit without any assigned licence: an installation without licensing withholds nothing. */
export const unlimitedServices: readonly string[] = [...unitLicences, SLA]

/** A version gate is 'at least'; a server's version is that of the channel too. */
export type Gate = { readonly reason: PlainCode } & (
  | { readonly by: 'unitLicence'; readonly value: UnitLicence }
  | { readonly by: 'sla' }
  | { readonly by: 'unitVersion' | 'serverVersion'; readonly value: string }
  | { readonly by: 'service' | 'userService' | 'groupFeature'; readonly value: string }
  | { readonly by: 'property'; readonly value: InventoryProperty }
)

const forUserType = 'role.notAllowed'
const disabled = 'feature.disabled'

/** Several gates of one feature must all be open; the first closed one gives the reason. */
export const gates = {
  video: [{ by: 'unitLicence', value: 'video', reason: 'unit.noVideoLicence' }],
  fourK: [{ by: 'unitLicence', value: 'pro4k', reason: 'unit.no4kLicence' }],
  multiCamera: [{ by: 'unitLicence', value: 'multiCamera', reason: 'camera.noLicence' }],
  databridge: [{ by: 'unitLicence', value: 'databridge', reason: 'databridge.noLicence' }],
  videoReturn: [{ by: 'unitLicence', value: 'videoReturn', reason: 'videoReturn.noLicence' }],
  ai: [
    { by: 'unitLicence', value: 'ai', reason: forUserType },
    { by: 'service', value: 'ai_integration', reason: forUserType },
  ],
  ingest: [{ by: 'service', value: 'ingest', reason: 'ingest.noService' }],
  intercom: [{ by: 'service', value: 'web_aud_connect', reason: forUserType }],
  ifb: [{ by: 'service', value: 'audio_ifb', reason: forUserType }],
  tally: [{ by: 'userService', value: 'tally', reason: forUserType }],
  linkExtenders: [{ by: 'sla', reason: 'unit.notUnderSla' }],
  remoteControl: [{ by: 'unitVersion', value: '6.0', reason: 'remote.versionTooLow' }],
  audioParameters: [{ by: 'unitVersion', value: '5.0', reason: disabled }],
  ancillary: [{ by: 'unitVersion', value: '6.5', reason: disabled }],
  speedTest: [{ by: 'serverVersion', value: '7.5.1', reason: 'server.versionTooLow' }],
  multipoint: [{ by: 'serverVersion', value: '5.0', reason: disabled }],
  forceOutput: [{ by: 'serverVersion', value: '6.1.2', reason: disabled }],
  restartServer: [{ by: 'serverVersion', value: '6.4', reason: disabled }],
  overlay: [
    { by: 'serverVersion', value: '8.0', reason: disabled },
    { by: 'service', value: 'graphics', reason: disabled },
  ],
  serverInfo: [{ by: 'serverVersion', value: '8.5', reason: disabled }],
  externalPreview: [{ by: 'groupFeature', value: 'ExternalPreview', reason: disabled }],
  reboot: [{ by: 'property', value: 'reboot', reason: disabled }],
  map: [{ by: 'property', value: 'mapView', reason: disabled }],
  goLive: [{ by: 'property', value: 'socialMedia', reason: disabled }],
  preview: [{ by: 'property', value: 'mjpegPreview', reason: disabled }],
  pointToMultipoint: [{ by: 'property', value: 'ptmp', reason: disabled }],
  multipointContributor: [{ by: 'property', value: 'multipointContributor', reason: disabled }],
  rateGauge: [{ by: 'property', value: 'gauge', reason: disabled }],
} as const satisfies Record<string, readonly Gate[]>

export type GatedFeature = keyof typeof gates

/** The input of gates. A feature only requires what its own gates need. */
export interface Circumstances {
  unit: Pick<Unit, 'services' | 'license' | 'swVersion'>
  serverVersion: string
  /** Managed services of the customer that are enabled. */
  services: readonly string[]
  /** Services of the user (EN-UPROP). */
  userServices: readonly string[]
  groupFeatures: Readonly<Record<string, boolean>>
  properties: Readonly<Partial<InventoryProperties>>
}

type Basis = {
  unitLicence: 'unit'
  sla: 'unit'
  unitVersion: 'unit'
  serverVersion: 'serverVersion'
  service: 'services'
  userService: 'userServices'
  groupFeature: 'groupFeatures'
  property: 'properties'
}

/** The values that are needed to judge a feature: a missing one does not compile. */
export type CircumstancesOf<F extends GatedFeature> = Pick<
  Circumstances,
  Basis[(typeof gates)[F][number]['by']]
>

/** Features that depend on the properties of a customer alone (GAP-INV-01). */
export type PropertyFeature = {
  [F in GatedFeature]: (typeof gates)[F][number]['by'] extends 'property' ? F : never
}[GatedFeature]

/** Why the feature is closed, as the text to show; undefined when it is open. */
export function gate<F extends GatedFeature>(feature: F, now: CircumstancesOf<F>): PlainCode | undefined {
  const all = gates[feature] as readonly Gate[]
  return all.find((one) => !isOpen(one, now as unknown as Circumstances))?.reason
}

function isOpen(gate: Gate, now: Circumstances): boolean {
  switch (gate.by) {
    case 'unitLicence':
      return now.unit.services.includes(gate.value) && !(gate.value === 'video' && isEnded(now.unit))
    case 'sla':
      return now.unit.services.includes(SLA)
    case 'unitVersion':
      return isAtLeast(now.unit.swVersion, gate.value)
    case 'serverVersion':
      return isAtLeast(now.serverVersion, gate.value)
    case 'service':
      return now.services.includes(gate.value)
    case 'userService':
      return now.userServices.includes(gate.value)
    case 'groupFeature':
      return now.groupFeatures[gate.value] === true
    case 'property':
      return now.properties[gate.value] === true
  }
}

const isEnded = ({ license }: Circumstances['unit']): boolean => license?.valid === false

/** Why this unit may not transmit the picture that it has now (ER-UNIT-11, -12). */
export const startGate = (unit: Circumstances['unit'] & Pick<Unit, 'camera'>): PlainCode | undefined =>
  gate('video', { unit }) ?? (isFourK(unit.camera) ? gate('fourK', { unit }) : undefined)

/** A picture of this many lines or more is 4K and requires its licence. */
const FOUR_K_LINES = 2160

export const isFourK = (camera: Unit['camera']): boolean =>
  camera?.connected === true && camera.height >= FOUR_K_LINES

/** Why the picture that the unit has now cannot go to the channel: Resolution Conflict (ER-UNIT-10, -11). */
export const resolutionConflict = (
  unit: Circumstances['unit'] & Pick<Unit, 'camera'>,
  channel: { is4K: boolean } | null | undefined,
): PlainCode | undefined =>
  isFourK(unit.camera) ? (channel?.is4K === false ? 'channel.no4k' : gate('fourK', { unit })) : undefined

/** The refusal of a 4K conflict for the tooltip of a channel (ER-TIP-04, -05). */
export function fourKRefusal(...of: Parameters<typeof resolutionConflict>): PlainCode | undefined {
  const conflict = resolutionConflict(...of)
  if (conflict === undefined) return undefined
  return conflict === 'channel.no4k' ? 'channelTip.no4k' : 'channelTip.no4kLicence'
}
