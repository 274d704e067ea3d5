/** The events of units, by code: the history keeps the code, and each reader has the words for it. */
import { z } from 'zod'
import {
  type Param,
  type Places,
  type Reason,
  ReasonCause,
  type ReasonFields,
  reasonFields,
  type Wording,
} from '../define/refusals.ts'

/** English by code; `{{name}}` is filled from the parameter of that name. */
export const unitEventTexts = {
  'connection.connected': 'connected',
  'connection.disconnected': 'disconnected',
  'connection.twin': 'Another machine at {{address}} uses this identity and was refused',
  'link.up': '{{link}} up',
  'link.down': '{{link}} down',
  'link.overData': '{{link}} has used more than {{limit}} MB since its reset day',
  'link.overHours': '{{link}} was connected for more than {{limit}} h since its reset day',
  'alert.critical': '{{type}} critical',
  'alert.warning': '{{type}} warning',
  'alert.cleared': '{{type}} cleared',
  'command.requested': '{{name}} by {{by}}',
  'command.queued': '{{name}} queued',
  'command.sent': '{{name}} sent',
  'command.accepted': '{{name}} accepted',
  'command.confirmed': '{{name}} confirmed',
  'command.refused': '{{name}} refused',
  'command.timedOut': '{{name}} timedOut',
  'command.superseded': '{{name}} superseded',
  'upgrade.pending': 'upgrade to {{version}} pending',
  'upgrade.upgrading': 'upgrade to {{version}} upgrading',
  'upgrade.succeeded': 'upgrade to {{version}} succeeded',
  'upgrade.failed': 'upgrade to {{version}} failed',
  'upgrade.rejected': 'upgrade to {{version}} rejected',
  'status.offlineToOnline': 'offlineToOnline',
  'status.onlineToStreaming': 'onlineToStreaming',
  'status.offlineToStreaming': 'offlineToStreaming',
  'status.streamingToOnline': 'streamingToOnline',
  'status.onlineToOffline': 'onlineToOffline',
  'status.streamingToOffline': 'streamingToOffline',
  'status.onlineToStoreAndForward': 'onlineToStoreAndForward',
  'status.offlineToStoreAndForward': 'offlineToStoreAndForward',
  'status.storeAndForwardToOnline': 'storeAndForwardToOnline',
  'status.storeAndForwardToOffline': 'storeAndForwardToOffline',
  'status.changed': 'status {{status}}',
  // In the history of earlier versions.
  'status.unknown': 'unknown',
  'transmission.live': 'live',
  'transmission.failed': 'transmission failed',
  'transmission.ended': 'transmission ended',
  'transmission.inSoftware': 'camera {{camera}} encoded in software',
  'transmission.notMoved': 'remains on its channel',
  'videoReturn.ended': 'video return ended',
  'databridge.ended': 'databridge ended',
  'ipPipe.ended': 'IP pipe ended',
  'intercom.ended': 'intercom ended',
  'settings.name': 'name',
  'settings.comment': 'comment',
  'settings.licences': 'licences',
  'settings.cameras': 'cameras',
  'settings.extenders': 'extenders',
  'settings.intercom': 'intercom',
  'settings.story': 'story',
  'settings.destination': 'destination',
  'settings.gateway': 'databridge gateway',
  'settings.databridgePorts': 'databridge ports',
  'settings.ipPipe': 'IP pipe',
  'extender.paired': 'link extender {{serialNumber}} paired',
  'extender.removed': 'link extender {{serialNumber}} removed',
} as const

type Texts = typeof unitEventTexts
export type UnitEventCode = keyof Texts

/** The kind of an event, with its reason where there is one. */
export const UnitEventWhat = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  reason: z.string().nullable(),
  cause: ReasonCause,
})
export interface UnitEventWhat extends ReasonFields {
  readonly code: UnitEventCode
  readonly params: Readonly<Record<string, Param>>
}

export const unitEvent = <C extends UnitEventCode>(
  code: C,
  params: Readonly<Record<Places<Texts[C]>, Param>>,
  why?: Reason | Wording,
): UnitEventWhat => ({ code, params, ...reasonFields(why) })

export const UnitEvent = z.object({
  id: z.string(),
  ts: z.number(),
  kind: z.enum(['status', 'command', 'alert', 'link', 'connection', 'settings']),
  text: z.string().describe('English'),
  severity: z.enum(['info', 'warning', 'critical']),
  what: UnitEventWhat.optional().describe('The same by code; absent for an event of an earlier version'),
})
export type UnitEvent = z.infer<typeof UnitEvent>

export function englishOfEvent({ code, params, reason }: UnitEventWhat): string {
  const text = unitEventTexts[code].replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    String(params[name] ?? whole),
  )
  return reason === null ? text : `${text}: ${reason}`
}
