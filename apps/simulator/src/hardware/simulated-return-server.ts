/** The simulated hardware of one video return server: inputs from a studio, and channels that units fetch a picture from. */
import type { PlainCode } from '@backhaul/contract/define/refusals'
import type { ChannelTelemetry, ServerWanted, WantedChannel } from '@backhaul/contract/gateway/servers'
import type { ChannelSlot } from '@backhaul/contract/gateway/shared'
import {
  defaultVrServer,
  feedOf,
  returnPorts,
  returnStatus,
  type VrInput,
  VrInputId,
} from '@backhaul/contract/nouns/video-return'
import type { ServerFacts, ServerHardware } from '@backhaul/device/server-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { ReturnServerPlan } from '../fleet/fleet.ts'
import { Random, seedOf } from '../random.ts'
import type { Flow, Media } from './media.ts'
import { RESTART_MS } from './simulated-server.ts'

export interface SimulatedReturnServerOptions {
  plan: ReturnServerPlan
  seed: number
  media: Media
  clock: Clock
  /** The number of loops that a real hub generates; a channel without a real picture borrows one. */
  loops: number
}

interface ReturnChannel {
  wanted: WantedChannel
  port: number
  flow: Flow | undefined
  unlisten: () => void
}

export class SimulatedReturnServer implements ServerHardware {
  readonly plan: ReturnServerPlan
  readonly slots: ChannelSlot[]
  readonly #media: Media
  readonly #clock: Clock
  readonly #random: Random
  readonly #loops: number
  readonly #channels = new Map<string, ReturnChannel>()
  #bootedAtMs: number
  #storage: number
  #listener: () => void = () => {}

  constructor({ plan, seed, media, clock, loops }: SimulatedReturnServerOptions) {
    this.plan = plan
    this.#media = media
    this.#clock = clock
    this.#loops = loops
    this.#random = new Random(seedOf('return server life', seed, plan.serialNumber))
    this.#storage = this.#random.between(10, 40)
    this.#bootedAtMs = clock.nowMs() - this.#random.whole(3_600_000, 40 * 86_400_000)
    this.slots = plan.channelNames.map((name, index) => ({
      slot: String(index + 1),
      name,
      inputType: null,
    }))
  }

  /** The studio feeds two inputs of each channel; the last channel has no cable. */
  #inputsOf(slot: string): VrInput[] {
    const isWired = slot !== this.slots.at(-1)?.slot
    return VrInputId.options.map((id, index) => {
      const connected = isWired && index < 2
      return { id, connected, standard: connected ? this.plan.standard : '' }
    })
  }

  facts(): ServerFacts {
    return {
      capabilities: {
        protocolsIn: ['sdi'],
        protocolsOut: ['bonded'],
        encoders: ['libx264', 'libx265'],
        ffmpegVersion: null,
      },
      addresses: [this.plan.host],
      previewPort: null,
      ports: [...this.#channels.values()].map(({ wanted: { slot }, port }) => ({
        slot,
        ristPort: null,
        inputAddress: null,
        returnPort: port,
        inputs: this.#inputsOf(slot),
      })),
      loops: [],
      bootedAt: this.#bootedAtMs,
    }
  }

  apply(wanted: ServerWanted): void {
    const left = new Set(this.#channels.keys())
    const ports = returnPorts(wanted.channels, (wanted.returns ?? defaultVrServer).firstPort)
    for (const next of wanted.channels) {
      left.delete(next.slot)
      const channel = this.#channels.get(next.slot)
      const hasOther = channel?.wanted.videoReturn?.session?.id !== next.videoReturn?.session?.id
      if (channel && hasOther) this.#cut(channel, 'videoReturn.otherUnit')
      const port = ports.get(next.slot) ?? 0
      if (channel?.port === port) channel.wanted = next
      else this.#listen(next, port)
    }
    for (const slot of left) this.#close(slot)
    this.#listener()
  }

  #listen(wanted: WantedChannel, port: number): void {
    this.#close(wanted.slot)
    const unlisten = this.#media.listen(this.plan.host, port, (flow, key) =>
      this.#letFetch(wanted.slot, flow, key),
    )
    this.#channels.set(wanted.slot, { wanted, port, flow: undefined, unlisten })
  }

  /** Only for the unit that has the channel, and only while there is a picture. */
  #letFetch(slot: string, flow: Flow, key: string): boolean {
    const channel = this.#channels.get(slot)
    const session = channel?.wanted.videoReturn?.session
    if (!channel || session?.id !== flow.transmissionId || session.key !== key) return false
    if (!this.#feed(channel)) return false
    channel.flow = flow
    return true
  }

  #feed({ wanted: { slot, videoReturn } }: ReturnChannel): VrInput | undefined {
    return videoReturn && feedOf(videoReturn.settings, this.#inputsOf(slot), videoReturn.session?.input)
  }

  #cut(channel: ReturnChannel, why: PlainCode): void {
    channel.flow?.end(why)
    channel.flow = undefined
  }

  #close(slot: string): void {
    const channel = this.#channels.get(slot)
    if (!channel) return
    channel.unlisten()
    this.#cut(channel, 'channel.gone')
    this.#channels.delete(slot)
  }

  sample(): ReturnType<ServerHardware['sample']> {
    const channels = [...this.#channels.values()].map((channel) => this.#measure(channel))
    const collecting = channels.filter(({ status }) => status === 'collecting').length
    const stored = channels.filter(({ recording }) => recording).length
    this.#storage = Math.min(93, this.#storage + stored * 0.0005)
    return {
      usage: {
        cpuPercent: tenths(5 + 7 * collecting + Math.abs(this.#random.noise())),
        memoryPercent: tenths(18 + collecting),
        storagePercent: tenths(this.#storage),
      },
      channels,
    }
  }

  #measure(channel: ReturnChannel): ChannelTelemetry {
    const { wanted } = channel
    if (channel.flow && !channel.flow.isOpen) channel.flow = undefined
    const feed = this.#feed(channel)
    if (!feed) this.#cut(channel, 'input.noSignal')
    const { settings, session = null } = wanted.videoReturn ?? {}
    const { flow } = channel
    if (flow && settings)
      flow.kbps = Math.round(settings.video.bitrateKbps * this.#random.between(0.96, 1.03))
    const isFetched = flow !== undefined
    const codec = settings?.video.codec === 'H.265' ? 'hevc' : 'h264'
    return {
      channelId: wanted.channelId,
      status: returnStatus(feed !== undefined, session !== null, isFetched),
      transmissionId: session?.id ?? null,
      kbps: flow?.kbps ?? 0,
      continuityErrors: 0,
      recovered: flow?.recovered ?? 0,
      uncorrected: flow?.uncorrected ?? 0,
      bufferMs: 0,
      video: isFetched ? { codec, width: 1920, height: 1080, fps: this.plan.fps } : null,
      health: isFetched ? { black: false, frozen: false, silent: settings?.audio.channels === 0 } : null,
      source: 'srt',
      recording: isFetched && settings?.store === true,
      previewOf: isFetched && this.#loops > 0 ? `loop-${1 + (seedOf(wanted.channelId) % this.#loops)}` : null,
      playing: [],
      outputs: [],
      input: feed?.id ?? null,
    }
  }

  /** The crew hears the returned sound; it is not measured here. */
  levels(): [] {
    return []
  }

  async restart(): Promise<void> {
    for (const slot of [...this.#channels.keys()]) this.#close(slot)
    await new Promise<void>((resolve) => this.#clock.setTimeout(resolve, RESTART_MS))
    this.#bootedAtMs = this.#clock.nowMs()
  }

  onChange(listener: () => void): void {
    this.#listener = listener
  }
}

const tenths = (value: number) => Math.round(value * 10) / 10
