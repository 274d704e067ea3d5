// What happened to a unit, told to a person: core keeps its history in the words of the wire.
import { AlertType } from '@backhaul/contract/nouns/alerts'
import type { UnitEvent } from '@backhaul/contract/nouns/units'
import type { TFunction } from 'i18next'
import { translated } from '../../texts/generic.ts'
import { commandKeys, commandStateKeys } from './unit-words.ts'

type Words = TFunction<['units', 'alerts', 'upgrades']>

const has = <T extends object>(table: T, key: string | undefined): key is string & keyof T =>
  key !== undefined && Object.hasOwn(table, key)

const withReason = (words: string, reason: string | undefined): string =>
  reason === undefined ? words : `${words} (${translated(reason)})`

/** What a kind of event is made of, and how it is told; what fits none of it stays as it came. */
export function eventWords(t: Words, { kind, text }: Pick<UnitEvent, 'kind' | 'text'>): string {
  return tellers[kind](t, text) ?? translated(text)
}

const tellers: Readonly<Record<UnitEvent['kind'], (t: Words, text: string) => string | undefined>> = {
  command: (t, text) => upgradeWords(t, text) ?? commandWords(t, text),
  status: (t, text) => movedWords(t, text) ?? endedWords(t, text) ?? failedWords(t, text),
  alert: alertWords,
  link: linkWords,
  connection: (t, text) => (has(connections, text) ? t(connections[text]) : undefined),
  settings: settingWords,
}

function commandWords(t: Words, text: string): string | undefined {
  const [, name, by] = /^(\w+) by (.+)$/.exec(text) ?? []
  if (has(commandKeys, name) && by !== undefined)
    return t('events.asked', { what: t(commandKeys[name]), name: by })
  const [, told, state, reason] = /^(\w+) (\w+)(?:: (.+))?$/s.exec(text) ?? []
  if (!has(commandKeys, told) || !has(commandStateKeys, state)) return undefined
  return withReason(`${t(commandKeys[told])}: ${t(commandStateKeys[state])}`, reason)
}

const upgradeStates = {
  pending: 'upgrades:state.pending',
  upgrading: 'upgrades:state.upgrading',
  succeeded: 'upgrades:state.succeeded',
  failed: 'upgrades:state.failed',
  rejected: 'upgrades:state.rejected',
} as const

function upgradeWords(t: Words, text: string): string | undefined {
  const [, version, state, reason] = /^upgrade to (\S+) (\w+)(?:: (.+))?$/s.exec(text) ?? []
  if (!has(upgradeStates, state)) return undefined
  return withReason(t('events.upgrade', { version, state: t(upgradeStates[state]) }), reason)
}

const moves = {
  live: 'events.moved.live',
  offlineToOnline: 'events.moved.online',
  offlineToStreaming: 'events.moved.streaming',
  onlineToStreaming: 'events.moved.streaming',
  streamingToOnline: 'events.moved.stopped',
  onlineToOffline: 'events.moved.offline',
  streamingToOffline: 'events.moved.lost',
  onlineToStoreAndForward: 'events.moved.storing',
  offlineToStoreAndForward: 'events.moved.storing',
  storeAndForwardToOnline: 'events.moved.stored',
  storeAndForwardToOffline: 'events.moved.offline',
  unknown: 'events.moved.other',
} as const

const movedWords = (t: Words, text: string) => (has(moves, text) ? t(moves[text]) : undefined)

const ends = {
  transmission: 'events.ended.transmission',
  'video return': 'events.ended.videoReturn',
  intercom: 'events.ended.intercom',
} as const

function endedWords(t: Words, text: string): string | undefined {
  const [, what, reason] = /^(.+?) ended: (.+)$/s.exec(text) ?? []
  return has(ends, what) ? withReason(t(ends[what]), reason) : undefined
}

function failedWords(t: Words, text: string): string | undefined {
  const [, reason] = /^transmission failed: (.+)$/s.exec(text) ?? []
  return reason === undefined ? undefined : withReason(t('events.failed'), reason)
}

function alertWords(t: Words, text: string): string | undefined {
  const [, name, state] = /^(\w+) (critical|warning|cleared)$/.exec(text) ?? []
  const type = AlertType.safeParse(name)
  if (!type.success) return undefined
  return `${t(`alerts:type.${type.data}`)}: ${t(`events.alert.${state as 'cleared'}`)}`
}

function linkWords(t: Words, text: string): string | undefined {
  const [, link, state] = /^(.+) (up|down)$/.exec(text) ?? []
  return link === undefined ? undefined : t(`events.link.${state as 'up'}`, { link })
}

const connections = { connected: 'events.connected', disconnected: 'events.disconnected' } as const

const settings = {
  name: 'events.changed.name',
  comment: 'events.changed.comment',
  licences: 'events.changed.licences',
  cameras: 'events.changed.cameras',
  extenders: 'events.changed.extenders',
  intercom: 'events.changed.intercom',
  story: 'events.changed.story',
  'databridge gateway': 'events.changed.gateway',
} as const

function settingWords(t: Words, text: string): string | undefined {
  const [, serialNumber, what] = /^link extender (.+) (paired|removed)$/.exec(text) ?? []
  if (serialNumber !== undefined) return t(`events.extender.${what as 'paired'}`, { serialNumber })
  const changed = text.split(', ')
  if (!changed.every((one) => has(settings, one))) return undefined
  return changed.map((one) => t(settings[one as keyof typeof settings])).join(', ')
}
