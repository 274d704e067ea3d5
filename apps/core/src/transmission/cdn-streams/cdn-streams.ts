// Streaming destinations of the channel that a unit transmits to: started and stopped by the operator of the unit.
import { Conflict, fault, InvalidRequest } from '@backhaul/contract/define/errors'
import type { CdnStream } from '@backhaul/contract/nouns/cdn-streams'
import { isOutputOf, type OutputState } from '@backhaul/contract/nouns/output-states'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { CdnChoice, ChannelDestination, Channels } from '../../fleet/channels/channels.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'

export interface CdnStreams {
  /**
   * Both answer all destinations of the channel. They throw NotFound for a unit outside the caller's scope, and Conflict
   * while it does not transmit; InvalidRequest with the place of a name that no destination of the channel has.
   */
  start(scope: Scope, unitId: string, names: readonly string[]): Promise<CdnStream[]>
  /** Throws Conflict when none is on. */
  stop(scope: Scope, unitId: string): Promise<CdnStream[]>
}

interface Needs {
  db: Database
  events: Events
  channels: Channels
  units: Units
}

/** The order of states: of two addresses the worse one is shown. */
const worstFirst: readonly OutputState[] = ['failed', 'connecting', 'sending']

export function createCdnStreams({ db, events, channels, units }: Needs): CdnStreams {
  const show = units.provide('cdnStreams')

  function streamOf(channelId: string, { id, name, isOn }: ChannelDestination): CdnStream {
    if (!isOn) return { name, state: 'off', reason: null }
    const outputs = channels.telemetry(channelId)?.outputs.filter((output) => isOutputOf(id, output.id)) ?? []
    const [worst] = outputs.toSorted((a, b) => worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state))
    if (!worst) return { name, state: 'waiting', reason: null }
    const { state, reason, cause, kbps } = worst
    if (state === 'failed') return { name, state, reason, cause }
    return { name, state, reason: null, ...(kbps !== undefined && { kbps }) }
  }

  const streamsOf = (channelId: string): CdnStream[] =>
    (channels.cdnStreams(channelId) ?? []).map((one) => streamOf(channelId, one))

  function refresh(unitId: string): void {
    const channelId = units.values(unitId)?.transmission?.channelId
    show(unitId, { cdnStreams: channelId === undefined ? [] : streamsOf(channelId) })
  }

  /** The unit that holds the channel; it may show another one. */
  function refreshChannel(channelId: string): void {
    const unitId = channels.known(channelId)?.allocatedToUnitUid
    if (unitId) refresh(unitId)
  }

  events.on('transmissionChanged', ({ unitId }) => refresh(unitId))
  events.on('channelChanged', ({ channelId }) => refreshChannel(channelId))
  events.on('device:serverTelemetry', ({ message }) => {
    for (const { channelId } of message.channels)
      if (channels.cdnStreams(channelId)?.length) refreshChannel(channelId)
  })

  async function change(
    scope: Scope,
    unitId: string,
    next: (now: readonly ChannelDestination[]) => CdnChoice,
  ): Promise<CdnStream[]> {
    const channelId = units.get(scope, unitId).transmission?.channelId
    if (channelId === undefined) throw new Conflict('unit.notTransmitting')
    const changed = await db
      .transaction()
      .execute((transaction) => channels.setCdnStreams(transaction, channelId, unitId, next))
    if (!changed) throw new Conflict('unit.notTransmitting')
    channels.adopt([changed])
    refresh(unitId)
    return streamsOf(channelId)
  }

  return {
    start: (scope, unitId, names) =>
      change(scope, unitId, (now) => {
        const unknown = names.flatMap((name, at) =>
          now.some((one) => one.name === name) ? [] : [fault(String(at), 'destination.notFound')],
        )
        if (unknown.length > 0) throw new InvalidRequest(unknown, 'destination.notFound')
        const isMeant = ({ isOn, name }: ChannelDestination) => isOn || names.includes(name)
        const idsOf = (some: readonly ChannelDestination[]) => some.map(({ id }) => id)
        return { started: idsOf(now.filter(isMeant)), stopped: idsOf(now.filter((one) => !isMeant(one))) }
      }),
    stop: (scope, unitId) =>
      change(scope, unitId, (now) => {
        if (!now.some(({ isOn }) => isOn)) throw new Conflict('cdnStreams.off')
        return { started: [], stopped: now.map(({ id }) => id) }
      }),
  }
}
