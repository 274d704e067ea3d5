// The fields of a channel, derived from its row, its server and the server's report. Pure.
import type { ChannelTelemetry, ServerActual } from '@backhaul/contract/gateway/servers'
import {
  type Channel,
  type ChannelDetails,
  type ChannelFeatures,
  channelGroupStatus,
  channelIsIn,
  channelKind,
  type MultiCameraChannel,
  noChannelDetails,
  type Reception,
} from '@backhaul/contract/nouns/channels'
import { shownAddress } from '@backhaul/contract/nouns/destinations'
import type { ServerCapabilities } from '@backhaul/contract/nouns/servers'
import type { ChannelFacts } from './channel-table.ts'

export type LiveChannel = Omit<Channel, 'rev'>

/** The inputs of a channel's fields in addition to its own row. */
export interface ChannelBasis {
  server: { id: string; name: string; productType: string; swVersion: string; isThere: boolean }
  /** Undefined until the server has reported it. */
  capabilities: ServerCapabilities | undefined
  /** Whether the SMPTE 2110 networks of the server are configured. */
  hasSmpte: boolean
  /** Whether browsers get pictures of the server. */
  showsPictures: boolean
  /** The location of the server as set by its owner. */
  region: string | null
  boxes: ServerActual['boxes']
  /** False when the server no longer offers the channel. */
  isOffered: boolean
  /** Name of the unit that holds the channel. */
  unitName: string | null
  telemetry: ChannelTelemetry | undefined
  port: number | null
  inputAddress: string | null
  /** The channel whose picture it takes; null where that is none, or gone. */
  feedFrom: Channel['feedFrom']
  /** Statuses of the members of a multi-camera channel. */
  members: readonly Channel['status'][] | undefined
}

export function featuresOf({ inputType, settings }: ChannelFacts): ChannelFeatures {
  return {
    inputType,
    sdi: settings.sdi === true,
    output: settings.output === true || settings.outputs.length > 0,
    forwardRtmp: forwardsRtmp(settings),
    ndi: false,
    forceOutput: settings.forceOutput === true,
    smpte: Boolean(settings.smpte),
    distributor: isDistributor(settings),
    group: settings.members !== undefined,
  }
}

/** Its stream goes to a platform. */
const forwardsRtmp = ({ outputs }: ChannelFacts['settings']): boolean =>
  outputs.some(({ protocol }) => protocol === 'rtmp')

/** Its server sends what it receives to point-to-multipoint machines. */
const isDistributor = ({ copies = [] }: ChannelFacts['settings']): boolean => copies.length > 0

/**
 * The status by the server, or by the members of a multi-camera channel; offline without a server, unavailable when
 * the server no longer offers the channel.
 */
function statusOf({ server, isOffered, telemetry, members }: ChannelBasis): Channel['status'] {
  if (!server.isThere) return 'offline'
  if (!isOffered) return 'unavailable'
  if (members) return channelGroupStatus(members)
  return telemetry?.status ?? 'idle'
}

export function channelFields(facts: ChannelFacts, basis: ChannelBasis): Partial<LiveChannel> {
  const { settings } = facts
  const kind = channelKind(featuresOf(facts))
  const hasCdn = forwardsRtmp(settings)
  return {
    name: facts.name,
    type: kind,
    kind,
    inputType: facts.inputType,
    mode: isSmpte(facts, basis) ? 'SMPTE' : modeOf(facts, hasCdn),
    port: basis.port,
    serverName: basis.server.name,
    serverProductType: basis.server.productType,
    liveuVersion: basis.server.swVersion,
    NDI: false,
    recordingWanted: settings.recording,
    forceOutput: settings.forceOutput === true,
    forwardRtmp: forwardsRtmp(settings),
    sdiNo: settings.sdiNo ?? null,
    smpte: isSmpte(facts, basis),
    is4K: basis.capabilities?.fourK === true,
    distributor: isDistributor(settings),
    studio: settings.studio === true,
    hasCdn,
    inputAddress: basis.inputAddress,
    ...detailsOf(facts),
    feedFrom: basis.feedFrom,
    cloudRegion: basis.region,
    tallyHwStatus: basis.boxes?.tally ?? '',
    audioHwStatus: basis.boxes?.audio ?? '',
    capabilities: {
      overlay: basis.capabilities?.overlays === true && !settings.members,
      fourK: basis.capabilities?.fourK === true,
      smpte2110: canPutOutSmpte(facts, basis),
      sources: facts.inputType !== null && (basis.capabilities?.sources ?? []).length > 0,
    },
    ...allocationFields(facts, basis.unitName),
    ...telemetryFields(basis),
  }
}

/** Later features provide these: they are not reset with the others. */
type ProvidedDetails = 'ingestAssociation' | 'fileTransfer'
const { ingestAssociation: _ingest, fileTransfer: _transfer, ...noSettings } = noChannelDetails

/** The settings of the channel. */
function detailsOf({ inputType, settings }: ChannelFacts): Omit<ChannelDetails, ProvidedDetails> {
  return {
    ...noSettings,
    protocol: inputType,
    overlay: overlayOf(settings),
    multipointDistributor: isDistributor(settings),
    feedStopped: settings.feedStopped === true,
    inputSources: (settings.sources ?? []).map((one) => ({ ...one, url: shownAddress(one.url) })),
    multipointMachines: (settings.copies ?? []).map(({ channelId }) => ({ uid: channelId })),
    flavor: settings.smpte?.configuration.flavor ?? null,
    smpteMetadata: { isConfigured: Boolean(settings.smpte), lastUpdate: settings.smpte?.lastUpdate ?? null },
    ...settings.details,
    ...shownDestinations(settings.details),
  }
}

/** Also of addresses that were stored before they were shortened. */
function shownDestinations({
  streamingDestinations,
  rtmpOutputUrls,
}: ChannelFacts['settings']['details'] = {}): Partial<ChannelDetails> {
  return {
    ...(streamingDestinations && {
      streamingDestinations: streamingDestinations.map((one) => ({ ...one, url: shownAddress(one.url) })),
    }),
    ...(rtmpOutputUrls && { rtmpOutputUrls: rtmpOutputUrls.map(shownAddress) }),
  }
}

function overlayOf({ overlay }: ChannelFacts['settings']): ChannelDetails['overlay'] {
  return overlay ? { id: overlay.id, name: overlay.name, place: overlay.place } : null
}

/** Input channels have no output, and those of several cameras have it by their members. */
const canPutOutSmpte = ({ inputType, settings }: ChannelFacts, { capabilities }: ChannelBasis): boolean =>
  capabilities?.smpte2110 === true && inputType === null && !settings.members

/** A server with SMPTE 2110 networks sends there what would else go by SDI. */
const isSmpte = (facts: ChannelFacts, basis: ChannelBasis): boolean =>
  basis.hasSmpte &&
  canPutOutSmpte(facts, basis) &&
  (facts.settings.sdi === true || Boolean(facts.settings.smpte))

function modeOf({ settings }: ChannelFacts, hasCdn: boolean): Channel['mode'] {
  if (settings.sdi) return 'SDI'
  return hasCdn ? 'CDN' : 'preview'
}

export function allocationFields(
  { allocatedUnitId }: ChannelFacts,
  unitName: string | null,
): Pick<LiveChannel, 'allocatedTo' | 'allocatedToByApp' | 'allocatedToUnitAlias' | 'allocatedToUnitUid'> {
  const isHeld = allocatedUnitId !== null
  return {
    allocatedTo: isHeld ? (unitName ?? allocatedUnitId) : null,
    allocatedToByApp: isHeld ? 'console' : null,
    allocatedToUnitAlias: isHeld ? unitName : null,
    allocatedToUnitUid: allocatedUnitId,
  }
}

type InputFault = 'inputProblem' | 'inputFailure'

export function telemetryFields(
  basis: ChannelBasis,
): Pick<
  LiveChannel,
  'webrtc' | 'status' | 'recording' | 'recordingFailure' | 'playing' | 'health' | 'outputs' | InputFault
> &
  Partial<Pick<LiveChannel, 'levels'>> {
  const status = statusOf(basis)
  const receives = channelIsIn(status, 'collecting') && basis.members === undefined
  return {
    status,
    // Some servers have another one show it.
    webrtc: basis.showsPictures || typeof basis.telemetry?.previewOf === 'string',
    recording: (receives && basis.telemetry?.recording) ?? false,
    recordingFailure: receives ? recordingFailureOf(basis.telemetry) : null,
    playing: channelIsIn(status, 'offline') ? [] : (basis.telemetry?.playing ?? []),
    health: receives ? (basis.telemetry?.health ?? null) : null,
    outputs: channelIsIn(status, 'offline') ? [] : (basis.telemetry?.outputs ?? []),
    inputProblem: channelIsIn(status, 'offline') ? null : (basis.telemetry?.inputProblem ?? null),
    inputFailure: channelIsIn(status, 'offline') ? null : (basis.telemetry?.inputFailure ?? null),
    ...(!receives && { levels: [] }),
  }
}

function recordingFailureOf(telemetry: ChannelBasis['telemetry']): LiveChannel['recordingFailure'] {
  const failure = telemetry?.failures?.find(({ type }) => type === 'recordingFailed')
  return failure ? { reason: failure.reason, cause: failure.cause } : null
}

/** The present reception; null while nothing is received. `since` is when it began. */
export function receptionOf(telemetry: ChannelTelemetry, since: number): Reception | null {
  if (telemetry.status !== 'collecting') return null
  const { kbps, continuityErrors, recovered, uncorrected, bufferMs, video, source } = telemetry
  return { kbps, continuityErrors, recovered, uncorrected, bufferMs, video, since, source }
}

/** The properties of a channel that units, and channels of several cameras, depend on, as one word. */
export const knownElsewhere = (channel: LiveChannel): string => {
  const { status, tally, allocatedToUnitUid, is4K, smpte, smpteMetadata, sharing } = channel
  const { name, feedFrom, feedStopped } = channel
  const feed = [name, feedFrom?.channelId, feedStopped]
  return [
    status,
    tally.onAir,
    allocatedToUnitUid,
    is4K,
    smpte,
    smpteMetadata.isConfigured,
    sharing,
    feed,
  ].join()
}

/** A channel of several cameras, from its members. */
export function multiCameraOf(
  { id, name, settings }: ChannelFacts,
  members: readonly Readonly<LiveChannel>[],
): MultiCameraChannel {
  const statuses = members.map(({ status }) => status)
  return {
    uniqueId: id,
    name,
    sdi: settings.sdi === true,
    channels: members.map(({ uniqueId, status }) => ({ uniqueId, status })),
    status: channelGroupStatus(statuses),
    collecting: statuses.filter((status) => status === 'collecting').length,
    busy: members.some(({ allocatedToUnitUid }) => allocatedToUnitUid !== null),
  }
}

export function emptyChannel(facts: ChannelFacts): LiveChannel {
  return {
    ...noChannelDetails,
    uniqueId: facts.id,
    channelId: facts.id,
    name: facts.name,
    type: 'PREVIEW_CHANNEL',
    kind: 'PREVIEW_CHANNEL',
    inputType: facts.inputType,
    status: 'offline',
    mode: 'preview',
    port: null,
    serverId: facts.serverId,
    serverName: '',
    serverProductType: '',
    inventoryId: facts.inventoryId,
    liveuVersion: '',
    recording: false,
    recordingWanted: false,
    recordingFailure: null,
    playing: [],
    tally: { onAir: false, supportedByUnit: false },
    tallyName: null,
    tallyByHand: false,
    ifb: null,
    NDI: false,
    forceOutput: false,
    forwardRtmp: false,
    webrtc: false,
    sdiNo: null,
    smpte: false,
    is4K: false,
    sharing: false,
    distributor: false,
    studio: false,
    hasCdn: false,
    allocatedTo: null,
    allocatedToByApp: null,
    allocatedToUnitAlias: null,
    allocatedToUnitUid: null,
    reception: null,
    health: null,
    outputs: [],
    levels: [],
    inputAddress: null,
    inputProblem: null,
    inputFailure: null,
  }
}
