// SMPTE 2110 outputs of servers and their channels, for servers that support it.
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import type { ServerCapabilities } from '@backhaul/contract/nouns/servers'
import {
  type SmpteChannelState,
  type SmpteNetworkSettings,
  type SmpteServerState,
  type SmpteStreams,
  smpteState,
} from '@backhaul/contract/nouns/smpte'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Channels } from '../channels/channels.ts'
import type { Devices } from '../devices/devices.ts'
import type { Servers } from '../servers/servers.ts'

/** An object that the caller does not administer is treated as absent. */
export interface Smpte {
  /** Throws Conflict for a server that cannot; null takes it out of its networks. */
  setServer(scope: Scope, id: string, configuration: SmpteNetworkSettings | null): Promise<SmpteServerState>
  channel(scope: Scope, id: string): Promise<SmpteChannelState>
  /** Throws Conflict where the server cannot, and for an address and port that another of its channels has. */
  setChannel(scope: Scope, id: string, configuration: SmpteStreams | null): Promise<SmpteChannelState>
}

interface Needs {
  db: Database
  clock: Clock
  devices: Devices
  servers: Servers
  channels: Channels
}

export function createSmpte({ db, clock, devices, servers, channels }: Needs): Smpte {
  const kept = <Configuration extends object>(configuration: Configuration | null) =>
    configuration && { configuration, lastUpdate: new Date(clock.nowMs()).toISOString() }

  return {
    async setServer(scope, id, configuration) {
      const { type, capabilities } = servers.get(scope, id)
      if (type !== 'mmh_server') throw new NotFound('server')
      // A setting can be removed, even when the server no longer supports it.
      if (configuration && capabilities?.smpte2110 !== true) throw new Conflict('server.noSmpte')
      const smpte = kept(configuration)
      const change = await db.transaction().execute((transaction) =>
        devices.changeWanted<ServerWanted>(transaction, id, ({ smpte: _, ...now }) => ({
          ...now,
          ...(smpte && { smpte }),
        })),
      )
      devices.adopt([change])
      channels.serverChanged(id)
      return smpteState(smpte)
    },
    async channel(scope, id) {
      const { uniqueId } = await channels.administration.one(scope, id)
      return smpteState(channels.smpte.of(uniqueId))
    },
    async setChannel(scope, id, configuration) {
      const { capabilities, serverId } = await channels.administration.one(scope, id)
      if (configuration && capabilities.smpte2110 !== true) throw new Conflict('server.noSmpte')
      if (configuration) requireOutputs(configuration, servers.memory(serverId)?.actual.capabilities)
      const smpte = kept(configuration)
      const change = await db
        .transaction()
        .execute((transaction) => channels.smpte.set(transaction, id, smpte))
      channels.adopt([change])
      return smpteState(smpte)
    },
  }
}

function requireOutputs({ flavor, ancillary }: SmpteStreams, can: ServerCapabilities | undefined): void {
  const outputs = can?.smpteOutputs
  if (!outputs) return
  if (!outputs.flavors.includes(flavor))
    throw Conflict.at('configuration.flavor', because('server.noFlavor', { flavor }))
  if (ancillary && !outputs.ancillary)
    throw Conflict.at('configuration.ancillary', because('server.noAncillary', {}))
}
