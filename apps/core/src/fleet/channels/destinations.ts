// Streaming destinations of channels: stored by name, stream and address, and sent to the server as outputs.

import { randomBytes } from 'node:crypto'
import { Conflict, type FieldFault, fault, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import {
  type DestinationRequest,
  type StreamingDestination,
  shownAddress,
} from '@backhaul/contract/nouns/destinations'
import type { Clock } from '@backhaul/runtime/clock'
import { hostOf, isOwnHost } from '@backhaul/runtime/own-network'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { unlessTaken } from '../../database/unique.ts'
import type { Servers } from '../servers/servers.ts'
import type { ChannelAdministration } from './channel-administration.ts'
import type { ChannelChanges } from './channel-change.ts'
import { type ChannelFacts, type ChannelSettings, holdChannel, saveSettings } from './channel-table.ts'
import { encodingOf, outputsOf, protocolOf, type StoredSettings } from './destination-outputs.ts'
import * as table from './destination-table.ts'

/** A channel of another customer than the caller's is treated like one that does not exist. */
export interface Destinations {
  ofChannel(scope: Scope, channelId: string): Promise<StreamingDestination[]>
  /** Throws Conflict when another destination of the customer has its name, stream or address. */
  add(scope: Scope, channelId: string, settings: DestinationRequest): Promise<StreamingDestination>
  /** Secrets that are not given are kept. */
  update(
    scope: Scope,
    channelId: string,
    id: string,
    settings: DestinationRequest,
  ): Promise<StreamingDestination>
  remove(scope: Scope, channelId: string, id: string): Promise<void>
}

interface Needs extends Pick<ChannelChanges, 'putOutOf' | 'adopt'> {
  db: Database
  clock: Clock
  servers: Servers
  mayStreamToOwnNetwork: boolean
  administration: ChannelAdministration
}

const faultOf: Readonly<Record<table.Key, FieldFault>> = {
  name_key: fault('destination.name', 'field.notUnique'),
  stream_key: fault('destination.streamId', 'destination.streamId'),
  address_key: fault('destination', 'destination.duplicate'),
}

export function createDestinations(needs: Needs): Destinations {
  const { db, clock, servers, mayStreamToOwnNetwork, administration, putOutOf, adopt } = needs

  /** Runs a change of a channel's destinations, then sends the server its outputs. */
  async function change<T>(
    scope: Scope,
    channelId: string,
    write: (transaction: DatabaseTransaction, facts: ChannelFacts) => Promise<T>,
  ): Promise<T> {
    await administration.one(scope, channelId)
    const done = await unique(
      db.transaction().execute(async (transaction) => {
        const facts = await holdChannel(transaction, channelId)
        if (!facts) throw new NotFound('channel')
        const result = await write(transaction, facts)
        const now = await table.destinationsOf(transaction, channelId)
        const changed = await putOutOf(
          transaction,
          facts,
          await saveSettings(transaction, facts, sentTo(facts, now)),
        )
        return { result, changed }
      }),
    )
    adopt([done.changed])
    return done.result
  }

  async function existing(
    transaction: DatabaseTransaction,
    channelId: string,
    id: string,
  ): Promise<table.StoredDestination> {
    const found = (await table.destinationsOf(transaction, channelId)).find((one) => one.id === id)
    if (!found) throw new NotFound('destination')
    return found
  }

  async function save(
    transaction: DatabaseTransaction,
    { serverId }: ChannelFacts,
    destination: table.StoredDestination,
  ): Promise<StreamingDestination> {
    requireAbility(serverId, destination.settings)
    if (!mayStreamToOwnNetwork) rejectOwnNetwork(destination.settings)
    const [taken] = await table.takenKeys(transaction, destination)
    if (taken) throw new Conflict(faultOf[taken], { fields: [faultOf[taken]] })
    await table.saveDestination(transaction, destination, clock.nowMs())
    return shown(serverId, destination)
  }

  /** A server is not sent what it has not reported that it can do. */
  function requireAbility(serverId: string, settings: DestinationRequest): void {
    const { capabilities } = servers.memory(serverId)?.actual ?? {}
    const { streamType } = settings
    if (!capabilities?.protocolsOut.includes(protocolOf[streamType]))
      throw Conflict.at('destination.streamType', because('server.cannotSend', { type: streamType }))
    if (encodingOf(settings) && !capabilities.encoders.includes('libx264'))
      throw new Conflict('server.cannotEncode')
  }

  function shown(serverId: string, { id, settings }: table.StoredDestination): StreamingDestination {
    const { password, passphrase, readKey, ...open } = settings
    return {
      id,
      ...open,
      hasPassword: !!password,
      hasPassphrase: !!passphrase,
      ...(readKey !== undefined && { playUrl: playUrlOf(serverId, readKey) }),
    }
  }

  function playUrlOf(serverId: string, readKey: string): string | null {
    const { webAddress } = servers.memory(serverId)?.actual ?? {}
    const [host] = servers.addresses(serverId)
    return webAddress && host ? `${webAddress.replace('{host}', host)}/hls/${readKey}/index.m3u8` : null
  }

  return {
    async ofChannel(scope, channelId) {
      const { serverId } = await administration.one(scope, channelId)
      return (await table.destinationsOf(db, channelId)).map((one) => shown(serverId, one))
    },
    add: (scope, channelId, settings) =>
      change(scope, channelId, (transaction, facts) => {
        const id = `de-${randomBytes(9).toString('base64url')}`
        const { inventoryId } = facts
        return save(transaction, facts, { id, channelId, inventoryId, settings: withReadKey(settings) })
      }),
    update: (scope, channelId, id, settings) =>
      change(scope, channelId, async (transaction, facts) => {
        const { settings: before, ...rest } = await existing(transaction, channelId, id)
        return await save(transaction, facts, {
          ...rest,
          settings: withReadKey({ ...secretsOf(before, settings), ...settings }),
        })
      }),
    remove: (scope, channelId, id) =>
      change(scope, channelId, async (transaction) => {
        await existing(transaction, channelId, id)
        await table.deleteDestination(transaction, id)
      }),
  }
}

/** Secrets belong to their type of stream: those of another type mean nothing. */
function secretsOf(
  { streamType, password, passphrase, readKey }: StoredSettings,
  next: DestinationRequest,
): Pick<StoredSettings, 'password' | 'passphrase' | 'readKey'> {
  if (streamType !== next.streamType) return {}
  return { ...(password && { password }), ...(passphrase && { passphrase }), ...(readKey && { readKey }) }
}

/** Players need no sign-in for HLS, only this key in its address. */
function withReadKey(settings: StoredSettings): StoredSettings {
  if (settings.streamType !== 'HLS') return settings
  return { ...settings, readKey: settings.readKey ?? randomBytes(18).toString('base64url') }
}

/** The destinations as the channel shows them, and as they are sent to its server. */
function sentTo(
  { settings: { details } }: ChannelFacts,
  destinations: readonly table.StoredDestination[],
): Pick<ChannelSettings, 'outputs' | 'destinations' | 'details'> {
  const streamingDestinations = destinations.map(({ id, settings }) => ({
    id,
    protocol: protocolOf[settings.streamType],
    url: shownUrl(id, settings),
  }))
  const toRtmp = destinations.filter(({ settings }) => settings.streamType === 'RTMP')
  return {
    outputs: destinations.flatMap(({ id, settings }) => outputsOf(id, settings)),
    destinations: destinations.map(({ id, settings: { name, onDemand = false } }) => ({
      id,
      name,
      onDemand,
    })),
    details: {
      ...details,
      cdnName: destinations[0]?.settings.name ?? null,
      broadcasterName: destinations[0]?.settings.provider ?? null,
      streamingDestinations,
      rtmpOutputUrls: toRtmp.map(({ id, settings }) => shownUrl(id, settings)),
    },
  }
}

const shownUrl = (id: string, settings: StoredSettings): string => {
  const [first] = outputsOf(id, settings)
  return shownAddress(first.url)
}

/** Names are looked up by the server, which closes its own network to them. */
function rejectOwnNetwork(settings: DestinationRequest): void {
  const { srtMode, ip, urlPrimary, urlSecondary } = settings
  const hosts = {
    // A listener does not connect anywhere.
    ip: srtMode === 'listener' ? undefined : ip?.includes(':') ? `[${ip}]` : ip,
    urlPrimary: urlPrimary && hostOf(urlPrimary),
    urlSecondary: urlSecondary && hostOf(urlSecondary),
  }
  const faults = Object.entries(hosts)
    .filter(([, host]) => host && isOwnHost(host))
    .map(([name]) => fault(`destination.${name}`, 'destination.ownNetwork'))
  if (faults.length > 0) throw new InvalidRequest(faults)
}

/** Does not look up which of its keys is taken. */
const unique = <T>(writing: Promise<T>): Promise<T> =>
  unlessTaken(writing, () => new Conflict('destination.duplicate'))
