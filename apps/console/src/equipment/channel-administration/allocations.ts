// Further resources of a channel: a tally, an interface that carries sound back, an ingest server (GAP-CHAN-08).

import { ingest } from '@backhaul/contract/api/ingest'
import { interfaces } from '@backhaul/contract/api/interfaces'
import { services } from '@backhaul/contract/api/services'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { gate } from '@backhaul/contract/nouns/gates'
import type { Ifb, TallyInterface } from '@backhaul/contract/nouns/interfaces'
import { call } from '../../doors/api.ts'
import { signedIn } from '../../session/sign-ins/sign-ins.ts'
import { givenReason, reasonText } from '../../texts/generic.ts'

export const allocationKinds = ['tally', 'ingest', 'ifb'] as const
export type AllocationKind = (typeof allocationKinds)[number]

export interface AllocationChoice {
  id: string
  name: string
  /** Its server, or its state. */
  place: string
  online: boolean
  /** Channels that have it; `isTaken`: this one cannot have it as well. */
  channels: readonly string[]
  isTaken: boolean
}

export interface Allocations {
  choices: readonly AllocationChoice[]
  current: string | null
  /** The one that receives the channel when nothing is chosen. */
  byDefault: string | null
  /** Why nothing may be given now. */
  closed: string | undefined
}

type Channel = Pick<AdministeredChannel, 'uniqueId' | 'name' | 'inventoryId'>

const interfaceChoice =
  (uid: string) =>
  (one: TallyInterface | Ifb): AllocationChoice => ({
    id: one.id,
    name: one.name,
    place: one.serverName,
    online: one.online,
    channels: one.channelName === null ? [] : [one.channelName],
    isTaken: one.channel !== null && one.channel !== uid,
  })

function ofInterfaces(
  all: readonly (TallyInterface | Ifb)[],
  { uniqueId }: Channel,
  closed: string | undefined,
): Allocations {
  const current = all.find(({ channel }) => channel === uniqueId)?.id ?? null
  return { choices: all.map(interfaceChoice(uniqueId)), current, byDefault: null, closed }
}

async function ifbClosed(current: string): Promise<string | undefined> {
  const query = { serviceName: ['audio_ifb' as const] }
  const [service] = await call(services.status, { params: { current }, query })
  const closed = gate('ifb', { services: service?.status === 'ENABLED' ? ['audio_ifb'] : [] })
  return closed && reasonText(closed)
}

async function ofIngest({ uniqueId, inventoryId: id }: Channel): Promise<Allocations> {
  const [account, servers, own] = await Promise.all([
    call(ingest.account, { params: { id } }),
    call(ingest.servers, { params: { id } }),
    call(ingest.ofChannel, { params: { id: uniqueId } }),
  ])
  const { defaultServerId } = account.configuration
  return {
    choices: servers.map(({ uid, name, addresses, state, maxChannels, channels }) => {
      const others = channels.filter(({ channelId }) => channelId !== uniqueId)
      return {
        id: uid,
        name,
        place: addresses.join(', '),
        online: state === 'online',
        channels: channels.map(({ channelName }) => channelName),
        isTaken: others.filter(({ isDefault }) => !isDefault).length >= maxChannels,
      }
    }),
    current: own.isDefault ? null : own.ingestServerId,
    byDefault: servers.find(({ uid }) => uid === defaultServerId)?.name ?? null,
    closed: givenReason({ reason: account.closed, cause: account.closedCause }) || undefined,
  }
}

/** The choices for the channel, and its current one. */
export async function readAllocations(kind: AllocationKind, channel: Channel): Promise<Allocations> {
  const params = { id: channel.inventoryId }
  if (kind === 'ingest') return await ofIngest(channel)
  if (kind === 'ifb') {
    const [all, closed] = await Promise.all([
      call(interfaces.ifbs, { params }),
      ifbClosed(channel.inventoryId),
    ])
    return ofInterfaces(all, channel, closed)
  }
  const closed = tallyClosed()
  return ofInterfaces(
    closed === undefined ? await call(interfaces.tallies, { params }) : [],
    channel,
    closed && reasonText(closed),
  )
}

/** Tally depends on the user, so it is known before any request. */
export const tallyClosed = (): PlainCode | undefined =>
  gate('tally', { userServices: signedIn.get()?.configuration.userServices ?? [] })

/** `before` is what the channel had; null: nothing of its own. */
export async function allocate(
  kind: AllocationKind,
  { uniqueId, inventoryId: id }: Channel,
  before: string | null,
  chosen: string | null,
): Promise<void> {
  const params = { id }
  const held = chosen ?? before
  const channel = chosen === null ? null : uniqueId
  if (kind === 'ingest')
    await call(ingest.associate, {
      params,
      body: { associations: [{ channelId: uniqueId, ingestServerId: chosen }] },
    })
  else if (held !== null && kind === 'tally')
    await call(interfaces.associateTally, { params, body: { tally: held, channel } })
  else if (held !== null) await call(interfaces.associateIfb, { params, body: { ifb: held, channel } })
}
