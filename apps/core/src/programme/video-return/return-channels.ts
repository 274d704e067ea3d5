// Video return channels for users: the channel, its settings, and its server's report of the inputs.
import { InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import type { Channel } from '@backhaul/contract/nouns/channels'
import {
  type FeedSelectionMode,
  type VideoReturnChannel,
  type VrInput,
  type VrInputId,
  type VrSettings,
  vrIcon,
  vrStatusOf,
} from '@backhaul/contract/nouns/video-return'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'

export interface InputSource extends VrInput {
  enabled: boolean
  taken: boolean
}

export interface ReturnChannels {
  /** Throws NotFound for one outside the caller's scope, and for one that receives units. */
  get(scope: Scope, id: string): VideoReturnChannel
  settings(scope: Scope, id: string): VrSettings
  ofGroup(scope: Scope, groupId: string): Promise<VideoReturnChannel[]>
  inputSources(scope: Scope, id: string): InputSource[]
  capabilities(scope: Scope, id: string): Record<string, boolean>
  addresses(scope: Scope, id: string): { ip: string; port: number | null }[]
  /** Throws InvalidRequest for an input that is closed on the channel. */
  chooseInput(
    scope: Scope,
    id: string,
    choice: { feedSelectionMode: FeedSelectionMode; input: VrInputId | null },
  ): Promise<VideoReturnChannel>
}

type ReturnFacts = NonNullable<ReturnType<Channels['videoReturn']>>

interface Needs {
  db: Database
  clock: Clock
  devices: Devices
  servers: Servers
  channels: Channels
}

export function createReturnChannels({ db, clock, devices, servers, channels }: Needs): ReturnChannels {
  function found(scope: Scope, id: string): [Channel, ReturnFacts] {
    const facts = channels.videoReturn(id)
    if (!facts) throw new NotFound('channel')
    return [channels.get(scope, id), facts]
  }

  function shown(channel: Channel, { settings, session, inputs, slot }: ReturnFacts): VideoReturnChannel {
    const { uniqueId, name, serverId, serverName, inventoryId } = channel
    const status = vrStatusOf(channel.status)
    const taken = status === 'offline' ? null : (channels.telemetry(uniqueId)?.input ?? null)
    const bootedAt = servers.memory(serverId)?.actual.bootedAt
    const isThere = servers.isOnline(serverId) && bootedAt !== undefined
    return {
      uniqueId,
      name,
      serverId,
      serverName,
      inventoryId,
      status,
      description: settings.description,
      uptime: isThere ? Math.max(0, Math.round((clock.nowMs() - bootedAt) / 1000)) : 0,
      serialNumber: `${devices.get(serverId)?.serialNumber ?? ''}-${slot}`,
      inputStandard: inputs.find(({ id }) => id === taken)?.standard ?? '',
      inputParameters: {
        ...(taken !== null && { input: taken }),
        codec: settings.video.codec,
        bitrateKbps: settings.video.bitrateKbps,
        audioChannels: settings.audio.channels,
      },
      p2MPStreamingStatuses: session ? { [session.unitId]: status } : {},
      urlData: channels.targets(uniqueId).map(({ host, port }) => `rist://${host}:${port}`),
      icon: vrIcon(status),
      feedSelectionMode: settings.feedSelectionMode,
      inputs: [...inputs],
      input: taken,
      unitUid: session?.unitId ?? null,
      unitName: session ? (devices.get(session.unitId)?.name ?? null) : null,
    }
  }

  const get = (scope: Scope, id: string) => shown(...found(scope, id))

  return {
    get,
    settings: (scope, id) => found(scope, id)[1].settings,
    async ofGroup(scope, groupId) {
      return (await channels.ofGroup(scope, groupId)).flatMap((channel) => {
        const facts = channels.videoReturn(channel.uniqueId)
        return facts ? [shown(channel, facts)] : []
      })
    },
    inputSources(scope, id) {
      const { inputs, input: taken } = get(scope, id)
      const [, { settings }] = found(scope, id)
      return settings.inputs.map((one) => ({
        ...one,
        connected: false,
        standard: '',
        ...inputs.find((seen) => seen.id === one.id),
        taken: one.id === taken,
      }))
    },
    capabilities(scope, id) {
      const [{ serverId }, { settings }] = found(scope, id)
      const encoders = servers.memory(serverId)?.actual.capabilities?.encoders ?? []
      return {
        h264: encoders.includes('libx264'),
        h265: encoders.includes('libx265'),
        store: servers.memory(serverId)?.actual.capabilities !== undefined,
        customFeed: settings.feedSelectionMode === 'custom',
      }
    },
    addresses(scope, id) {
      found(scope, id)
      return channels.addresses(scope, id)
    },
    async chooseInput(scope, id, choice) {
      found(scope, id)
      const change = await db.transaction().execute((transaction) =>
        channels.changeReturn(transaction, id, (now) => {
          requireOpen(now, choice.input)
          return { ...now, ...choice }
        }),
      )
      channels.adopt([change])
      return get(scope, id)
    },
  }
}

/** An input that administration has closed on the channel cannot be chosen. */
export function requireOpen({ inputs }: VrSettings, input: VrInputId | null): void {
  if (input === null || inputs.some(({ id, enabled }) => id === input && enabled)) return
  throw InvalidRequest.at('input', 'videoReturn.inputClosed')
}
