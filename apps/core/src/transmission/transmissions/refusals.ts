// Why a unit may not do now what is requested, in the words of the specification.
import { Conflict, InvalidRequest } from '@backhaul/contract/define/errors'
import { because, type Reason } from '@backhaul/contract/define/refusals'
import type { Link } from '@backhaul/contract/gateway/units'
import type { CameraFeed } from '@backhaul/contract/nouns/cameras'
import { type Channel, channelRefusal, smpteRefusal, versionRefusal } from '@backhaul/contract/nouns/channels'
import { delayChoices, delayFault } from '@backhaul/contract/nouns/delays'
import { resolutionConflict, startGate } from '@backhaul/contract/nouns/gates'
import type { ModemStatus } from '@backhaul/contract/nouns/modems'
import { feedsRefusal } from '@backhaul/contract/nouns/multi-camera'
import { otherChannelRefusal } from '@backhaul/contract/nouns/p2p'
import { LINKS_AT_LEAST } from '@backhaul/contract/nouns/unit-networks'
import { isBusy, isOffline, isStreaming } from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import { videoRefusal } from '@backhaul/contract/nouns/working-modes'

type TargetUnit = Omit<Unit, 'rev' | 'rawModemInfo'>

/** Throws Conflict unless the unit can start a transmission at all (ST-START-01, ER-UNIT-03, -10 to -12). */
function requireReady(unit: TargetUnit): void {
  if (isOffline(unit)) throw new Conflict('unit.offline')
  const closed = startGate(unit) ?? videoRefusal(unit.workingMode)
  if (closed !== undefined) throw new Conflict(closed)
  if (unit.transmission !== null || isBusy(unit)) throw new Conflict('unit.busy')
  if (unit.transition !== null) throw new Conflict('unit.inTransition')
}

export function requireStart(unit: TargetUnit, channel: Channel | undefined): asserts channel is Channel {
  requireReady(unit)
  requireChannel(unit, channel)
}

/** Refuses a start with the pictures of several cameras (ER-UNIT-32 to -34). */
export function requireCameras(
  unit: TargetUnit,
  feeds: readonly CameraFeed[],
  channelOf: (id: string) => Channel | undefined,
): void {
  requireReady(unit)
  const refusal = feedsRefusal(unit, feeds, (id) => channelRefusal(channelOf(id), unit.uid) === undefined)
  if (refusal !== undefined) throw new Conflict(refusal)
  for (const { channelId } of feeds) {
    requireVersion(unit, channelOf(channelId))
    requireSmpte(channelOf(channelId))
  }
}

export function requireChannel(unit: TargetUnit, channel: Channel | undefined): asserts channel is Channel {
  if (channelRefusal(channel, unit.uid) !== undefined) throw new Conflict('channel.busyOrOffline')
  requireVersion(unit, channel)
  const conflict = resolutionConflict(unit, channel)
  if (conflict !== undefined) throw new Conflict(conflict)
  requireSmpte(channel)
}

/** A point-to-point unit has one channel alone. */
export function requireDestination(unit: TargetUnit, channelId: string | undefined): void {
  const refusal = otherChannelRefusal(unit, channelId)
  if (refusal !== undefined) throw new Conflict(refusal)
}

/** A channel of an older server cannot be chosen for the unit, nor sent to. */
export function requireVersion(unit: Pick<Unit, 'swVersion'>, channel: Channel | undefined): void {
  if (channel && versionRefusal(channel, unit) !== undefined) throw new Conflict('channel.versionTooLow')
}

/** A channel of an SMPTE server needs an output before a unit may send to it (ER-TIP-08). */
function requireSmpte(channel: Channel | undefined): void {
  if (channel && smpteRefusal(channel) !== undefined) throw new Conflict('channel.noSmpte')
}

export function requireStop(unit: TargetUnit): void {
  if (unit.transmission === null && !isStreaming(unit)) throw new Conflict('transmission.notRunning')
}

const delayReason = (unit: TargetUnit, wantedMs: number, currentMs: number): Reason | undefined =>
  delayFault({
    product: unit.type,
    softwareVersion: unit.swVersion,
    currentMs,
    wantedMs,
    transmitting: unit.transmission !== null || isStreaming(unit),
  })

/** A delay that the unit does not offer is a wrong field. */
export function requireOfferedDelay({ type, swVersion }: TargetUnit, wantedMs: number): void {
  const delays = delayChoices(type, swVersion)
  if (!delays.includes(wantedMs))
    throw InvalidRequest.at('delay', because('delay.oneOf', { delays: delays.join(', ') }))
}

/** One that cannot be changed now is a conflict (VA-UNIT-17 to -31). */
export function requireDelay(unit: TargetUnit, wantedMs: number, currentMs: number): void {
  requireOfferedDelay(unit, wantedMs)
  const reason = delayReason(unit, wantedMs, currentMs)
  if (reason !== undefined) throw Conflict.at('delay', reason)
}

/** Whether the unit can have the delay now. */
export const mayHaveDelay = (...change: Parameters<typeof delayReason>): boolean =>
  delayReason(...change) === undefined

/** Refuses fewer than two connected links while the unit transmits (VA-UNIT-15). */
export function requireLinks(
  unit: TargetUnit,
  links: readonly Link[],
  modems: readonly ModemStatus[],
  changes: readonly { interface: number; enabled: boolean }[],
): void {
  const unknown = changes.findIndex((change) => !links.some(({ port }) => port === change.interface))
  if (unknown >= 0) throw InvalidRequest.at(`${unknown}.interface`, 'unit.noInterface')
  const isDisabled = (port: number) => changes.some((change) => change.interface === port && !change.enabled)
  const staying = modems.filter(({ connected, enabled, port }) => connected && enabled && !isDisabled(port))
  const disables = changes.some(({ enabled }) => !enabled)
  const transmits = unit.transmission !== null || isStreaming(unit)
  if (disables && transmits && staying.length < LINKS_AT_LEAST) throw new Conflict('link.twoMustStay')
}
