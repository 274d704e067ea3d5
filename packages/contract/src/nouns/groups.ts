/** Groups: the operator's working context (EN-GROUP rows). */
import { z } from 'zod'
import { AlertsConfiguration, AlertsMode, AlertThresholds } from './alert-configuration.ts'
import { AdhocMode } from './invitations.ts'
import { EmailRecipient } from './recipients.ts'
import { KeySchedule } from './registration-keys.ts'
import { UnitSettings } from './unit-settings.ts'

/** The short form for the group switcher (EP-CLIENT-05). */
export const LightGroup = z.object({
  uid: z.string(),
  name: z.string(),
  inventoryId: z.string(),
  inventoryName: z.string(),
})
export type LightGroup = z.infer<typeof LightGroup>

const keptByGroups = UnitSettings.pick({
  workingMode: true,
  videoComplexity: true,
  colorDepth: true,
  adaptiveResolution: true,
  shootingMode: true,
  audioChannels: true,
  audioBitrate: true,
  storeAndForwardQuality: true,
  storeAndForwardEncoder: true,
  filenamePrefix: true,
  ntp: true,
  ancillaryData: true,
  liveuIq: true,
  defaultMetadata: true,
  cameraPriorities: true,
})

/** The settings that "Default configuration" applies to units of a group: unit settings without network data (GAP-GROUP-04). */
export const DefaultConfiguration = z
  .strictObject({
    ...keptByGroups.shape,
    transmissionMode: z.enum(['cellularBonding', 'fixedInternet', 'live', 'storeAndForward']),
    multiCameraMode: z.enum(['highQuality', 'switcher', 'switcherAndProxy']),
  })
  .partial()
export type DefaultConfiguration = z.infer<typeof DefaultConfiguration>

/** The settings of a unit that a group keeps. */
export const defaultsOf = ({ sendMode, ...settings }: UnitSettings): DefaultConfiguration => ({
  ...keptByGroups.parse(settings),
  ...(sendMode && { transmissionMode: sendMode }),
})

export const Group = z.object({
  uid: z.string(),
  name: z.string(),
  inventory: z.string(),
  createdOn: z.string(),
  units: z.array(z.string()),
  channels: z.array(z.string()),
  vrChannels: z.array(z.string()),
  users: z.array(z.string()),
  globalAutoAssociation: z.boolean(),
  unitAutoAssociation: z.boolean(),
  alertThresholds: AlertThresholds,
  emailRecipients: z.array(EmailRecipient),
  adhocInvitation: z.object({ mode: AdhocMode }),
  permanentInvitation: z.object({ regenerate: KeySchedule }),
  defaultConfiguration: DefaultConfiguration.nullable(),
  alertConfiguration: AlertsConfiguration,
  multiChannels: z.array(z.string()),
  alertsMode: AlertsMode,
})
export type Group = z.infer<typeof Group>

/** Names of group features; a missing one is off (EN-RECS-05). */
export const GroupFeatures = z.record(z.string(), z.boolean())

/** A video return channel is a channel of a video return server. */
export const MemberKind = z.enum(['unit', 'channel', 'vrChannel', 'user'])
export type MemberKind = z.infer<typeof MemberKind>

/** A member of a group as lists and pickers show it; `note` is a unit's product, a channel's kind or a user's name. */
export const GroupMember = z.object({
  uid: z.string(),
  name: z.string(),
  note: z.string(),
  isBusy: z.boolean().describe('A unit that transmits, or a channel that is allocated'),
  expiresAt: z.iso
    .datetime()
    .nullable()
    .describe('When the membership of the unit in the requested group expires'),
})
export type GroupMember = z.infer<typeof GroupMember>
