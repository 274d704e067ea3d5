// The hub as the hardware of a server's brain: its facts, its figures, and how a wanted state is applied.
import type { Levels } from '@backhaul/contract/gateway/gateway'
import type {
  ChannelPorts,
  ChannelTelemetry,
  ServerFailure,
  ServerWanted,
} from '@backhaul/contract/gateway/servers'
import type { ServerCapabilities } from '@backhaul/contract/nouns/servers'
import type { ServerHardware } from '@backhaul/device/server-hardware'
import type { Log } from '@backhaul/runtime/log'
import type { LogTail } from '@backhaul/runtime/log-tail'
import { ifbInterfaces } from './audio-rooms/ifbs.ts'
import { createFileStore } from './files/file-store.ts'
import { openHotFolder } from './files/hot-folder.ts'
import { watchIngestFolder } from './files/ingest-folder.ts'
import type { UploadPort } from './files/upload-port.ts'
import { inputAddressOf } from './intake/addresses.ts'
import { type MediaThread, startMediaThread } from './media-thread.ts'
import type { ChannelCounts, FromMedia, HubSlot, MediaSettings } from './messages.ts'
import { createOverlayStore } from './outputs/overlay-store.ts'
import { makeRoom } from './ports.ts'
import { createReturnServer } from './returns/return-server.ts'
import { readSpecifications } from './specifications.ts'
import { createUsageMeter } from './usage.ts'

export interface Hub extends Pick<MediaThread, 'setPreviewKey' | 'restart' | 'stop'> {
  readonly hardware: Required<
    Omit<ServerHardware, 'upgrade' | 'startInstalled' | 'tallies' | 'uploadTunnels'>
  > &
    Pick<ServerHardware, 'uploadTunnels'>
  /** The video return as a server of its own; undefined where the hub returns no video. */
  readonly returns: ServerHardware | undefined
  /** It has a hot folder, and follows the settings for it. */
  readonly publishes: boolean
  /** The media thread is ready for the first time. */
  readonly ready: Promise<void>
  /** Present figures of each channel, for metrics. */
  channels(): { figures: ChannelTelemetry; counts: ChannelCounts }[]
}

export interface HubOptions {
  settings: MediaSettings
  capabilities: ServerCapabilities
  addresses: readonly string[]
  /** Its location as set by its owner. */
  region: string | null
  /** A folder in which finished files are published; it needs ffmpeg. */
  hotFolder?: string | undefined
  /** A folder from which files of other systems are taken. */
  ingestFolder?: string | undefined
  /** The port to which units send files over all their links; without it, files come through core. */
  uploadPort?: UploadPort | undefined
  /** Where the public reaches the door for it, if not at the address and port of the hub: a proxy. */
  webUrl?: string | undefined
  /** The recent log lines of the hub; lines about one channel carry its slot. */
  logs: LogTail
  log: Log
}

export function createHub(options: HubOptions): Hub {
  const { settings, capabilities, addresses, uploadPort, webUrl, logs, log } = options
  const { dataFolder, ffmpeg } = settings
  const usage = createUsageMeter(dataFolder)
  const specifications = readSpecifications(dataFolder)
  let bootedAt = Date.now()
  let onReady = () => {}
  const { promise: ready, resolve: resolveReady } = Promise.withResolvers<void>()
  let previewPort: number | null = null
  let speechPort: number | null = null
  let webPort: number | undefined
  let slots = settings.slots
  let loops: string[] = []
  let channels: ChannelTelemetry[] = []
  let counts: ChannelCounts[] = []
  let audioSessions: string[] = []
  let failures: ServerFailure[] = []
  let levels: Levels['channels'] = []
  let onChange = () => {}

  function receive(message: FromMedia): void {
    switch (message.type) {
      case 'ready':
        previewPort = message.previewPort
        speechPort = message.speechPort
        webPort = message.webPort
        // Reports of the previous thread about its channels are outdated.
        channels = []
        counts = []
        audioSessions = []
        failures = []
        resolveReady()
        onReady()
        onChange()
        returns?.changed()
        break
      case 'returns':
        returns?.note(message.ports, message.channels)
        break
      case 'moved':
        onChange()
        break
      case 'loops':
        loops = message.loops
        onChange()
        break
      case 'channels':
        channels = message.channels
        counts = message.counts
        audioSessions = message.audioSessions
        failures = message.failures
        break
      case 'levels':
        levels = message.channels
        break
      case 'logLine':
        logs.note(message.line, message.slot)
    }
  }

  const media = startMediaThread({ settings, onMessage: receive, log })
  const returns =
    ffmpeg && settings.returnSources.length > 0
      ? createReturnServer({
          capabilities,
          addresses,
          specifications,
          previewPort: () => previewPort,
          usage: createUsageMeter(dataFolder).read,
          apply: media.applyReturns,
        })
      : undefined
  const webAddress = () => (webPort === undefined ? null : (webUrl ?? `http://{host}:${webPort}`))
  const overlays = createOverlayStore(dataFolder)
  let wanted: ServerWanted = { channels: [] }
  const hotFolder =
    options.hotFolder !== undefined && ffmpeg
      ? openHotFolder({
          folder: options.hotFolder,
          dataFolder,
          ffmpegPath: ffmpeg.path,
          nameOfChannel: (id) => wanted.channels.find(({ channelId }) => channelId === id)?.name,
          log,
        })
      : undefined
  const files = createFileStore({
    dataFolder,
    ffmpegPath: ffmpeg?.path,
    hotFolder,
    channels: () => channels,
    play: (channelId, fileId, path) => media.post({ type: 'play', channelId, fileId, path }),
    stopPlaying: (channelId, fileId) => media.post({ type: 'stopPlaying', channelId, fileId }),
    log,
  })
  const ingest =
    options.ingestFolder === undefined
      ? undefined
      : watchIngestFolder({
          folder: options.ingestFolder,
          dataFolder,
          places: () => [
            ...wanted.channels.map(({ channelId, name: folder }) => ({ channelId, folder })),
            ...(wanted.ingest ?? []),
          ],
          onTaken: files.rescan,
          log,
        })
  return {
    ready,
    channels: () =>
      channels.flatMap((figures) => {
        const own = counts.find(({ channelId }) => channelId === figures.channelId)
        return own ? [{ figures, counts: own }] : []
      }),
    setPreviewKey: media.setPreviewKey,
    restart: media.restart,
    returns,
    publishes: hotFolder !== undefined,
    async stop() {
      await ingest?.stop()
      await Promise.all([files.close(), hotFolder?.close(), uploadPort?.close(), media.stop()])
    },
    hardware: {
      files,
      ...(uploadPort && { uploadTunnels: uploadPort }),
      facts: () => ({
        capabilities,
        addresses: [...addresses],
        previewPort,
        webAddress: webAddress(),
        speechPort,
        uploadPort: uploadPort?.port ?? null,
        ...(settings.ifbSources.length > 0 && { interfaces: ifbInterfaces(settings.ifbSources) }),
        ports: previewPort === null ? [] : slots.map((slot) => portsOf(media.placed(slot), webAddress())),
        region: options.region,
        loops,
        overlays: overlays.ids(),
        bootedAt,
        specifications,
      }),
      sample: () => ({ usage: usage.read(), channels, audioSessions, failures }),
      levels() {
        const collected = levels
        levels = []
        return collected
      },
      async apply(next) {
        slots = await makeRoom(slots.map(media.placed), next, {
          unitHost: settings.unitHost,
          hasWebDoor: settings.web !== undefined,
        })
        wanted = next
        hotFolder?.apply(wanted.settings ?? {})
        overlays.keepOnly(wanted)
        media.apply(overlays.withHeld(wanted), slots)
        onChange()
      },
      overlays: {
        async put(id, png) {
          await overlays.put(id, png)
          media.apply(overlays.withHeld(wanted), slots)
          onChange()
        },
      },
      async restart() {
        const again = new Promise<void>((resolve) => {
          onReady = resolve
        })
        media.restart()
        await again
        bootedAt = Date.now()
      },
      // Lines about the machine, the network and core concern all channels of a hub.
      logs(channelId) {
        const slot = wanted.channels.find((channel) => channel.channelId === channelId)?.slot
        return logs.text((about) => about === undefined || about === slot)
      },
      onChange(listener) {
        onChange = listener
      },
    },
  }
}

const portsOf = (place: HubSlot, webAddress: string | null): ChannelPorts => ({
  slot: place.slot,
  ristPort: place.intake === 'bonded' ? place.port : null,
  inputAddress: inputAddressOf(place, webAddress),
})
