/** Video return: the picture that a studio sends back to a crew, and the channels that carry it (EN-VRCH, ST-VRST rows). */

import { z } from 'zod'
import { DeviceCause, type PlainCode, rule } from '../define/refusals.ts'
import { type ChannelKind, channelIcon, ReceivedVideo } from './channels.ts'
import { Name } from './names.ts'

/** "Input connected" is reported under the name that channels have for it (GAP-VR-05). */
export const VrStatus = z.enum(['idle', 'videoReturnInputConnected', 'collecting', 'offline', 'connecting'])
export type VrStatus = z.infer<typeof VrStatus>

/** A word that is none of the five counts as offline (ST-VRST-06). */
export const vrStatusOf = (word: string): VrStatus =>
  VrStatus.safeParse(word === 'inputConnected' ? 'videoReturnInputConnected' : word).data ?? 'offline'

/** The phases of a video return at a unit (ST-PHASE-02). */
export const VrPhase = z.enum(['connecting', 'collecting', 'stopping'])
export type VrPhase = z.infer<typeof VrPhase>

/** CO-ADMIN-57. */
export const SDI_INPUTS = 4

export const VrInputId = z.enum(['sdi-1', 'sdi-2', 'sdi-3', 'sdi-4'])
export type VrInputId = z.infer<typeof VrInputId>

/** An input of the server as the server sees it. */
export const VrInput = z.object({
  id: VrInputId,
  connected: z.boolean(),
  standard: z.string().max(32).describe('For example 1080p50; "" without a signal'),
  name: z.string().min(1).max(64).optional().describe('Where it is no SDI socket: a channel, a file'),
})
export type VrInput = z.infer<typeof VrInput>

/** The choice of the input: by the server, in order, or by users for each unit (GAP-VR-06). */
export const FeedSelectionMode = z.enum(['automaticByServer', 'custom'])
export type FeedSelectionMode = z.infer<typeof FeedSelectionMode>

/** VA-STREAM-14. */
export const VrPort = z
  .number(rule('number.required'))
  .int(rule('number.integer'))
  .min(1, rule('number.orMore', { least: 1 }))
  .max(65_535, rule('number.orLess', { most: 65_535 }))

const VrBitrate = z
  .number(rule('number.required'))
  .int(rule('number.integer'))
  .min(500, rule('number.orMore', { least: 500 }))
  .max(10_000, rule('number.orLess', { most: 10_000 }))

/** The channels of returned sound, as far as the input has them; a track for each pair. */
export const vrAudioChannels = [0, 2, 4, 8, 16] as const

/** The settings of a channel in addition to its name; all but the description are sent to the server. */
export const VrSettings = z.strictObject({
  description: z.string().max(255, rule('text.atMost', { most: 255 })),
  inputs: z
    .array(z.strictObject({ id: VrInputId, enabled: z.boolean() }))
    .length(SDI_INPUTS)
    .refine((inputs) => new Set(inputs.map(({ id }) => id)).size === inputs.length, {
      message: rule('field.notUnique'),
    })
    .describe('In the order in which the server takes them'),
  feedSelectionMode: FeedSelectionMode,
  input: VrInputId.nullable().describe('The input while no unit has chosen, when users choose'),
  video: z.strictObject({ codec: z.enum(['H.264', 'H.265']), bitrateKbps: VrBitrate }),
  store: z.boolean().describe('The server records the returned picture'),
  audio: z.strictObject({ channels: z.literal(vrAudioChannels) }),
  destinationPort: VrPort.nullable().describe('Where units fetch the picture; null takes the next free one'),
})
export type VrSettings = z.infer<typeof VrSettings>

/** A new channel: four SDI inputs, H.264, nothing stored, two sound channels (EN-VRCH-12, GAP-VR-02). */
export const defaultVrSettings: VrSettings = {
  description: '',
  inputs: VrInputId.options.map((id) => ({ id, enabled: true })),
  feedSelectionMode: 'automaticByServer',
  input: null,
  video: { codec: 'H.264', bitrateKbps: 4000 },
  store: false,
  audio: { channels: 2 },
  destinationPort: null,
}

/**
 * The present input of a channel: the chosen one where users choose, else the first in order that is enabled and
 * has a signal; undefined when there is no picture.
 */
export function feedOf(
  { inputs, feedSelectionMode, input }: Pick<VrSettings, 'inputs' | 'feedSelectionMode' | 'input'>,
  seen: readonly VrInput[],
  chosen: VrInputId | null = null,
): VrInput | undefined {
  const signals = inputs.flatMap(({ id, enabled }) => {
    const one = enabled ? seen.find((candidate) => candidate.id === id) : undefined
    return one?.connected ? [one] : []
  })
  const wanted = feedSelectionMode === 'custom' ? (chosen ?? input) : null
  return wanted === null ? signals[0] : signals.find(({ id }) => id === wanted)
}

/**
 * The status of a channel as its server reports it: without a picture idle; else by whether a unit may fetch it, and
 * whether that unit does.
 */
export function returnStatus(hasFeed: boolean, hasSession: boolean, isFetched: boolean): VrStatus {
  if (!hasFeed) return 'idle'
  if (!hasSession) return 'videoReturnInputConnected'
  return isFetched ? 'collecting' : 'connecting'
}

/** The ports by slot. Channels without a port of their own take the next free ones, from the first of the server on. */
export function returnPorts(
  channels: readonly {
    slot: string
    videoReturn?: { settings: Pick<VrSettings, 'destinationPort'> } | undefined
  }[],
  firstPort: number,
): Map<string, number> {
  const own = new Map(
    channels.map(({ slot, videoReturn }) => [slot, videoReturn?.settings.destinationPort ?? null]),
  )
  const taken = new Set(own.values())
  let next = firstPort
  return new Map(
    channels.map(({ slot }) => {
      while (taken.has(next)) next++
      return [slot, own.get(slot) ?? next++]
    }),
  )
}

/** The video return that a unit receives. */
export const ReceivedReturn = z.object({
  kbps: z.number().int().min(0),
  delayMs: z.number().int().min(0).describe('How much it buffers now'),
  links: z.number().int().min(0).describe('Links that the server answers on'),
  video: ReceivedVideo.nullable(),
  problem: DeviceCause.nullable().describe('Why no display of the unit shows it; null while one does'),
})
export type ReceivedReturn = z.infer<typeof ReceivedReturn>

/** A video return channel as lists show it. */
export const VideoReturnChannel = z.object({
  uniqueId: z.string(),
  name: z.string(),
  description: z.string(),
  status: VrStatus,
  uptime: z.number().describe('Seconds since its server started; 0 while that is not connected'),
  serialNumber: z.string().describe('That of its server and its number there'),
  inputStandard: z.string().describe('Of its present input; "" without one'),
  inputParameters: z.record(z.string(), z.union([z.string(), z.number()])),
  p2MPStreamingStatuses: z.record(z.string(), VrStatus).describe('By unit'),
  urlData: z.array(z.string()).describe('Addresses at which units fetch the picture'),
  icon: z.string(),
  feedSelectionMode: FeedSelectionMode,
  inputs: z.array(VrInput),
  input: VrInputId.nullable().describe('The present input'),
  serverId: z.string(),
  serverName: z.string(),
  inventoryId: z.string(),
  unitUid: z.string().nullable().describe('The unit that uses it now'),
  unitName: z.string().nullable(),
})
export type VideoReturnChannel = z.infer<typeof VideoReturnChannel>

/** Shape and colour as for every other channel (GAP-CHAN-07). */
export function vrIcon(status: VrStatus): string {
  const kind: ChannelKind = 'OUTPUT_CHANNEL'
  return `${kind}-${channelIcon({ kind, isSharing: false, status }).colour}`
}

/** Why a channel cannot return video to a unit now (ER-UNIT-06, ER-UNIT-23), or undefined when it can. */
export function vrRefusal(
  channel: Pick<VideoReturnChannel, 'status' | 'unitUid'> | undefined,
  unitUid: string,
): PlainCode | undefined {
  if (channel === undefined) return 'videoReturn.noVideo'
  if (channel.status === 'offline') return 'channel.busyOrOffline'
  if (channel.unitUid !== null && channel.unitUid !== unitUid) return 'channel.busyOrOffline'
  return channel.status === 'idle' ? 'videoReturn.noVideo' : undefined
}

/** The selection of a unit; the input only where users choose it. */
export const SelectedVideoReturn = z.object({ channelId: z.string(), input: VrInputId.nullable() })
export type SelectedVideoReturn = z.infer<typeof SelectedVideoReturn>

const SettingsField = VrSettings.shape
const { description, inputs, feedSelectionMode, input, video, store, audio, destinationPort } =
  defaultVrSettings

/** Fields that are not given have the values of a new channel (EN-VRCH-12). */
export const NewVrChannel = z.strictObject({
  name: Name,
  serverId: z.string().min(1).max(64),
  description: SettingsField.description.default(description),
  inputs: SettingsField.inputs.default(inputs),
  feedSelectionMode: SettingsField.feedSelectionMode.default(feedSelectionMode),
  input: SettingsField.input.default(input),
  video: SettingsField.video.default(video),
  store: SettingsField.store.default(store),
  audio: SettingsField.audio.default(audio),
  destinationPort: SettingsField.destinationPort.default(destinationPort),
})
export type NewVrChannel = z.infer<typeof NewVrChannel>

/** Fields that are not given keep their value. */
export const VrChannelChange = z.strictObject({ name: Name, ...SettingsField }).partial()
export type VrChannelChange = z.infer<typeof VrChannelChange>

/** A channel as its administrators see it. */
export const AdministeredVrChannel = VideoReturnChannel.extend({
  settings: VrSettings,
  inventoryName: z.string(),
})
export type AdministeredVrChannel = z.infer<typeof AdministeredVrChannel>

/** The settings of a video return server as a whole. */
export const VrServerConfiguration = z.strictObject({
  firstPort: VrPort.describe('Of the first channel without a port of its own; the next ones follow'),
  latencyMs: z
    .number(rule('number.required'))
    .int(rule('number.integer'))
    .min(20, rule('number.orMore', { least: 20 }))
    .max(8000, rule('number.orLess', { most: 8000 }))
    .describe('How much a unit buffers before it shows the picture'),
  maxReturns: z
    .number(rule('number.required'))
    .int(rule('number.integer'))
    .min(1, rule('number.orMore', { least: 1 }))
    .max(64, rule('number.orLess', { most: 64 }))
    .describe('Units that fetch at the same time'),
})
export type VrServerConfiguration = z.infer<typeof VrServerConfiguration>

/** The settings of a server without any set: enough for repairs over a mobile network. */
export const defaultVrServer: VrServerConfiguration = { firstPort: 24_001, latencyMs: 500, maxReturns: 64 }
