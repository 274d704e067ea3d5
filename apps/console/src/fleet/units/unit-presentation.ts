// Presentation of a unit: word, shape and colour of its status, figures, reasons, commands. The rules
// themselves are the contract's.

import { byUrgency } from '@backhaul/contract/nouns/alerts'
import {
  type ChannelDescriptor,
  channelIsIn,
  displayedChannelName,
  EXTERNAL_CHANNEL,
  lacksSmpte,
} from '@backhaul/contract/nouns/channels'
import type { Command } from '@backhaul/contract/nouns/commands'
import { logRefusal } from '@backhaul/contract/nouns/device-logs'
import { gate, resolutionConflict } from '@backhaul/contract/nouns/gates'
import {
  displayedStatus,
  isBusy,
  isOffline,
  isStreaming,
  type LabelBasis,
  startButton,
  type UnitLabel,
  unitLabel,
} from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import { videoRefusal } from '@backhaul/contract/nouns/working-modes'
import { reasonText } from '../../texts/generic.ts'
import { compareTexts, decimal, delayWords, mbpsText } from '../../ui/locale.ts'
import { type Look, liveLook, presenceLook, previewLook } from '../../ui/StatusGlyph.tsx'

export const nothing = '—'

type Named = Pick<Unit, 'applications' | 'status' | 'transition' | 'selChannel'>

/** Fields from which the label and the start button are derived. */
export function labelBasis(unit: Named): LabelBasis {
  const channel = unit.selChannel
  return {
    applications: unit.applications,
    status: unit.status,
    transition: unit.transition ?? undefined,
    channelIsPreview: channel?.kind === 'PREVIEW_CHANNEL',
    channelPlaysFile: channel?.status === 'PlayStoredFile' || channel?.status === 'playstoredfile',
  }
}

export const labelOf = (unit: Named): UnitLabel => unitLabel(labelBasis(unit))

/** The key of a label's word in the texts of this feature. */
export const labelKeys = {
  ready: 'label.ready',
  live: 'label.live',
  'S&F': 'label.storeAndForward',
  offline: 'label.offline',
  upgrading: 'label.upgrading',
  connecting: 'label.connecting',
  stopping: 'label.stopping',
  'speed test': 'label.speedTest',
  preview: 'label.preview',
  playing: 'label.playing',
  'fetching logs': 'label.fetchingLogs',
  unknown: 'label.unknown',
} as const satisfies Record<UnitLabel, string>

const looks: Readonly<Record<UnitLabel, Look>> = {
  live: liveLook,
  preview: previewLook,
  ready: presenceLook(true),
  'S&F': { shape: 'house', tone: 'store' },
  playing: { shape: 'dashedSquare', tone: 'busy' },
  upgrading: { shape: 'dashedSquare', tone: 'busy' },
  'fetching logs': { shape: 'dashedSquare', tone: 'busy' },
  'speed test': { shape: 'dashedSquare', tone: 'busy' },
  connecting: { shape: 'arc', tone: 'transition' },
  stopping: { shape: 'arc', tone: 'transition' },
  offline: presenceLook(false),
  unknown: { shape: 'questionRing', tone: 'offline' },
}

/** Look of a label alone: for chips and counters. */
export const lookOfLabel = (label: UnitLabel): Look => looks[label]

/** Shape and colour of a unit's status; the finer status only refines the shape of its label. */
export function lookOf(unit: Named): Look {
  const label = labelOf(unit)
  const status = displayedStatus(unit)
  if (label === 'S&F' && status === 'forwarding') return { shape: 'houseFilled', tone: 'store' }
  if (label === 'live' && status === 'streamingandforwarding') return { shape: 'houseDisc', tone: 'live' }
  if (label === 'live' && status === 'transparent_bridge') return { shape: 'dashedSquare', tone: 'busy' }
  return looks[label]
}

const listOrder: readonly UnitLabel[] = [
  'live',
  'preview',
  'connecting',
  'stopping',
  'S&F',
  'playing',
  'speed test',
  'fetching logs',
  'upgrading',
  'ready',
  'unknown',
  'offline',
]

const rank = new Map(listOrder.map((label, index) => [label, index]))

/** All labels in the order of the list: live first, offline last. */
export const labelsInOrder = listOrder

export const byStatus = (a: Named, b: Named): number =>
  (rank.get(labelOf(a)) ?? 0) - (rank.get(labelOf(b)) ?? 0)

export const byName = (a: { name: string }, b: { name: string }): number => compareTexts(a.name, b.name)

/** The list's own order (GAP-UNIT-07). */
export const byStatusThenName = (a: Unit, b: Unit): number => byStatus(a, b) || byName(a, b)

/** Name of the selected channel without its technical suffix, "" when none is selected. */
export const channelName = (unit: Pick<Unit, 'selectedChannelName'>): string =>
  displayedChannelName(unit.selectedChannelName)

/** The selected channel is unknown here, or the licence does not let it be used (ST-CHSEL-05, -06). */
export const isExternal = (unit: Pick<Unit, 'selectedChannelName'>): boolean =>
  unit.selectedChannelName === EXTERNAL_CHANNEL

type Measured = Pick<Unit, 'uplink' | 'applications' | 'status'>

const measured = (unit: Measured) => (isOffline(unit) ? null : unit.uplink)

/** Figures of a unit that does not transmit are not zero, they are absent. */
export function bitrateText(unit: Measured): string {
  const uplink = measured(unit)
  return uplink && isStreaming(unit) ? mbpsText(uplink.kbps) : nothing
}

export function rttText(unit: Measured): string {
  const rttMs = measured(unit)?.rttMs ?? null
  return rttMs === null ? nothing : `${Math.round(rttMs)} ms`
}

export function lossText(unit: Measured): string {
  const uplink = measured(unit)
  return uplink && isStreaming(unit) ? percentText(uplink.lossPercent) : nothing
}

export const percentText = (percent: number): string => `${decimal(percent, 1)}%`

export const delayText = (unit: Pick<Unit, 'delay'>): string => delayWords(unit.delay)

/** The most urgent alert first. */
export const alertsOf = (unit: Pick<Unit, 'alerts'>) => [...unit.alerts].sort(byUrgency)

export function locationText(unit: Pick<Unit, 'location'>): string {
  const { location } = unit
  if (!location) return ''
  return location.address || `${location.lat.toFixed(4)}, ${location.lng.toFixed(4)}`
}

/** "00:14:07", hours without end. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** Key of why the start button cannot be pressed, with the words that fill it; undefined when it can. */
export type StartRefusal =
  | { readonly text: string; readonly isConflict?: true }
  | { readonly key: 'refusal.offline' | 'refusal.busy' | 'refusal.transition' | 'refusal.noChannel' }

export function startRefusal(unit: Unit, mayOperate: boolean): StartRefusal | undefined {
  if (!mayOperate) return { text: reasonText('role.notAllowed') }
  const button = startButton(labelBasis(unit))
  if (button === 'offline') return { key: 'refusal.offline' }
  if (button === 'connecting') return undefined
  if (button === 'disconnecting') return { key: 'refusal.transition' }
  if (button === 'stop') return undefined
  if (isBusy(unit)) return { key: 'refusal.busy' }
  // The channels of several cameras are not the channel that the unit has selected.
  const isSingle = unit.multiCameraSelectedMode === null
  if (isSingle && unit.channelId === null && unit.selectedChannelName === '')
    return { key: 'refusal.noChannel' }
  const closed = gate('video', { unit }) ?? videoRefusal(unit.workingMode)
  if (closed !== undefined) return { text: reasonText(closed) }
  if (isSingle && !isReachable(unit.selChannel, unit.selectedChannelName))
    return { text: reasonText('channel.busyOrOffline') }
  const conflict = resolutionConflict(unit, isSingle ? unit.selChannel : null)
  if (conflict !== undefined) return { text: reasonText(conflict), isConflict: true }
  return isSingle && unit.selChannel && lacksSmpte(unit.selChannel)
    ? { text: reasonText('channel.noSmpte') }
    : undefined
}

function isReachable(channel: ChannelDescriptor | null, name: string): boolean {
  if (channel === null) return name !== EXTERNAL_CHANNEL
  return !channelIsIn(channel.status, 'offline')
}

export const commandKeys = {
  start_streaming: 'command.start',
  stop_streaming: 'command.stop',
  set_virtual_channel: 'command.setChannel',
  virtual_channels_updated: 'command.channelsUpdated',
  set_delay: 'command.setDelay',
  set_enabled_links: 'command.setLinks',
  set_configuration: 'command.configure',
  start_video_return: 'command.startVideoReturn',
  stop_video_return: 'command.stopVideoReturn',
  start_databridge: 'command.startDatabridge',
  stop_databridge: 'command.stopDatabridge',
  connect_ip_pipe: 'command.connectIpPipe',
  disconnect_ip_pipe: 'command.disconnectIpPipe',
  start_intercom: 'command.startIntercom',
  stop_intercom: 'command.stopIntercom',
  start_intercom2: 'command.startIntercom2',
  stop_intercom2: 'command.stopIntercom2',
  speed_test: 'command.speedTest',
  send_logs: 'command.sendLogs',
  stop_logs: 'command.stopLogs',
  wifi_query: 'command.wifiQuery',
  wifi_connect: 'command.wifiConnect',
  wifi_disconnect: 'command.wifiDisconnect',
  network_scan: 'command.networkScan',
  network_select_manual: 'command.networkSelectManual',
  network_select_automatic: 'command.networkSelectAutomatic',
  set_active_sim: 'command.setActiveSim',
  set_modem_configuration: 'command.setModem',
  reboot: 'command.reboot',
  shutdown: 'command.shutdown',
} as const satisfies Record<Command['name'], string>

export const commandStateKeys = {
  queued: 'commandState.queued',
  sent: 'commandState.sent',
  accepted: 'commandState.accepted',
  confirmed: 'commandState.confirmed',
  refused: 'commandState.refused',
  timedOut: 'commandState.timedOut',
  superseded: 'commandState.superseded',
} as const satisfies Record<Command['state'], string>

/** Why neither logs nor a support case of the unit can be sent now (ER-TIP-07); the dialog of each shows further reasons. */
export function logsRefusal(unit: Parameters<typeof logRefusal>[0]): string | undefined {
  const isSending = unit.applications?.fetchlogs !== undefined
  const refusal = isSending ? undefined : logRefusal(unit)
  return refusal === 'deviceLog.onlyIdle' ? reasonText(refusal) : undefined
}
