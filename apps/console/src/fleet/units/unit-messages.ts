// Short messages of what units do, as far as a user wants them; a crowd of them becomes one.
import type { AlertSettingName } from '@backhaul/contract/nouns/preferences'
import { uploadStateOf } from '@backhaul/contract/nouns/unit-files'
import { visibleMove } from '@backhaul/contract/nouns/unit-moves'
import type { StatusTransition } from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import i18next from 'i18next'
import { preferences } from '../../session/preferences/preferences.ts'
import { type ToastTone, toast } from '../../ui/toasts.tsx'
import { soundFor } from '../alerts/alerts.ts'

const ofTransition: Readonly<Partial<Record<StatusTransition, AlertSettingName>>> = {
  offlineToOnline: 'offlineToOnline',
  onlineToStreaming: 'startedStreaming',
  offlineToStreaming: 'startedStreaming',
  streamingToOnline: 'streamingToOnline',
  onlineToOffline: 'onlineToOffline',
  streamingToOffline: 'streamingToOffline',
}

type Announced = Pick<Unit, 'applications' | 'status' | 'fileTransfer'>

/**
 * The messages of a change of a unit, by the name of their setting (CO-ALRT-01 to -08). `hasStarted`: the transmission
 * before it was announced as started.
 */
export function messagesOf(before: Announced, after: Announced, hasStarted: boolean): AlertSettingName[] {
  const { move: transition } = visibleMove(before, after, hasStarted)
  const byStatus = transition === undefined ? undefined : ofTransition[transition]
  const [was, is] = [before.fileTransfer?.state, after.fileTransfer?.state]
  const byFile = was === is ? undefined : fileMessage(was, is)
  return [byStatus, byFile].filter((name): name is AlertSettingName => name !== undefined)
}

/** True when no field changed from which messages are made. */
export const isAsAnnounced = (before: Announced, after: Announced): boolean =>
  before.applications === after.applications &&
  before.status === after.status &&
  before.fileTransfer === after.fileTransfer

function fileMessage(was: string | undefined, is: string | undefined): AlertSettingName | undefined {
  // The completion of a file whose start was not seen is ignored (ST-FT-05).
  if (isDone(is)) return was === undefined || isDone(was) ? undefined : 'fileUploadCompleted'
  const began = is !== undefined && (was === undefined || isDone(was))
  return began ? 'fileUploadStarted' : undefined
}

const isDone = (word: string | undefined): boolean => word !== undefined && uploadStateOf(word) === 'success'

const tones: Readonly<Partial<Record<AlertSettingName, ToastTone>>> = {
  startedStreaming: 'good',
  offlineToOnline: 'good',
  fileUploadCompleted: 'good',
  onlineToOffline: 'warning',
  streamingToOffline: 'critical',
}

/** Messages that come together are announced together. */
const gatherMs = 600
const namesShown = 3

const waiting = new Map<AlertSettingName, string[]>()
let timer: ReturnType<typeof setTimeout> | undefined

export function announce(name: AlertSettingName, unitName: string): void {
  if (!preferences.get().unitAlertsSettings[name]) return
  const names = waiting.get(name) ?? []
  waiting.set(name, names)
  names.push(unitName)
  if (timer === undefined) timer = setTimeout(announceAll, gatherMs)
}

function announceAll(): void {
  timer = undefined
  const severities = [...waiting.keys()].map((name) => tones[name])
  soundFor(severities.filter((tone) => tone === 'critical' || tone === 'warning'))
  const t = i18next.getFixedT(null, 'units')
  for (const [name, names] of waiting) {
    const listed = names.slice(0, namesShown).join(', ')
    const rest = names.length - namesShown
    const text = rest > 0 ? t('message.more', { listed, count: rest }) : listed
    toast({ title: t(`message.${name}`, { count: names.length }), text, tone: tones[name] ?? 'info' })
  }
  waiting.clear()
}
