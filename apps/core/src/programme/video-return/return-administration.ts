// Administration of video return channels and their servers, in addition to that of every channel.

import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import type {
  AdministeredVrChannel,
  NewVrChannel,
  VrChannelChange,
  VrServerConfiguration,
  VrSettings,
} from '@backhaul/contract/nouns/video-return'
import { pageOf, pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import { everything, readsInventory, type Scope } from '../../database/scope.ts'
import type { Found } from '../../doors/api/bind.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import { type ReturnChannels, requireOpen } from './return-channels.ts'

/** A channel of another customer than the caller's is treated like one that does not exist. */
export interface ReturnAdministration {
  page(scope: Scope, query: PageQuery): Promise<Page<AdministeredVrChannel>>
  /** Its own channels and those lent to it. */
  ofInventory(scope: Scope, inventoryId: string, query: PageQuery): Promise<Page<AdministeredVrChannel>>
  one(scope: Scope, id: string): Promise<AdministeredVrChannel>
  create(scope: Scope, settings: NewVrChannel): Promise<AdministeredVrChannel>
  /** Throws Conflict for a name or a port that another channel of the server has. */
  change(scope: Scope, id: string, change: VrChannelChange): Promise<AdministeredVrChannel>
  remove(scope: Scope, id: string, found: Found): Promise<void>
  hosts(scope: Scope): Promise<{ uid: string; name: string; inventoryName: string }[]>
  configuration(scope: Scope, serverId: string): VrServerConfiguration
  configure(scope: Scope, serverId: string, settings: VrServerConfiguration): Promise<VrServerConfiguration>
}

interface Needs {
  db: Database
  inventories: Inventories
  devices: Devices
  channels: Channels
  returnChannels: ReturnChannels
}

const keys = ['name', 'description', 'status', 'serverName', 'inventoryName'] as const

export function createReturnAdministration(needs: Needs): ReturnAdministration {
  const { db, inventories, devices, channels, returnChannels } = needs
  const administration = channels.returnAdministration

  /** Throws NotFound for a channel that receives units, too. */
  async function one(scope: Scope, id: string): Promise<AdministeredVrChannel> {
    const { inventoryName } = await administration.one(scope, id)
    const settings = returnChannels.settings(everything, id)
    return { ...returnChannels.get(everything, id), settings, inventoryName }
  }

  async function all(isMine: (inventoryId: string) => boolean): Promise<AdministeredVrChannel[]> {
    const mine = channels
      .readable(everything)
      .filter(({ uniqueId, inventoryId }) => isMine(inventoryId) && channels.videoReturn(uniqueId))
    return await Promise.all(mine.map(({ uniqueId }) => one(everything, uniqueId)))
  }

  function requirePort(id: string, serverId: string, { destinationPort }: VrSettings): void {
    if (destinationPort === null) return
    const holder = channels
      .readable(everything)
      .find(
        (other) =>
          other.serverId === serverId &&
          other.uniqueId !== id &&
          channels.videoReturn(other.uniqueId)?.settings.destinationPort === destinationPort,
      )
    if (!holder) return
    throw Conflict.at('destinationPort', because('videoReturn.portTaken', { channel: holder.name }))
  }

  async function set(id: string, serverId: string, changes: Partial<VrSettings>): Promise<void> {
    const done = await db.transaction().execute((transaction) =>
      channels.changeReturn(transaction, id, (now) => {
        const next = { ...now, ...changes }
        requireOpen(next, next.input)
        requirePort(id, serverId, next)
        return next
      }),
    )
    channels.adopt([done])
  }

  function server(scope: Scope, id: string): VrServerConfiguration {
    const configuration = channels.serverConfiguration(id)
    const inventoryId = devices.get(id)?.inventoryId
    if (!configuration || inventoryId === undefined || !readsInventory(scope, inventoryId))
      throw new NotFound('server')
    return configuration
  }

  return {
    one,
    page: async (scope, query) =>
      pageOf(await all((inventoryId) => readsInventory(scope, inventoryId)), pagingOf(query, keys)),
    async ofInventory(scope, inventoryId, query) {
      const { id } = await inventories.get(scope, inventoryId)
      const known = await all(() => true)
      const uses = await Promise.all(
        known.map(async (channel) => {
          const window = { limit: 1000, offset: 0 }
          const { items } = await administration.inventories(everything, channel.uniqueId, window)
          return items.some((one) => one.id === id) ? [channel] : []
        }),
      )
      return pageOf(uses.flat(), pagingOf(query, keys))
    },
    async create(scope, { name, serverId, ...settings }) {
      if (settings.input !== null) requireOpen(settings, settings.input)
      requirePort('', serverId, settings)
      const channel = { name, serverId, inputType: null, sdiNo: null }
      const { uniqueId } = await administration.create(scope, channel)
      await set(uniqueId, serverId, settings)
      return await one(scope, uniqueId)
    },
    async change(scope, id, { name, ...changes }) {
      const { serverId, settings } = await one(scope, id)
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      const next = { ...settings, ...given } as VrSettings
      if (next.input !== null && !isOpen(next)) {
        if (changes.input !== undefined) requireOpen(next, next.input)
        // A closed input is deselected where it was chosen.
        Object.assign(given, { input: null })
      }
      await set(id, serverId, given)
      if (name !== undefined) await administration.change(scope, id, { name })
      return await one(scope, id)
    },
    async remove(scope, id, found) {
      found(await one(scope, id))
      await administration.remove(everything, id)
    },
    hosts: async (scope) =>
      (await administration.hosts(scope)).map(({ uid, name, inventoryName }) => ({
        uid,
        name,
        inventoryName,
      })),
    configuration: server,
    async configure(scope, serverId, settings) {
      server(scope, serverId)
      await channels.configureServer(serverId, settings)
      return settings
    },
  }
}

const isOpen = ({ inputs, input }: VrSettings): boolean =>
  inputs.some(({ id, enabled }) => id === input && enabled)
