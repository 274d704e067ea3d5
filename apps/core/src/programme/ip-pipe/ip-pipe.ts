// IP pipes: which servers hold them and how, and the settings of a unit. They are connected by ip-pipe-sessions.ts.
import type { IpPipeServer } from '@backhaul/contract/api/ip-pipe'
import type { Page } from '@backhaul/contract/define/answers'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import {
  type IpPipeConfiguration,
  type IpPipeSettings,
  noIpPipe,
  type ServerEthernet,
} from '@backhaul/contract/nouns/ip-pipe'
import type { Server } from '@backhaul/contract/nouns/servers'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { ipPipeFault } from '@backhaul/contract/nouns/unit-refusals'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'

/** A server outside the caller's scope is treated as absent, and so is one of another type. */
export interface IpPipes {
  configuration(scope: Scope, serverId: string): IpPipeConfiguration
  /** Keeps fields that are not given. Throws Conflict for a server that cannot, or does not have the network. */
  configure(scope: Scope, serverId: string, changes: IpPipeConfigurationChange): Promise<IpPipeConfiguration>
  /** Without a check of the caller's scope. */
  known(serverId: string): IpPipeConfiguration
  ethernets(scope: Scope, serverId: string): ServerEthernet[]
  /** MMH servers of the customer, by name; all, or those that can hold a pipe. */
  servers(scope: Scope, inventoryId: string, query: ServersQuery): Promise<Page<IpPipeServer>>
  /** Throws Conflict while the pipe is connected, and for a network that the server does not have. */
  setUnit(scope: Scope, unitId: string, settings: IpPipeSettings): Promise<void>
  settings(unitId: string): IpPipeSettings | null
  /** The network into which the pipe of a unit leads now; throws Conflict where it leads nowhere. */
  network(settings: IpPipeSettings): string
}

export type IpPipeConfigurationChange = {
  [Name in keyof IpPipeConfiguration]?: IpPipeConfiguration[Name] | undefined
}

interface ServersQuery {
  searchKey?: 'ipPipe' | undefined
  offset: number
  limit: number
}

interface Needs {
  db: Database
  devices: Devices
  servers: Servers
  channels: Channels
  units: Units
  inventories: Inventories
}

export function createIpPipes({ db, devices, servers, channels, units, inventories }: Needs): IpPipes {
  const configurationOf = (serverId: string): IpPipeConfiguration =>
    (devices.get(serverId)?.wanted as ServerWanted | undefined)?.ipPipe ?? noIpPipe
  const ethernetsOf = (serverId: string) => servers.memory(serverId)?.actual.ethernets ?? []

  function mmhServer(scope: Scope, serverId: string): Server {
    const server = servers.get(scope, serverId)
    if (server.type !== 'mmh_server') throw new NotFound('server')
    return server
  }

  function requireNetwork(serverId: string, name: string): void {
    if (!ethernetsOf(serverId).some((one) => one.name === name))
      throw Conflict.at('interface', 'ipPipe.noNetwork')
  }

  return {
    configuration(scope, serverId) {
      mmhServer(scope, serverId)
      return configurationOf(serverId)
    },
    async configure(scope, serverId, changes) {
      const { capabilities } = mmhServer(scope, serverId)
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      const next: IpPipeConfiguration = { ...configurationOf(serverId), ...given }
      // A pipe can be switched off, even when the server no longer supports it.
      if (next.enabled && capabilities?.ipPipe !== true) throw new Conflict('ipPipe.serverCannot')
      if (next.enabled) requireNetwork(serverId, next.interface)
      const change = await db.transaction().execute((transaction) =>
        devices.changeWanted<ServerWanted>(transaction, serverId, (now) => ({
          ...now,
          ipPipe: { ...(now.ipPipe ?? noIpPipe), ...given },
        })),
      )
      devices.adopt([change])
      return configurationOf(serverId)
    },
    known: configurationOf,
    ethernets(scope, serverId) {
      mmhServer(scope, serverId)
      return [...ethernetsOf(serverId)]
    },
    async servers(scope, inventoryId, { searchKey, offset, limit }) {
      await inventories.get(scope, inventoryId)
      const found = servers
        .ofType(scope, 'mmh_server')
        .filter((server) => server.inventoryId === inventoryId)
        .filter(({ capabilities }) => searchKey === undefined || capabilities?.ipPipe === true)
        .map(({ deviceId, name, state, capabilities }) => ({
          deviceId,
          name,
          state,
          capabilities,
          configuration: configurationOf(deviceId),
          ethernets: [...ethernetsOf(deviceId)],
        }))
      return { items: found.slice(offset, offset + limit), total: found.length, offset, limit }
    },
    async setUnit(scope, unitId, settings) {
      const unit = units.get(scope, unitId)
      const { inventoryId, capabilities } = mmhServer(scope, settings.serverId)
      if (inventoryId !== unit.inventoryId) throw new NotFound('server')
      if (channels.get(scope, settings.channel).serverId !== settings.serverId) throw new NotFound('channel')
      if (capabilities?.ipPipe !== true) throw Conflict.at('serverId', 'ipPipe.serverCannot')
      if (settings.interface !== '') requireNetwork(settings.serverId, settings.interface)
      const fault = ipPipeFault(unit)
      if (fault !== undefined) throw new Conflict(fault)
      await devices.updateDetails(unitId, (now) => ({ ...now, ipPipe: settings }))
      units.addEvent(unitId, 'settings', unitEvent('settings.ipPipe', {}))
    },
    settings: (unitId) => devices.get(unitId)?.details.ipPipe ?? null,
    network({ serverId, interface: chosen }) {
      const { enabled, interface: usual } = configurationOf(serverId)
      if (!servers.isOnline(serverId)) throw new Conflict('ipPipe.serverOffline')
      if (!enabled || !servers.memory(serverId)?.actual.ipPipePort) throw new Conflict('ipPipe.disabled')
      const name = chosen || usual
      requireNetwork(serverId, name)
      return name
    },
  }
}
