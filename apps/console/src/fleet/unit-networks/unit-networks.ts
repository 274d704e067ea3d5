// The networks of a unit: requests to it, and their state.
import { type Command, isFinal } from '@backhaul/contract/nouns/commands'
import type { ModemStatus } from '@backhaul/contract/nouns/modems'
import type { Unit } from '@backhaul/contract/nouns/units'
import { push } from '../../doors/push.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'

export interface NetworksProps {
  unit: Unit
  /** The unit is read again. */
  onChanged: () => Promise<unknown>
}

export const networkCommands = [
  'wifi_query',
  'wifi_connect',
  'wifi_disconnect',
  'network_scan',
  'network_select_manual',
  'network_select_automatic',
  'set_active_sim',
  'set_modem_configuration',
  'set_enabled_links',
] as const
export type NetworkCommand = (typeof networkCommands)[number]

const isAboutNetworks = (name: Command['name']): name is NetworkCommand =>
  (networkCommands as readonly Command['name'][]).includes(name)

/** The newest request, where it is about networks and under way or was refused. */
export function requestOf({
  command,
}: Pick<Unit, 'command'>): { command: Command; name: NetworkCommand; isOpen: boolean } | undefined {
  if (!command || !isAboutNetworks(command.name)) return undefined
  const isOpen = !isFinal(command.state)
  const isWithout = command.state === 'confirmed' || command.state === 'superseded'
  return isWithout ? undefined : { command, name: command.name, isOpen }
}

/** Why nothing can be requested of the unit now; undefined when it can. */
export function useClosedNetworks({ offline }: Pick<Unit, 'offline'>): string | undefined {
  const mayOperate = useMay('operateUnits')
  if (!mayOperate) return reasonText('role.notAllowed')
  return offline ? reasonText('unit.offline') : undefined
}

/** All links, by their port. */
export const linksOf = ({ modems, offlineModems }: Pick<Unit, 'modems' | 'offlineModems'>): ModemStatus[] =>
  [...modems, ...offlineModems].toSorted((a, b) => a.port - b.port)

export const nameAt = (unit: Pick<Unit, 'modems' | 'offlineModems'>, port: number): string =>
  linksOf(unit).find((link) => link.port === port)?.id ?? String(port)

/** A change of the unit is in its report, which may come shortly after its answer. */
const settledAfterMs = 3000

/** A request is under way, or has just ended. */
export const isUnderWay = ({ command }: Pick<Unit, 'command'>): boolean =>
  command !== null &&
  (!isFinal(command.state) || Date.now() + push.clockOffsetMs() - command.updatedAt < settledAfterMs)
