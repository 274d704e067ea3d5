// The requests to a unit from the console. Core and the unit report each of them as the unit's command; here are
// only the call, the first sign on the screen, and the words of a refusal.

import { channels } from '@backhaul/contract/api/channels'
import { unitCommands, units } from '@backhaul/contract/api/units'
import { isMultipointName } from '@backhaul/contract/nouns/channels'
import { SET_CHANNEL_RETRY_MS } from '@backhaul/contract/nouns/commands'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { reasonText } from '../../texts/generic.ts'
import { toast } from '../../ui/toasts.tsx'
import { channelStore } from '../channels/channels.ts'
import { type ChannelOutcome, retryUntilApplied } from './channel-retry.ts'
import { forgetAsked, passedOver, patchUnit, showAsked, unitStore } from './units-live.ts'

/** The update flag of the selection comes back this long after a set channel (PU-TIME-01). */
const flagMs = 2000

const newestChannelRequest = new Map<string, number>()

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function nameOf(uid: string): string {
  return unitStore.latest(uid)?.name ?? uid
}

function showFault(uid: string, error: unknown): Fault {
  const fault = describeFault(error)
  const text = fault.text === undefined ? nameOf(uid) : `${nameOf(uid)}. ${fault.text}`
  toast({ id: `unit-${uid}`, title: fault.title, text, tone: 'critical' })
  return fault
}

async function start(uid: string): Promise<void> {
  showAsked(uid, 'starting')
  try {
    await call(unitCommands.start, { params: { id: uid }, body: {} })
  } catch (error) {
    forgetAsked(uid)
    showFault(uid, error)
  }
}

/** Stops the transmission by the device command (GAP-API-12). */
async function stop(uid: string): Promise<void> {
  showAsked(uid, 'stopping')
  try {
    await call(unitCommands.command, { params: { id: uid, command: 'stop_streaming' }, body: {} })
  } catch (error) {
    forgetAsked(uid)
    showFault(uid, error)
  }
}

/**
 * Selects a channel; null selects none. The request is repeated at `intervalMs` until the unit's configuration
 * shows the channel (GAP-STRM-02).
 */
async function setChannel(
  uid: string,
  channelId: string | null,
  intervalMs = SET_CHANNEL_RETRY_MS,
): Promise<void> {
  const channel = channelId === null ? undefined : channelStore.latest(channelId)
  if (channel && isMultipointName(channel.name)) return await toggleMachine(uid, channel.uniqueId)
  const request = (newestChannelRequest.get(uid) ?? 0) + 1
  newestChannelRequest.set(uid, request)
  let firstCommandId: string | undefined
  const send = async () => {
    const params = { id: uid, command: 'set_virtual_channel' as const }
    const accepted = await call(unitCommands.command, { params, body: { virtualChannelName: channelId } })
    if (firstCommandId === undefined) {
      patchUnit(uid, { configurationUpdated: false })
      setTimeout(() => patchUnit(uid, { configurationUpdated: true }), flagMs)
    }
    firstCommandId = accepted.commandId ?? ''
  }
  const outcome = (): ChannelOutcome => {
    const unit = unitStore.latest(uid)
    if (!unit || (unit.command?.id === firstCommandId && unit.command?.state === 'refused')) return 'refused'
    return unit.channelId === channelId ? 'arrived' : 'waiting'
  }
  const superseded = () => newestChannelRequest.get(uid) !== request
  try {
    const end = await retryUntilApplied({ send, outcome, superseded, wait }, intervalMs)
    if (end === 'waiting')
      toast({ title: reasonText('unitSetting.notSent'), text: nameOf(uid), tone: 'warning' })
  } catch (error) {
    showFault(uid, error)
  }
}

/** A live unit moves to another channel; its command shows the result. */
async function move(uid: string, channelId: string): Promise<void> {
  try {
    const params = { id: uid, command: 'set_virtual_channel' as const }
    await call(unitCommands.command, { params, body: { virtualChannelName: channelId } })
  } catch (error) {
    showFault(uid, error)
  }
}

/** Selecting a point-to-multipoint channel adds its machine to the unit or takes it away (ST-CHSEL-07, -08). */
async function toggleMachine(uid: string, machine: string): Promise<void> {
  try {
    const known = await call(channels.multipoint, { query: { uniqueID: uid } })
    const chosen = known.filter((one) => one.selected !== (one.uid === machine)).map((one) => one.uid)
    passedOver.mark(uid)
    const machines = chosen.map((one) => ({ uid: one }))
    await call(channels.updateMultipoint, { body: { uniqueID: uid, machines } })
    const others = unitStore
      .latest(uid)
      ?.selectedChannels.filter((id) => !known.some((one) => one.uid === id))
    patchUnit(uid, { selectedChannels: [...(others ?? []), ...chosen], ptmpChannel: chosen[0] ?? null })
  } catch (error) {
    passedOver.forget(uid)
    showFault(uid, error)
  }
}

async function setDelay(uid: string, delay: number): Promise<void> {
  try {
    await call(unitCommands.setDelay, { params: { id: uid }, body: { delay } })
  } catch (error) {
    showFault(uid, error)
  }
}

/** Fills the links with test data; the answer is undefined when core took it, else what to show. */
async function testSpeed(uid: string): Promise<Fault | undefined> {
  await call(unitCommands.speedTest, { params: { id: uid }, query: {} })
  return undefined
}

async function stopTest(uid: string): Promise<Fault | undefined> {
  await call(unitCommands.command, { params: { id: uid, command: 'stop_streaming' }, body: {} })
  return undefined
}

/** Name, comment, or both; the answer is undefined when it was saved, else what to show at the fields. */
async function edit(uid: string, body: { name?: string; comment?: string }): Promise<Fault | undefined> {
  try {
    await call(units.update, { params: { id: uid }, body })
    patchUnit(uid, body)
    return undefined
  } catch (error) {
    return describeFault(error)
  }
}

const actions = { start, stop, setChannel, move, setDelay, testSpeed, stopTest, edit }

export type UnitActions = typeof actions

/** The same functions for every caller: they know the unit by its uid alone. */
export function useUnitActions(): UnitActions {
  return actions
}
