// The state of a command as a table: from which state which event leads where. Pure.
import type { Wording } from '@backhaul/contract/define/refusals'
import type { Order } from '@backhaul/contract/gateway/gateway'
import type { UnitActual } from '@backhaul/contract/gateway/units'
import { type Command, type CommandName, type CommandState, isFinal } from '@backhaul/contract/nouns/commands'
import { type UnitSettings, unconfirmedOf } from '@backhaul/contract/nouns/unit-settings'
import { activeVideoState, isStreaming, type StatusBasis } from '@backhaul/contract/nouns/unit-status'

/** The events of a command. The states are those of the contract. */
export type CommandEvent = 'sent' | 'accepted' | 'confirmed' | 'refused' | 'deadline' | 'superseded'

const leadsTo: Readonly<Record<CommandEvent, CommandState>> = {
  sent: 'sent',
  accepted: 'accepted',
  confirmed: 'confirmed',
  refused: 'refused',
  deadline: 'timedOut',
  superseded: 'superseded',
}

const progress: readonly CommandState[] = ['queued', 'sent', 'accepted']

/** The next state, or undefined when the event changes nothing: a final state is kept, and no state is entered again. */
export function commandAfter(state: CommandState, event: CommandEvent): CommandState | undefined {
  if (isFinal(state)) return undefined
  const next = leadsTo[event]
  if (isFinal(next)) return next
  return progress.indexOf(next) > progress.indexOf(state) ? next : undefined
}

/** Commands about the same object: the newer replaces the older. */
const subjects: Readonly<Record<CommandName, string>> = {
  start_streaming: 'transmission',
  stop_streaming: 'transmission',
  set_virtual_channel: 'channel',
  virtual_channels_updated: 'channel list',
  set_delay: 'delay',
  set_enabled_links: 'links',
  set_configuration: 'configuration',
  start_video_return: 'video return',
  stop_video_return: 'video return',
  start_databridge: 'databridge',
  stop_databridge: 'databridge',
  connect_ip_pipe: 'IP pipe',
  disconnect_ip_pipe: 'IP pipe',
  start_intercom: 'intercom 1',
  stop_intercom: 'intercom 1',
  start_intercom2: 'intercom 2',
  stop_intercom2: 'intercom 2',
  speed_test: 'transmission',
  reboot: 'power',
  shutdown: 'power',
  send_logs: 'logs',
  stop_logs: 'logs',
  wifi_query: 'Wi-Fi scan',
  wifi_connect: 'Wi-Fi',
  wifi_disconnect: 'Wi-Fi',
  network_scan: 'network scan',
  network_select_manual: 'network selection',
  network_select_automatic: 'network selection',
  set_active_sim: 'active SIM',
  set_modem_configuration: 'modem',
}

type Named = Pick<Command, 'name' | 'args'>

/** Commands for a link must name the same link too. */
export const isAboutTheSame = (a: Named, b: Named): boolean =>
  subjects[a.name] === subjects[b.name] && a.args.port === b.args.port

/** These are sent as an order and answered by its outcome. All others are changes of the wanted state. */
const orders: ReadonlySet<CommandName> = new Set<Extract<CommandName, Order['name']>>([
  'reboot',
  'shutdown',
  'virtual_channels_updated',
  'send_logs',
  'stop_logs',
  'wifi_query',
  'wifi_connect',
  'wifi_disconnect',
  'network_scan',
  'network_select_manual',
  'network_select_automatic',
  'set_active_sim',
  'set_modem_configuration',
])

export const isOrder = (name: CommandName): boolean => orders.has(name)

/** A unit that restarts for an accepted order reports the result when it is back. */
export const isRestart = (name: CommandName): boolean => name === 'reboot' || name === 'shutdown'

/** The effect that a command requests, as far as a report can show it. */
export interface CommandArgs {
  /** Revision of the wanted state that carries it. */
  revision?: number
  transmissionId?: string
  channelId?: string | null
  delayMs?: number
  disabledLinks?: number[]
  settings?: UnitSettings
  videoReturnId?: string
  databridgeId?: string
  ipPipeId?: string
  /** The session on a line of the intercom. */
  intercomId?: string
}

/** Whether the unit's own report shows that the command is done. */
export function isShownBy(
  command: Pick<Command, 'name' | 'args'>,
  actual: Partial<UnitActual>,
  basis: StatusBasis,
): boolean {
  const args = command.args as CommandArgs
  switch (command.name) {
    case 'start_streaming':
      return actual.transmissionId === args.transmissionId && isStreaming(basis) && !isConnecting(basis)
    case 'stop_streaming':
      return !isStreaming(basis) && (actual.transmissionId ?? null) === null
    case 'set_virtual_channel':
      // A live transmission has moved when the unit reports the new transmission.
      return (
        actual.channelId === args.channelId &&
        (args.transmissionId === undefined || actual.transmissionId === args.transmissionId)
      )
    case 'set_delay':
      return actual.delayMs === args.delayMs
    case 'set_enabled_links':
      return (
        actual.links?.every(({ port, enabled }) => enabled !== args.disabledLinks?.includes(port)) ?? false
      )
    case 'set_configuration':
      return unconfirmedOf(args.settings ?? {}, actual.settings).length === 0
    case 'start_video_return':
      return (
        actual.videoReturnId === args.videoReturnId &&
        actual.applications?.videoReturn?.state === 'collecting'
      )
    case 'stop_video_return':
      return (actual.videoReturnId ?? null) === null && actual.applications?.videoReturn === undefined
    case 'start_databridge':
      return (
        actual.databridgeId === args.databridgeId && actual.applications?.databridge?.state === 'bridging'
      )
    case 'stop_databridge':
      return (actual.databridgeId ?? null) === null && actual.applications?.databridge === undefined
    case 'connect_ip_pipe':
      return actual.ipPipeId === args.ipPipeId && actual.applications?.l2ControlPipe?.state === 'connected'
    case 'disconnect_ip_pipe':
      return (actual.ipPipeId ?? null) === null && actual.applications?.l2ControlPipe === undefined
    case 'start_intercom':
    case 'start_intercom2':
      return sessionOf(actual, args)?.state === 'connected'
    case 'stop_intercom':
    case 'stop_intercom2':
      return sessionOf(actual, args) === undefined
    case 'speed_test':
      return actual.speedTest?.transmissionId === args.transmissionId
    default:
      return false
  }
}

/** Why the unit does not do what a command requests, by its report. */
export function failureIn(
  { name, args }: Pick<Command, 'name' | 'args'>,
  actual: Partial<UnitActual>,
): Wording | undefined {
  const { transmissionId, videoReturnId, databridgeId, ipPipeId } = args as CommandArgs
  const isSent = name === 'start_streaming' || name === 'speed_test'
  if (isSent && actual.transmissionId === transmissionId)
    return wordingIn(actual.failure, actual.failureCause)
  if (name === 'start_video_return' && actual.videoReturnId === videoReturnId)
    return wordingIn(actual.returnFailure, actual.returnFailureCause)
  if (name === 'start_databridge' && actual.databridgeId === databridgeId)
    return wordingIn(actual.databridgeFailure, actual.databridgeFailureCause)
  if (name === 'connect_ip_pipe' && actual.ipPipeId === ipPipeId)
    return wordingIn(actual.ipPipeFailure, actual.ipPipeFailureCause)
  if (name === 'start_intercom' || name === 'start_intercom2') {
    const session = sessionOf(actual, args)
    return session?.state === 'connecting' ? wordingIn(session.failure, session.failureCause) : undefined
  }
  return undefined
}

const wordingIn = (message: UnitActual['failure'], cause: UnitActual['failureCause']): Wording | undefined =>
  message == null ? undefined : { message, cause: cause ?? undefined }

const sessionOf = ({ intercoms = [] }: Partial<UnitActual>, { intercomId }: CommandArgs) =>
  intercoms.find(({ sessionId }) => sessionId === intercomId)

const isConnecting = (basis: StatusBasis): boolean => activeVideoState(basis) === 'connecting'
