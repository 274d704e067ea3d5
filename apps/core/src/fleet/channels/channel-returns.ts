// Additional data of channels of video return servers: their settings, and the unit that receives their picture.
import type { ServerWanted, WantedReturn } from '@backhaul/contract/gateway/servers'
import { serverTypeOf } from '@backhaul/contract/nouns/servers'
import {
  defaultVrServer,
  defaultVrSettings,
  type VrInput,
  type VrServerConfiguration,
  type VrSettings,
} from '@backhaul/contract/nouns/video-return'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Devices } from '../devices/devices.ts'
import type { Servers } from '../servers/servers.ts'
import type { ChannelChange, ChannelChanges } from './channel-change.ts'
import * as table from './channel-table.ts'

export interface ReturnFacts {
  settings: VrSettings
  /** The unit that receives its picture now. */
  session: WantedReturn['session']
  /** The inputs as its server sees them. */
  inputs: readonly VrInput[]
  slot: string
}

export interface ChannelReturns {
  /** Takes a video return channel for one unit; throws Conflict when it is held or its server is not connected. */
  takeForReturn(
    transaction: DatabaseTransaction,
    id: string,
    session: NonNullable<WantedReturn['session']>,
  ): Promise<ChannelChange>
  /** Undefined for a channel that receives units. */
  videoReturn(id: string): ReturnFacts | undefined
  /** The settings of the whole server; undefined for one without video return. */
  serverConfiguration(serverId: string): VrServerConfiguration | undefined
  configureServer(serverId: string, configuration: VrServerConfiguration): Promise<void>
  changeReturn(
    transaction: DatabaseTransaction,
    id: string,
    next: (now: VrSettings) => VrSettings,
  ): Promise<ChannelChange | undefined>
}

interface Needs extends Pick<ChannelChanges, 'factsOf' | 'changeOf'> {
  db: Database
  devices: Devices
  servers: Servers
  hold(
    transaction: DatabaseTransaction,
    id: string,
    holder: { id: string; unitId: string },
    settingsOf: Parameters<typeof table.takeChannel>[3],
  ): Promise<ChannelChange>
}

export function createChannelReturns(needs: Needs): ChannelReturns {
  const { db, devices, servers, factsOf, hold, changeOf } = needs
  return {
    serverConfiguration: (serverId) => wantedServerOf(devices, serverId),
    async configureServer(serverId, returns) {
      const details = await db.transaction().execute(async (transaction) => {
        const kept = await devices.changeDetails(transaction, serverId, (now) => ({ ...now, returns }))
        const wanted = await devices.changeWanted<ServerWanted>(transaction, serverId, (now) => ({
          ...now,
          returns,
        }))
        return { kept, wanted }
      })
      devices.adoptDetails(details.kept)
      devices.adopt([details.wanted])
    },
    takeForReturn: (transaction, id, session) =>
      hold(transaction, id, session, (now) => ({ videoReturn: { ...wantedReturnOf(now), session } })),
    videoReturn(id) {
      const facts = factsOf(id)
      if (!facts || !isReturnServer(devices, facts.serverId)) return undefined
      const { slot } = facts.settings
      const ports = servers.memory(facts.serverId)?.actual.ports?.find((one) => one.slot === slot)
      return {
        settings: vrSettingsOf(facts.settings),
        session: wantedReturnOf(facts.settings).session,
        inputs: ports?.inputs ?? [],
        slot,
      }
    },
    async changeReturn(transaction, id, next) {
      const held = await table.holdChannel(transaction, id)
      if (!held) return undefined
      const settings = keptVrSettings(held.settings, next(vrSettingsOf(held.settings)))
      return await changeOf(transaction, await table.saveSettings(transaction, held, settings))
    },
  }
}

export const isReturnServer = (devices: Devices, serverId: string): boolean =>
  serverTypeOf(devices.get(serverId)?.productType ?? '') === 'vr_server'

/** Undefined for a server whose channels receive units. */
const wantedServerOf = (devices: Devices, serverId: string): VrServerConfiguration | undefined =>
  isReturnServer(devices, serverId) ? (devices.get(serverId)?.details.returns ?? defaultVrServer) : undefined

/** The return as it is sent to the server; a new channel has no settings yet. */
export function wantedReturnOf({ videoReturn }: table.ChannelSettings): WantedReturn {
  if (videoReturn) return videoReturn
  const { description: _, ...settings } = defaultVrSettings
  return { settings, session: null }
}

const vrSettingsOf = (settings: table.ChannelSettings): VrSettings => ({
  ...wantedReturnOf(settings).settings,
  description: settings.description ?? '',
})

/** The settings of a video return as stored in the row; the present holder keeps the channel. */
const keptVrSettings = (
  now: table.ChannelSettings,
  { description, ...settings }: VrSettings,
): Partial<table.ChannelSettings> => ({ description, videoReturn: { ...wantedReturnOf(now), settings } })
