// The databridge gateway of the hub as the hardware of a server of its own: who is admitted, and where it is reached.
import { isDeepStrictEqual } from 'node:util'
import { type AdmittedTunnel, openTunnelPort } from '@backhaul/bonding/tunnel-port'
import type { ServerTelemetry } from '@backhaul/contract/gateway/gateway'
import type { AdmittedDatabridge, ServerActual } from '@backhaul/contract/gateway/servers'
import type { ServerHardware } from '@backhaul/device/server-hardware'
import type { Log } from '@backhaul/runtime/log'
import { createAllowedPlaces } from './allowed-places.ts'
import { createLeads } from './leads.ts'

export interface GatewayServer {
  readonly hardware: ServerHardware
  stop(): Promise<void>
}

export interface GatewayServerOptions {
  host: string
  /** 0 takes any free one. */
  port: number
  /** Where databridges may lead to. */
  allowed: readonly string[]
  addresses: readonly string[]
  specifications: ServerActual['specifications']
  usage: () => ServerTelemetry['usage']
  log: Log
}

interface Open {
  readonly admitted: AdmittedDatabridge
  close(): void
}

/** Rejects when the port is taken. */
export async function openGatewayServer(options: GatewayServerOptions): Promise<GatewayServer> {
  const { addresses, specifications, usage, log } = options
  const allowed = createAllowedPlaces(options.allowed)
  const tunnels = await openTunnelPort(options.host, options.port)
  const open = new Map<string, Open>()
  let bootedAt = Date.now()
  let onChange = () => {}

  function admit(admitted: AdmittedDatabridge): void {
    const { id, key, ports, unitId } = admitted
    const leads = createLeads({
      ports,
      allowed,
      answer: (datagram) => tunnel.sendDatagram(datagram),
      log: log.child({ unitId }),
    })
    const tunnel: AdmittedTunnel = tunnels.admit({ sessionId: id, key: Buffer.from(key, 'base64'), ...leads })
    open.set(id, {
      admitted,
      close() {
        tunnel.close()
        leads.close()
      },
    })
  }

  function apply(wanted: readonly AdmittedDatabridge[]): void {
    for (const [id, one] of open) {
      if (
        isDeepStrictEqual(
          one.admitted,
          wanted.find((next) => next.id === id),
        )
      )
        continue
      one.close()
      open.delete(id)
    }
    for (const one of wanted) if (!open.has(one.id)) admit(one)
  }

  return {
    hardware: {
      facts: () => ({
        capabilities: { protocolsIn: [], protocolsOut: [], encoders: [], ffmpegVersion: null },
        addresses: [...addresses],
        previewPort: null,
        databridgePort: tunnels.port,
        ports: [],
        loops: [],
        bootedAt,
        ...(specifications && { specifications }),
      }),
      sample: () => ({ usage: usage(), channels: [] }),
      levels: () => [],
      apply: ({ databridges = [] }) => apply(databridges),
      restart() {
        apply([])
        bootedAt = Date.now()
        onChange()
      },
      onChange(listener) {
        onChange = listener
      },
    },
    async stop() {
      apply([])
      await tunnels.close()
    },
  }
}
