// The databridge gateway of the hub as the hardware of a server of its own: who is admitted, and where it is reached.
import { isDeepStrictEqual } from 'node:util'
import { type AdmittedTunnel, openTunnelPort, type TunnelPort } from '@backhaul/bonding/tunnel-port'
import type { ServerTelemetry } from '@backhaul/contract/gateway/gateway'
import type { AdmittedDatabridge, ServerActual } from '@backhaul/contract/gateway/servers'
import type { ServerHardware } from '@backhaul/device/server-hardware'
import type { Log } from '@backhaul/runtime/log'
import { failureOf } from '../failures.ts'
import { keepPort } from '../kept-port.ts'
import { createAllowedPlaces } from './allowed-places.ts'
import { createGatewayConnections } from './gateway-connections.ts'

export interface GatewayServer {
  readonly hardware: ServerHardware
  stop(): Promise<void>
}

export interface GatewayServerOptions {
  host: string
  /** 0 takes any free one. */
  port: number
  /** The addresses that databridges may lead to. */
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

/** A port that is taken is reported, and tried again every 5 s. */
export function openGatewayServer(options: GatewayServerOptions): GatewayServer {
  const { addresses, specifications, usage, log } = options
  const allowed = createAllowedPlaces(options.allowed)
  let wanted: readonly AdmittedDatabridge[] = []
  const open = new Map<string, Open>()
  let bootedAt = Date.now()
  let onChange = () => {}
  const kept = keepPort<TunnelPort>({
    name: 'databridges',
    port: () => options.port,
    open: () => openTunnelPort(options.host, options.port),
    onChange() {
      apply(wanted)
      onChange()
    },
    log,
  })

  function admit(port: TunnelPort, admitted: AdmittedDatabridge): void {
    const { id, key, ports, unitId } = admitted
    const connections = createGatewayConnections({
      ports,
      allowed,
      answer: (datagram) => tunnel.sendDatagram(datagram),
      log: log.child({ unitId }),
    })
    const tunnel: AdmittedTunnel = port.admit({
      sessionId: id,
      key: Buffer.from(key, 'base64'),
      ...connections,
    })
    open.set(id, {
      admitted,
      close() {
        tunnel.close()
        connections.close()
      },
    })
  }

  function apply(next: readonly AdmittedDatabridge[]): void {
    wanted = next
    for (const [id, one] of open) {
      if (
        isDeepStrictEqual(
          one.admitted,
          wanted.find((now) => now.id === id),
        )
      )
        continue
      one.close()
      open.delete(id)
    }
    const port = kept.opened()
    for (const one of wanted) if (port && !open.has(one.id)) admit(port, one)
  }

  return {
    hardware: {
      facts: () => ({
        capabilities: { protocolsIn: [], protocolsOut: [], encoders: [], ffmpegVersion: null },
        addresses: [...addresses],
        previewPort: null,
        databridgePort: kept.opened()?.port ?? null,
        ports: [],
        loops: [],
        bootedAt,
        ...(specifications && { specifications }),
      }),
      sample() {
        const failure = kept.failure()
        return {
          usage: usage(),
          channels: [],
          failures: failure ? [failureOf('databridgeFailed', failure)] : [],
        }
      },
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
      await kept.close()
    },
  }
}
