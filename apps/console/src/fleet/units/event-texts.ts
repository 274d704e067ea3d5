// Events of the unit in the user's language, by their codes.
import { because } from '@backhaul/contract/define/refusals'
import type { AlertType } from '@backhaul/contract/nouns/alerts'
import type { CommandName, CommandState } from '@backhaul/contract/nouns/commands'
import { type UnitEvent, type UnitEventCode, unitEventTexts } from '@backhaul/contract/nouns/unit-events'
import type { UnitStatus } from '@backhaul/contract/nouns/unit-status'
import type { TFunction } from 'i18next'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { commandKeys, commandStateKeys } from './unit-presentation.ts'

type Words = TFunction<['units', 'alerts', 'upgrades']>
type Params = NonNullable<UnitEvent['what']>['params']
type Teller = (t: Words, params: Params) => string

/** An event without a code, or with one that is newer than this page, is shown as it came. */
export function eventText(t: Words, { text, what }: Pick<UnitEvent, 'text' | 'what'>): string {
  if (what === undefined || !isKnown(what.code)) return text
  const words = tellers[what.code](t, what.params)
  return what.reason === null ? words : `${words}. ${givenReason(what)}`
}

const isKnown = (code: string): code is UnitEventCode => Object.hasOwn(unitEventTexts, code)

const alert =
  (state: 'critical' | 'warning' | 'cleared'): Teller =>
  (t, { type }) =>
    `${t(`alerts:type.${type as AlertType}`)}: ${t(`events.alert.${state}`)}`

const command =
  (state: CommandState): Teller =>
  (t, { name }) =>
    `${t(commandKeys[name as CommandName])}: ${t(commandStateKeys[state])}`

const upgrade =
  (state: 'pending' | 'upgrading' | 'succeeded' | 'failed' | 'rejected'): Teller =>
  (t, { version }) =>
    t('events.upgrade', { version, state: t(`upgrades:state.${state}`) })

const tellers: Readonly<Record<UnitEventCode, Teller>> = {
  'connection.connected': (t) => t('events.connected'),
  'connection.disconnected': (t) => t('events.disconnected'),
  'connection.twin': (_, { address = '' }) => reasonText(because('device.twin', { address })),
  'link.up': (t, params) => t('events.link.up', params),
  'link.down': (t, params) => t('events.link.down', params),
  'link.overData': (t, params) => t('events.link.overData', params),
  'link.overHours': (t, params) => t('events.link.overHours', params),
  'alert.critical': alert('critical'),
  'alert.warning': alert('warning'),
  'alert.cleared': alert('cleared'),
  'command.requested': (t, { name, by }) =>
    t('events.asked', { what: t(commandKeys[name as CommandName]), name: by }),
  'command.queued': command('queued'),
  'command.sent': command('sent'),
  'command.accepted': command('accepted'),
  'command.confirmed': command('confirmed'),
  'command.refused': command('refused'),
  'command.timedOut': command('timedOut'),
  'command.superseded': command('superseded'),
  'upgrade.pending': upgrade('pending'),
  'upgrade.upgrading': upgrade('upgrading'),
  'upgrade.succeeded': upgrade('succeeded'),
  'upgrade.failed': upgrade('failed'),
  'upgrade.rejected': upgrade('rejected'),
  'status.offlineToOnline': (t) => t('events.moved.online'),
  'status.onlineToStreaming': (t) => t('events.moved.streaming'),
  'status.offlineToStreaming': (t) => t('events.moved.streaming'),
  'status.streamingToOnline': (t) => t('events.moved.stopped'),
  'status.onlineToOffline': (t) => t('events.moved.offline'),
  'status.streamingToOffline': (t) => t('events.moved.lost'),
  'status.onlineToStoreAndForward': (t) => t('events.moved.storing'),
  'status.offlineToStoreAndForward': (t) => t('events.moved.storing'),
  'status.storeAndForwardToOnline': (t) => t('events.moved.stored'),
  'status.storeAndForwardToOffline': (t) => t('events.moved.offline'),
  'status.changed': (t, { status }) => t(`events.status.${status as UnitStatus}`),
  'status.unknown': (t) => t('events.moved.other'),
  'transmission.live': (t) => t('events.moved.live'),
  'transmission.failed': (t) => t('events.failed'),
  'transmission.ended': (t) => t('events.ended.transmission'),
  'transmission.inSoftware': (t, params) => t('events.inSoftware', params),
  'transmission.notMoved': (t) => t('events.notMoved'),
  'databridge.ended': (t) => t('events.ended.databridge'),
  'ipPipe.ended': (t) => t('events.ended.ipPipe'),
  'videoReturn.ended': (t) => t('events.ended.videoReturn'),
  'intercom.ended': (t) => t('events.ended.intercom'),
  'settings.name': (t) => t('events.changed.name'),
  'settings.comment': (t) => t('events.changed.comment'),
  'settings.licences': (t) => t('events.changed.licences'),
  'settings.cameras': (t) => t('events.changed.cameras'),
  'settings.extenders': (t) => t('events.changed.extenders'),
  'settings.intercom': (t) => t('events.changed.intercom'),
  'settings.destination': (t) => t('events.changed.destination'),
  'settings.story': (t) => t('events.changed.story'),
  'settings.gateway': (t) => t('events.changed.gateway'),
  'settings.databridgePorts': (t) => t('events.changed.databridgePorts'),
  'settings.ipPipe': (t) => t('events.changed.ipPipe'),
  'extender.paired': (t, params) => t('events.extender.paired', params),
  'extender.removed': (t, params) => t('events.extender.removed', params),
}
