// IP pipes that are connected: a change of the wanted state of the server and of the unit, and what ends them.
import { Conflict } from '@backhaul/contract/define/errors'
import { because, wordingOf } from '@backhaul/contract/define/refusals'
import type { AdmittedIpPipe } from '@backhaul/contract/gateway/servers'
import type { WantedIpPipe } from '@backhaul/contract/gateway/units'
import type { IpPipeSettings } from '@backhaul/contract/nouns/ip-pipe'
import { ipPipeRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { Caller } from '../../doors/api/caller.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import { createTunnels, newTunnel, type TunnelKind, type TunnelNeeds } from '../tunnels/tunnels.ts'
import type { IpPipes } from './ip-pipe.ts'

export interface IpPipeSessions {
  /** Both answer the id under which the command is followed. */
  connect(caller: Caller, unitId: string): Promise<string>
  disconnect(caller: Caller, unitId: string): Promise<string>
  /** The server was configured: pipes that do not fit any more end. */
  configured(serverId: string): Promise<void>
  /** Ends what a unit or a server that was removed has left. */
  resume(): Promise<void>
  close(): void
}

interface Needs extends TunnelNeeds {
  servers: Servers
  channels: Channels
}

const kind: Omit<TunnelKind<WantedIpPipe, AdmittedIpPipe>, 'staysAfter'> = {
  name: 'IP pipe',
  ofUnit: ({ ipPipe }) => ipPipe,
  atUnit: (ipPipe) => ({ ipPipe }),
  ofServer: ({ ipPipes }) => ipPipes,
  atServer: (ipPipes) => ({ ipPipes }),
  serverOf: ({ serverId }) => serverId,
  begins: 'connect_ip_pipe',
  ends: 'disconnect_ip_pipe',
  idName: 'ipPipeId',
  ended: 'ipPipe.ended',
  refusals: {
    running: 'ipPipe.running',
    notRunning: 'ipPipe.notRunning',
    serverGone: 'ipPipe.serverOffline',
  },
}

export function createIpPipeSessions(needs: Needs, pipes: IpPipes): IpPipeSessions {
  const { events, devices, servers, channels, units } = needs
  const tunnels = createTunnels(needs, {
    ...kind,
    staysAfter: (unitId) => units.values(unitId)?.ipPipe.state === 'failed',
  })

  const targetsOf = (serverId: string, port: number): WantedIpPipe['targets'] =>
    servers.addresses(serverId).map((host) => ({ host, port }))

  /** The settings that hold now: the server and the channel may be gone, or of another customer, since they were set. */
  function settingsOf(unitId: string, inventoryId: string): IpPipeSettings | null {
    const settings = pipes.settings(unitId)
    if (!settings || devices.get(settings.serverId)?.inventoryId !== inventoryId) return null
    return channels.serverOf(settings.channel) === settings.serverId ? settings : null
  }

  async function connect(caller: Caller, unitId: string): Promise<string> {
    const unit = units.get(caller.scope, unitId)
    const settings = settingsOf(unitId, unit.inventoryId)
    const refusal = ipPipeRefusal(unit, settings)
    if (!settings || refusal !== undefined) throw new Conflict(refusal ?? 'ipPipe.noServer')
    const { serverId, channel, port } = settings
    const network = pipes.network(settings)
    const { id, key } = newTunnel('ip')
    return await tunnels.begin(caller, unitId, {
      serverId,
      admit(now) {
        if (now.some((one) => one.channel === channel))
          throw new Conflict(because('ipPipe.channelTaken', { channel: channels.known(channel)?.name ?? '' }))
        return { id, unitId, channel, key, interface: network }
      },
      wanted: { id, serverId, channel, key, targets: targetsOf(serverId, port) },
    })
  }

  async function configured(serverId: string): Promise<void> {
    const { enabled, interface: usual } = pipes.known(serverId)
    for (const { id, unitId, interface: network } of tunnels.admittedBy(serverId)) {
      const chosen = pipes.settings(unitId)?.interface || usual
      if (!enabled || chosen !== network) await tunnels.withdraw(unitId, id, wordingOf('ipPipe.disabled'))
    }
  }

  events.on('deviceMoved', ({ deviceId }) => {
    for (const { unitId } of tunnels.admittedBy(deviceId))
      tunnels.withdrawSoon(unitId, wordingOf('ipPipe.disabled'))
  })
  events.on('device:serverReport', ({ deviceId, message: { actual } }) => {
    if (actual.addresses === undefined) return
    tunnels.followSoon(deviceId, ({ targets: [first] }) => (first ? targetsOf(deviceId, first.port) : []))
  })

  return {
    connect,
    disconnect: tunnels.end,
    configured,
    resume: tunnels.resume,
    close: tunnels.close,
  }
}
