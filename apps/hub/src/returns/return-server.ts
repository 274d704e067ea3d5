// The video return of the hub as the hardware of a server of its own: what control knows of it.
import type { ServerTelemetry } from '@backhaul/contract/gateway/gateway'
import type {
  ChannelPorts,
  ChannelTelemetry,
  ServerActual,
  ServerWanted,
} from '@backhaul/contract/gateway/servers'
import type { ServerCapabilities } from '@backhaul/contract/nouns/servers'
import type { ServerHardware } from '@backhaul/device/server-hardware'

export interface ReturnServer extends ServerHardware {
  /** Stores a report of the media thread. */
  note(ports: ChannelPorts[], channels: ChannelTelemetry[]): void
  /** The media thread has started again, or its door for previews is another one. */
  changed(): void
}

export interface ReturnServerOptions {
  /** The capabilities of the whole hub. */
  capabilities: ServerCapabilities
  addresses: readonly string[]
  specifications: ServerActual['specifications']
  previewPort: () => number | null
  usage: () => ServerTelemetry['usage']
  apply: (wanted: ServerWanted) => void
}

export function createReturnServer(options: ReturnServerOptions): ReturnServer {
  const { addresses, specifications, previewPort, usage, apply } = options
  const { encoders, ffmpegVersion } = options.capabilities
  const capabilities = { protocolsIn: [], protocolsOut: ['bonded'], encoders, ffmpegVersion }
  let bootedAt = Date.now()
  let ports: ChannelPorts[] = []
  let channels: ChannelTelemetry[] = []
  let onChange = () => {}
  return {
    note(nextPorts, nextChannels) {
      ports = nextPorts
      channels = nextChannels
      onChange()
    },
    changed: () => onChange(),
    facts: () => ({
      capabilities,
      addresses: [...addresses],
      previewPort: previewPort(),
      ports,
      loops: [],
      bootedAt,
      ...(specifications && { specifications }),
    }),
    sample: () => ({ usage: usage(), channels }),
    levels: () => [],
    apply,
    restart() {
      apply({ channels: [] })
      bootedAt = Date.now()
    },
    onChange(listener) {
      onChange = listener
    },
  }
}
