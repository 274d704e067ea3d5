// All video return channels of the hub, as core wants them.
import { join } from 'node:path'
import type { ChannelPorts, ChannelTelemetry, ServerWanted } from '@backhaul/contract/gateway/servers'
import { defaultVrServer, returnPorts } from '@backhaul/contract/nouns/video-return'
import type { Log } from '@backhaul/runtime/log'
import type { ReturnSource, UsableFfmpeg } from '../messages.ts'
import type { PreviewSource } from '../previews/preview-source.ts'
import { createReturnChannel, type ReturnChannel } from './return-channel.ts'
import { createReturnInputs, type ReturnInputsOptions } from './return-inputs.ts'

export interface Returns {
  apply(wanted: ServerWanted): void
  /** Called several times a second; true when a status changed. */
  tick(): boolean
  report(): { ports: ChannelPorts[]; channels: ChannelTelemetry[] }
  find(channelId: string): PreviewSource | undefined
  stop(): Promise<void>
}

export interface ReturnsOptions {
  sources: readonly ReturnSource[]
  ffmpeg: UsableFfmpeg
  host: string
  dataFolder: string
  channelOf: ReturnInputsOptions['channelOf']
  /** A port was opened or closed. */
  onChange: () => void
  log: Log
}

export function createReturns(options: ReturnsOptions): Returns {
  const { sources, ffmpeg, host, dataFolder, channelOf, onChange, log } = options
  const inputs = createReturnInputs({ sources, ffmpegPath: ffmpeg.path, channelOf })
  const channels = new Map<string, ReturnChannel>()

  return {
    apply(wanted) {
      const { firstPort, latencyMs } = wanted.returns ?? defaultVrServer
      const ports = returnPorts(wanted.channels, firstPort)
      const isWanted = (slot: string) => wanted.channels.some((channel) => channel.slot === slot)
      for (const [slot, channel] of channels) {
        if (isWanted(slot)) continue
        channels.delete(slot)
        void channel.stop()
      }
      for (const next of wanted.channels) {
        const isFixed = (next.videoReturn?.settings.destinationPort ?? null) !== null
        const place = { port: ports.get(next.slot) ?? 0, isFixed }
        const known = channels.get(next.slot)
        if (known) known.apply(next, place, latencyMs)
        else
          channels.set(
            next.slot,
            createReturnChannel({
              wanted: next,
              place,
              latencyMs,
              host,
              inputs,
              ffmpeg,
              folder: join(dataFolder, 'returns'),
              onChange,
              log: log.child({ slot: next.slot }),
            }),
          )
      }
    },
    tick: () => [...channels.values()].map((channel) => channel.tick()).includes(true),
    report: () => ({
      ports: [...channels.values()].map((channel) => channel.ports()),
      channels: [...channels.values()].map((channel) => channel.telemetry()),
    }),
    find: (id) => [...channels.values()].find((channel) => channel.channelId() === id),
    async stop() {
      inputs.stop()
      await Promise.all([...channels.values()].map((channel) => channel.stop()))
    },
  }
}
