/** Channels: what receives a unit. Fields, status sets, type derivation, icon, counters (EN-CHAN, ST-CHST, ST-CHSET rows). */

import { z } from 'zod'
import { DeviceCause, type PlainCode, ReasonCause } from '../define/refusals.ts'
import { InputSource } from './input-sources.ts'
import { OutputStatus } from './output-states.ts'
import { OverlayRef } from './overlays.ts'
import { BoxState, serverTypeOf } from './servers.ts'
import { isAtLeast } from './versions.ts'

export const ChannelStatus = z.enum([
  'offline',
  'idle',
  'collecting',
  'online',
  'PlayStoredFile',
  'playstoredfile',
  'unavailable',
  'connecting',
  'upgrading',
  'videoReturnInputConnected',
  'forwarding',
])
export type ChannelStatus = z.infer<typeof ChannelStatus>

const statusSets = {
  offline: ['offline', 'unavailable'],
  onlineish: ['online', 'idle', 'forwarding'],
  busy: ['collecting', 'PlayStoredFile', 'playstoredfile', 'videoReturnInputConnected', 'upgrading'],
  idleLike: ['idle', 'connecting'],
  collecting: ['collecting'],
} as const satisfies Record<string, readonly ChannelStatus[]>

/** ST-CHSET rows; a status may belong to several sets (GAP-CHAN-03). */
export const channelIsIn = (status: ChannelStatus, set: keyof typeof statusSets): boolean =>
  (statusSets[set] as readonly ChannelStatus[]).includes(status)

/** The state that counters add a channel to: the offline set, the busy set, everything else idle (GAP-CHAN-03). */
export function countedChannelState(status: ChannelStatus): 'offline' | 'idle' | 'busy' {
  if (channelIsIn(status, 'offline')) return 'offline'
  return channelIsIn(status, 'busy') ? 'busy' : 'idle'
}

/** Idle if any member is idle, else collecting if any is collecting, else offline (ST-CHGRP rows). */
export function channelGroupStatus(members: readonly ChannelStatus[]): 'idle' | 'collecting' | 'offline' {
  if (members.includes('idle')) return 'idle'
  return members.includes('collecting') ? 'collecting' : 'offline'
}

export const ChannelKind = z.enum([
  'PREVIEW_CHANNEL',
  'OUTPUT_CHANNEL',
  'DISTRIBUTOR_CHANNEL',
  'GROUP_CHANNEL',
  'INPUT_CHANNEL',
])
export type ChannelKind = z.infer<typeof ChannelKind>

export const InputType = z.enum(['srt', 'rist', 'rtmp', 'webrtc', 'sdi'])
export type InputType = z.infer<typeof InputType>

/** The kinds of input that standard encoders send to, with a key. */
export const encoderInputs = ['srt', 'rist', 'rtmp', 'webrtc'] as const

/** The secret of a standard encoder: an SRT or RIST passphrase, an RTMP stream key or a WHIP token. Letters and digits are valid in all. */
export const InputKey = z.string().regex(/^[a-z0-9]{16,64}$/)

/** Why a sender gives an input channel no picture: its key is wrong, the server cannot read its codec, it is connected and sends nothing, or none of its sources gives a stream. */
export const InputProblem = z.enum(['wrongKey', 'codec', 'silent', 'noSource'])
export type InputProblem = z.infer<typeof InputProblem>

/** Why the source that was tried last failed, where none gives a picture. */
export const InputFailure = z.object({
  sourceId: z.string().max(64),
  reason: z.string().max(200).describe('Without secrets'),
  cause: DeviceCause.optional().describe('The code of the reason'),
})
export type InputFailure = z.infer<typeof InputFailure>

/** Shown for an input channel (EN-CHD-12; RIST is an addition). */
export const inputTypeWord: Readonly<Record<InputType, string>> = {
  srt: 'INPUT_SRT',
  rist: 'INPUT_RIST',
  rtmp: 'INPUT_RTMP',
  webrtc: 'INPUT_WEBRTC',
  sdi: 'INPUT_ENCODER',
}

export type ChannelFeatures = {
  readonly inputType?: InputType | null | undefined
  readonly sdi: boolean
  readonly output: boolean
  readonly forwardRtmp: boolean
  readonly ndi: boolean
  readonly forceOutput: boolean
  readonly smpte: boolean
  readonly distributor: boolean
  /** Made of other channels. */
  readonly group?: boolean
}

/** Stored and derived type in one rule, in the order of GAP-CHAN-01: input, output, preview, then the distributor override. */
export function channelKind(features: ChannelFeatures): ChannelKind {
  if (features.group) return 'GROUP_CHANNEL'
  if (features.distributor) return 'DISTRIBUTOR_CHANNEL'
  if (features.inputType || (features.sdi && !features.output)) return 'INPUT_CHANNEL'
  const isOutput =
    features.output ||
    features.forwardRtmp ||
    features.ndi ||
    features.sdi ||
    features.forceOutput ||
    features.smpte
  return isOutput ? 'OUTPUT_CHANNEL' : 'PREVIEW_CHANNEL'
}

/** Kind, sharing mark and status colour: the icon is made of these three parts (GAP-CHAN-07). */
export type ChannelIcon = { kind: ChannelKind; sharing: boolean; colour: 'green' | 'amber' | 'blue' | 'grey' }

export function channelIcon(channel: {
  kind: ChannelKind
  isSharing: boolean
  status: ChannelStatus
}): ChannelIcon {
  const colour = channelIsIn(channel.status, 'offline')
    ? 'grey'
    : channelIsIn(channel.status, 'collecting')
      ? 'green'
      : channelIsIn(channel.status, 'busy')
        ? 'amber'
        : 'blue'
  return { kind: channel.kind, sharing: channel.isSharing, colour }
}

const hiddenSuffix = /_(VideoReturn)?Instance$/

/** A channel's name without its technical suffix (EN-CHD-15, -16). */
export const displayedChannelName = (name: string): string => name.replace(hiddenSuffix, '')

/** Names that start so are handled as point-to-multipoint (CO-UNIT-58). */
export const isMultipointName = (name: string): boolean => name.startsWith('Boss150')

/** Shown when the selected channel is unknown or the licence is invalid (ST-CHSEL-05, -06). */
export const EXTERNAL_CHANNEL = 'External'

/** Peak and RMS of one audio channel over the last interval, in dBFS; -100 is silence. */
export const AudioLevel = z.object({ peakDb: z.number(), rmsDb: z.number() })
export type AudioLevel = z.infer<typeof AudioLevel>

/** The faults that the server detects in the received picture and sound. Content is judged separately from transport. */
export const PictureHealth = z.object({
  black: z.boolean(),
  frozen: z.boolean(),
  silent: z.boolean(),
})
export type PictureHealth = z.infer<typeof PictureHealth>

export const ReceivedVideo = z.object({
  codec: z.string().max(32),
  width: z.number().int(),
  height: z.number().int(),
  fps: z.number(),
})
export type ReceivedVideo = z.infer<typeof ReceivedVideo>

/** The stream that a channel receives; null without one. */
export const Reception = z.object({
  kbps: z.number(),
  continuityErrors: z.number().int().describe('Since the transmission began; lost after repair'),
  recovered: z.number().int().default(0).describe('Repaired packets'),
  uncorrected: z.number().int().default(0),
  bufferMs: z.number().default(0),
  video: ReceivedVideo.nullable().default(null),
  since: z.number(),
  source: z.enum(['bonded', ...encoderInputs, 'file']).default('bonded'),
})
export type Reception = z.infer<typeof Reception>

export const Tally = z.object({ onAir: z.boolean(), supportedByUnit: z.boolean() })

/** The settings of a channel and what belongs to it (EN-CHAN-10 to -21, -29, -30, -38 to -49). */
export const ChannelDetails = z.object({
  bandwidthLimit: z.number().int().describe('kbps; 0 is no limit'),
  ffmpegSettings: z.record(z.string(), z.string()),
  ffmpegOverride: z.boolean(),
  multipointDistributor: z.boolean().describe('Its server sends what it receives to multipoint machines'),
  cloudRegion: z.string().nullable().describe('The location of its server as set by the owner'),
  privateSession: z.boolean(),
  cdnName: z.string().nullable(),
  broadcasterName: z.string().nullable(),
  overlay: OverlayRef.nullable(),
  capabilities: z.record(z.string(), z.boolean()),
  flavor: z.string().nullable().describe('SMPTE 2110 flavour'),
  protocol: z.string().nullable().describe('Input protocol'),
  tallyHwStatus: BoxState.describe('Of its server'),
  audioHwStatus: BoxState.describe('Of its server'),
  fileTransfer: z
    .object({ name: z.string(), state: z.string() })
    .nullable()
    .describe('A file of a unit that its server receives for the channel now'),
  smpteMetadata: z.object({ isConfigured: z.boolean(), lastUpdate: z.string().nullable() }),
  inputSources: z.array(InputSource).describe('Tried in their order'),
  feedFrom: z
    .object({ channelId: z.string(), channelName: z.string(), serverName: z.string() })
    .nullable()
    .describe('The channel, of any server, whose picture a feed of a transceiver takes'),
  feedStopped: z
    .boolean()
    .describe('It takes nothing, from that channel or from its sources, until it is started'),
  streamingDestinations: z.array(
    z.object({
      id: z.string(),
      protocol: z.string(),
      url: z
        .string()
        .describe('Without keys and passwords; … replaces parts that only administrators may read'),
    }),
  ),
  rtmpOutputUrls: z.array(z.string()).describe('Shortened in the same way'),
  ingestAssociation: z.object({ serverId: z.string(), serverName: z.string() }).nullable(),
  multipointMachines: z.array(z.object({ uid: z.string() })),
})
export type ChannelDetails = z.infer<typeof ChannelDetails>

/** The details of a channel without settings. */
export const noChannelDetails: ChannelDetails = {
  bandwidthLimit: 0,
  ffmpegSettings: {},
  ffmpegOverride: false,
  multipointDistributor: false,
  cloudRegion: null,
  privateSession: false,
  cdnName: null,
  broadcasterName: null,
  overlay: null,
  capabilities: {},
  flavor: null,
  protocol: null,
  tallyHwStatus: '',
  audioHwStatus: '',
  fileTransfer: null,
  smpteMetadata: { isConfigured: false, lastUpdate: null },
  inputSources: [],
  feedFrom: null,
  feedStopped: false,
  streamingDestinations: [],
  rtmpOutputUrls: [],
  ingestAssociation: null,
  multipointMachines: [],
}

/** A channel as lists and the push topic show it. */
export const Channel = ChannelDetails.extend({
  uniqueId: z.string(),
  channelId: z.string().describe('The same value as uniqueId'),
  name: z.string(),
  type: ChannelKind,
  kind: ChannelKind,
  inputType: InputType.nullable(),
  status: ChannelStatus,
  mode: z.enum(['CDN', 'SDI', 'sharing', 'preview', 'SMPTE']),
  port: z.number().int().nullable(),
  serverId: z.string(),
  serverName: z.string(),
  serverProductType: z.string(),
  inventoryId: z.string(),
  liveuVersion: z.string(),
  recording: z.boolean().describe('A file is being written'),
  recordingWanted: z
    .boolean()
    .describe('Users have started its recording, which begins with the next picture'),
  recordingFailure: z
    .object({ reason: z.string(), cause: ReasonCause })
    .nullable()
    .describe('Why its server does not record it now'),
  playing: z.array(z.string()).describe('Ids of files: the first is played out, the others wait'),
  tally: Tally,
  tallyName: z.string().nullable(),
  tallyByHand: z.boolean().describe('Users have switched it on, regardless of the vision mixer'),
  ifb: z.string().nullable(),
  NDI: z.boolean(),
  forceOutput: z.boolean(),
  forwardRtmp: z.boolean(),
  webrtc: z.boolean(),
  sdiNo: z.number().int().nullable(),
  smpte: z.boolean().describe('Its server has SMPTE 2110 outputs'),
  is4K: z.boolean(),
  sharing: z.boolean(),
  distributor: z.boolean(),
  studio: z.boolean(),
  hasCdn: z.boolean(),
  allocatedTo: z.string().nullable().describe('Name of the holder of the channel'),
  allocatedToByApp: z.string().nullable(),
  allocatedToUnitAlias: z.string().nullable(),
  allocatedToUnitUid: z.string().nullable(),
  reception: Reception.nullable(),
  health: PictureHealth.nullable(),
  outputs: z.array(OutputStatus).max(16).describe('The states of its destinations while there is a picture'),
  levels: z.array(AudioLevel).max(16).describe('One per audio channel; empty when there is no sound'),
  inputAddress: z
    .string()
    .nullable()
    .describe('Where a standard encoder sends to, for input channels, for example srt://host:port'),
  inputProblem: InputProblem.nullable().describe('Why a sender gives an input channel no picture'),
  inputFailure: InputFailure.nullable().describe('Why its sources give none'),
  rev: z.string().describe('Revision token for subscribing to channel.{uid}'),
})
export type Channel = z.infer<typeof Channel>

/** The short form that a unit carries of its selected channel (EN-CHD rows). */
export const ChannelDescriptor = z.object({
  uniqueId: z.string(),
  name: z.string(),
  status: ChannelStatus,
  kind: ChannelKind,
  inputType: InputType.nullable(),
  icon: z.string(),
  isSharing: z.boolean(),
  hasSmpte: z.boolean().describe('Its server has SMPTE 2110 outputs'),
  hasCdn: z.boolean(),
  hasSdi: z.boolean(),
  isOutput: z.boolean(),
  isStudio: z.boolean(),
  isInput: z.boolean(),
  isDistributor: z.boolean(),
  smpte2110: z.boolean().describe('It has a SMPTE 2110 output'),
  is4K: z.boolean(),
})
export type ChannelDescriptor = z.infer<typeof ChannelDescriptor>

/** The descriptor of a channel, derived in one place. */
export function describeChannel(channel: Channel): ChannelDescriptor {
  const icon = channelIcon({ kind: channel.kind, isSharing: channel.sharing, status: channel.status })
  return {
    uniqueId: channel.uniqueId,
    name: channel.name,
    status: channel.status,
    kind: channel.kind,
    inputType: channel.inputType,
    icon: `${icon.kind}-${icon.sharing ? 'sharing-' : ''}${icon.colour}`,
    isSharing: channel.sharing,
    hasSmpte: channel.smpte,
    hasCdn: channel.hasCdn,
    hasSdi: channel.sdiNo !== null,
    isOutput: channel.kind === 'OUTPUT_CHANNEL',
    isStudio: channel.studio,
    isInput: channel.kind === 'INPUT_CHANNEL',
    isDistributor: channel.distributor,
    smpte2110: channel.smpte && channel.smpteMetadata.isConfigured,
    is4K: channel.is4K,
  }
}

export const ChannelCounters = z.object({
  busy: z.number().int(),
  idle: z.number().int(),
  offline: z.number().int(),
  sdi: z.number().int(),
  smpte: z.number().int(),
  cdn: z.number().int(),
  preview: z.number().int(),
  studio: z.number().int(),
  share: z.number().int(),
  distributor: z.number().int(),
  output: z.number().int(),
  input: z.number().int(),
})
export type ChannelCounters = z.infer<typeof ChannelCounters>

/** Counts a group's channels (EN-CHCNT rows). A multi-camera channel is counted by its members. */
export function countChannels(channels: Iterable<Channel>): ChannelCounters {
  const counters = {
    busy: 0,
    idle: 0,
    offline: 0,
    sdi: 0,
    smpte: 0,
    cdn: 0,
    preview: 0,
    studio: 0,
    share: 0,
    distributor: 0,
    output: 0,
    input: 0,
  }
  for (const channel of channels) {
    if (channel.kind === 'GROUP_CHANNEL') continue
    counters[countedChannelState(channel.status)]++
    if (channel.sdiNo !== null) counters.sdi++
    if (channel.smpte) counters.smpte++
    if (channel.hasCdn) counters.cdn++
    if (channel.kind === 'PREVIEW_CHANNEL') counters.preview++
    if (channel.studio) counters.studio++
    if (channel.sharing) counters.share++
    if (channel.distributor) counters.distributor++
    if (channel.kind === 'OUTPUT_CHANNEL') counters.output++
    if (channel.kind === 'INPUT_CHANNEL') counters.input++
  }
  return counters
}

/** A multi-camera channel of a group (EN-MCCH rows); its status is aggregated from its members. */
export const MultiCameraChannel = z.object({
  uniqueId: z.string(),
  name: z.string(),
  sdi: z.boolean(),
  channels: z.array(z.object({ uniqueId: z.string(), status: ChannelStatus })),
  status: z.enum(['idle', 'collecting', 'offline']),
  collecting: z.number().int().describe('How many members collect'),
  busy: z.boolean(),
})
export type MultiCameraChannel = z.infer<typeof MultiCameraChannel>

/** Why a unit cannot use a channel now, the text of the tooltip (ER-TIP-01 to -03), or undefined when it can. */
export function channelRefusal(channel: Channel | undefined, unitUid: string): PlainCode | undefined {
  if (channel === undefined) return 'channelTip.external'
  if (channelIsIn(channel.status, 'offline')) return 'channelTip.offline'
  if (channel.allocatedToUnitUid !== null && channel.allocatedToUnitUid !== unitUid) return 'channelTip.busy'
  if (channel.allocatedToUnitUid === null && channelIsIn(channel.status, 'busy')) return 'channelTip.busy'
  if (channel.feedFrom !== null) return 'channelTip.busy'
  return receivesUnits(channel) ? undefined : 'p2p.cannotReceive'
}

/** Whether the channel is for units: not for an encoder, no group of channels, and none that sends to units. */
export const receivesUnits = ({
  kind,
  serverProductType,
}: Pick<Channel, 'kind' | 'serverProductType'>): boolean =>
  kind !== 'INPUT_CHANNEL' && kind !== 'GROUP_CHANNEL' && serverTypeOf(serverProductType) !== 'vr_server'

/** During a private session only administrators of the channel see its picture and send units to it (GAP-CHAN-09). */
export const sessionRefusal = (
  { privateSession }: Pick<Channel, 'privateSession'>,
  mayAdminister: boolean,
): PlainCode | undefined => (privateSession && !mayAdminister ? 'channelTip.private' : undefined)

/**
 * A unit sends only to a server that is not older than its own software; checked when its channel is chosen, and again at
 * the start (VA-UNIT-37, GAP-STRM-01).
 */
export const versionRefusal = (
  { liveuVersion }: Pick<Channel, 'liveuVersion'>,
  { swVersion }: { readonly swVersion: string },
): PlainCode | undefined => (isAtLeast(liveuVersion, swVersion) ? undefined : 'channelTip.versionTooLow')

/** Its server has SMPTE 2110 outputs, but the channel has no addresses for them. */
export const lacksSmpte = ({ hasSmpte, smpte2110 }: Pick<ChannelDescriptor, 'hasSmpte' | 'smpte2110'>) =>
  hasSmpte && !smpte2110

/** The refusal of SMPTE for the tooltip of a channel (ER-TIP-08). */
export const smpteRefusal = (channel: Channel): PlainCode | undefined =>
  lacksSmpte(describeChannel(channel)) ? 'channelTip.noSmpte' : undefined
