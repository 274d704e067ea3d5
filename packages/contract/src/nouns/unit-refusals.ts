/** Why a unit cannot test its links, fetch a picture or speak now, as the text to show; undefined when it can. */
import type { PlainCode } from '../define/refusals.ts'
import { type Channel, channelRefusal, EXTERNAL_CHANNEL } from './channels.ts'
import type { DatabridgePort } from './databridge.ts'
import { gate } from './gates.ts'
import type { IntercomNumber } from './intercom.ts'
import type { IpPipeSettings } from './ip-pipe.ts'
import { isBusy, isOffline } from './unit-status.ts'
import type { Unit } from './units.ts'
import { type VideoReturnChannel, vrRefusal } from './video-return.ts'
import { bridgeRefusal } from './working-modes.ts'

type Tested = Pick<Unit, 'uid' | 'applications' | 'status' | 'transmission' | 'transition' | 'capabilities'>

/** Why the unit cannot be tested on this channel now, as the text to show; undefined when it can. */
export function speedTestRefusal(unit: Tested, channel: Channel | undefined): PlainCode | undefined {
  if (isOffline(unit)) return 'unit.offline'
  if (unit.capabilities.speedTest !== true) return 'feature.disabled'
  if (unit.transmission !== null || isBusy(unit)) return 'unit.busy'
  if (unit.transition !== null) return 'unit.inTransition'
  if (channel === undefined || channelRefusal(channel, unit.uid) !== undefined) return 'channel.busyOrOffline'
  return gate('speedTest', { serverVersion: channel.liveuVersion })
}

/** The first reason why no picture can be returned to a unit now (ER-UNIT-06, -22, -23, GAP-STRM-03); undefined: it can. */
export function returnRefusal(
  unit: Pick<
    Unit,
    'uid' | 'offline' | 'capabilities' | 'services' | 'license' | 'swVersion' | 'selectedChannelName'
  >,
  channel: Pick<VideoReturnChannel, 'status' | 'unitUid'> | undefined,
): PlainCode | undefined {
  if (unit.offline) return 'unit.offline'
  if (unit.capabilities.videoReturn !== true) return 'videoReturn.notBuiltIn'
  const closed = gate('videoReturn', { unit })
  if (closed !== undefined) return closed
  if (unit.selectedChannelName === EXTERNAL_CHANNEL) return 'videoReturn.noVideo'
  return vrRefusal(channel, unit.uid)
}

/**
 * The data of the month are used up: a databridge and an IP pipe end, and are not started again before the reset day, a
 * higher limit or another profile. A picture is not cut off.
 */
export const dataFault = ({ usageInfo }: Pick<Unit, 'usageInfo'>): PlainCode | undefined =>
  usageInfo?.type === 'data' && usageInfo.overUsage ? 'usageProfile.dataUsedUp' : undefined

interface ChosenDatabridge {
  readonly gateway: unknown
  readonly ports: readonly DatabridgePort[]
}

/** The first reason why the databridge cannot be started now (ER-UNIT-16 to -20, GAP-STATE-01); undefined: it can. */
export function databridgeRefusal(
  unit: Tested & Pick<Unit, 'services' | 'license' | 'swVersion' | 'modems' | 'workingMode' | 'usageInfo'>,
  { gateway, ports }: ChosenDatabridge,
): PlainCode | undefined {
  if (isOffline(unit)) return 'unit.offline'
  if (unit.capabilities.databridge !== true) return 'databridge.notBuiltIn'
  const closed = gate('databridge', { unit })
  const unfit = closed ?? bridgeRefusal(unit.workingMode)
  if (unfit !== undefined) return unfit
  if (unit.applications?.databridge) return 'databridge.running'
  if (unit.applications?.l2ControlPipe) return 'databridge.ipPipe'
  if (unit.applications?.forward) return 'databridge.uploading'
  if (unit.transmission !== null || isBusy(unit)) return 'unit.busy'
  if (unit.transition !== null) return 'unit.inTransition'
  const usedUp = dataFault(unit)
  if (usedUp !== undefined) return usedUp
  if (hasOnlyEthernet(unit.modems)) return 'databridge.onlyEthernet'
  if (gateway === null) return 'databridge.noGateway'
  return ports.length === 0 ? 'databridge.noPorts' : undefined
}

/** The crew's machines may be on it; a databridge has to leave by another link. */
function hasOnlyEthernet(modems: Unit['modems']): boolean {
  const connected = modems.filter(({ connected, enabled }) => connected && enabled)
  const [first] = modems.filter(({ kind }) => kind === 'ethernet').toSorted((a, b) => a.port - b.port)
  return connected.length === 1 && connected[0]?.port === first?.port
}

/** Why the settings of a pipe cannot be changed now; undefined when none is wanted (as for a databridge, ER-UNIT-16). */
export const ipPipeFault = ({ ipPipe }: Pick<Unit, 'ipPipe'>): PlainCode | undefined =>
  ipPipe.state === 'not connected' ? undefined : 'ipPipe.active'

type Piped = Pick<Unit, 'applications' | 'status' | 'capabilities' | 'ipPipe' | 'usageInfo'>

/** The first reason why the pipe cannot be connected now; undefined: it can. A transmission does not prevent it. */
export function ipPipeRefusal(unit: Piped, settings: IpPipeSettings | null): PlainCode | undefined {
  if (isOffline(unit)) return 'unit.offline'
  if (unit.capabilities.ipPipe !== true) return 'ipPipe.notBuiltIn'
  if (unit.ipPipe.state !== 'not connected') return 'ipPipe.running'
  if (unit.applications?.databridge) return 'databridge.running'
  if (unit.applications?.upgrade) return 'unit.busy'
  const usedUp = dataFault(unit)
  if (usedUp !== undefined) return usedUp
  return settings === null ? 'ipPipe.noServer' : undefined
}

const capabilityOf: Readonly<Record<IntercomNumber, string>> = { 1: 'intercom', 2: 'intercom2' }

/** Why a line is closed: the unit does not have it, or its customer does not have the service (RO-PERM-39). */
export function intercomRefusal(
  { capabilities }: Pick<Unit, 'capabilities'>,
  intercom: IntercomNumber,
  services: readonly string[],
): PlainCode | undefined {
  if (capabilities[capabilityOf[intercom]] !== true) return 'intercom.notBuiltIn'
  return gate('intercom', { services })
}

export const powerActs = ['reboot', 'shutdown', 'removePairing'] as const
export type PowerAct = (typeof powerActs)[number]

/**
 * Why a unit cannot be rebooted, switched off or unpaired now: only an idle one can, save that a reboot may also interrupt
 * a busy one when that was confirmed (`whileBusy`, GAP-STRM-08); undefined when it can.
 */
export function powerRefusal(
  { offline, busy, capabilities }: Pick<Unit, 'offline' | 'busy' | 'capabilities'>,
  act: PowerAct,
  whileBusy: boolean,
): PlainCode | undefined {
  if (act !== 'removePairing' && offline) return 'unit.offline'
  if (act === 'shutdown' && capabilities.shutdown !== true) return 'unit.noShutdown'
  return busy && !(act === 'reboot' && whileBusy) ? 'unit.busy' : undefined
}
