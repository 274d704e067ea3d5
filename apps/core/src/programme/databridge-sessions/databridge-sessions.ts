// Databridge: the network of a gateway for a crew, as a change of the wanted state of the gateway and of the unit.
import { Conflict } from '@backhaul/contract/define/errors'
import { wordingOf } from '@backhaul/contract/define/refusals'
import type { AdmittedDatabridge } from '@backhaul/contract/gateway/servers'
import type { WantedDatabridge } from '@backhaul/contract/gateway/units'
import { gate } from '@backhaul/contract/nouns/gates'
import { databridgeRefusal } from '@backhaul/contract/nouns/unit-refusals'
import type { Caller } from '../../doors/api/caller.ts'
import type { Databridge } from '../../fleet/databridge/databridge.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import { createTunnels, newTunnel, type TunnelKind, type TunnelNeeds } from '../tunnels/tunnels.ts'

export interface DatabridgeSessions {
  /** Both answer the id under which the command is followed. */
  start(caller: Caller, unitId: string): Promise<string>
  stop(caller: Caller, unitId: string): Promise<string>
  /** Ends what a unit or a gateway that was removed has left. */
  resume(): Promise<void>
  close(): void
}

interface Needs extends TunnelNeeds {
  servers: Servers
  databridge: Databridge
}

const kind: TunnelKind<WantedDatabridge, AdmittedDatabridge> = {
  name: 'databridge',
  ofUnit: ({ databridge }) => databridge,
  atUnit: (databridge) => ({ databridge }),
  ofServer: ({ databridges }) => databridges,
  atServer: (databridges) => ({ databridges }),
  serverOf: ({ gatewayId }) => gatewayId,
  begins: 'start_databridge',
  ends: 'stop_databridge',
  idName: 'databridgeId',
  ended: 'databridge.ended',
  refusals: {
    running: 'databridge.running',
    notRunning: 'databridge.notRunning',
    serverGone: 'databridge.gatewayOffline',
  },
  staysAfter: () => false,
}

export function createDatabridgeSessions(needs: Needs): DatabridgeSessions {
  const { events, servers, units, databridge } = needs
  const tunnels = createTunnels(needs, kind)

  /** The addresses at which units reach the gateway; none while its port is not open. */
  function targetsOf(gatewayId: string): WantedDatabridge['targets'] {
    const port = servers.memory(gatewayId)?.actual.databridgePort
    if (!port || !servers.isOnline(gatewayId)) return []
    return servers.addresses(gatewayId).map((host) => ({ host, port }))
  }

  async function start(caller: Caller, unitId: string): Promise<string> {
    const unit = units.get(caller.scope, unitId)
    if (tunnels.of(unitId)) throw new Conflict('databridge.running')
    const gateway = databridge.selected(caller.scope, unitId)
    const ports = databridge.ports(caller.scope, unitId)
    const refusal = databridgeRefusal(unit, { gateway, ports })
    if (!gateway || refusal !== undefined) throw new Conflict(refusal ?? 'databridge.noGateway')
    const targets = targetsOf(gateway.id)
    if (targets.length === 0) throw new Conflict('databridge.gatewayOffline')
    const { id, key } = newTunnel('db')
    const places = ports.map(({ protocol, host, hostPort }) => ({ protocol, host, hostPort }))
    const opened = ports.map(({ protocol, port }) => ({ protocol, port }))
    return await tunnels.begin(caller, unitId, {
      serverId: gateway.id,
      admit: () => ({ id, unitId, key, ports: places }),
      wanted: { id, gatewayId: gateway.id, key, targets, ports: opened },
    })
  }

  events.on('unitChanged', ({ unitId }) => {
    const unit = tunnels.of(unitId) && units.values(unitId)
    const closed = unit && gate('databridge', { unit })
    if (closed !== undefined) tunnels.withdrawSoon(unitId, wordingOf(closed))
  })
  // A gateway that has started again may have another port too.
  events.on('device:serverReport', ({ deviceId, message: { actual } }) => {
    if (actual.databridgePort === undefined && actual.addresses === undefined) return
    tunnels.followSoon(deviceId, () => targetsOf(deviceId))
  })

  return { start, stop: tunnels.end, resume: tunnels.resume, close: tunnels.close }
}
