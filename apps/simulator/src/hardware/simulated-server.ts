/** The simulated hardware of one receiving server: channels that receive units, with figures but without pictures. */
import type { ChannelTelemetry, ServerWanted, WantedChannel } from '@backhaul/contract/gateway/servers'
import type { ChannelSlot } from '@backhaul/contract/gateway/shared'
import type { AudioLevel } from '@backhaul/contract/nouns/channels'
import type { FollowedSetting } from '@backhaul/contract/nouns/servers'
import type { ServerFacts, ServerHardware, ServerTallies } from '@backhaul/device/server-hardware'
import type { Upgrade } from '@backhaul/device/upgrading'
import type { Clock } from '@backhaul/runtime/clock'
import type { ServerPlan } from '../fleet/fleet.ts'
import { Random, seedOf } from '../random.ts'
import type { Footage } from './footage.ts'
import { createInstall } from './install.ts'
import type { Flow, Media } from './media.ts'
import { SimulatedCopies } from './simulated-copies.ts'
import { SimulatedFiles } from './simulated-files.ts'
import { outputStatuses } from './simulated-outputs.ts'

export interface SimulatedServerOptions {
  plan: ServerPlan
  seed: number
  media: Media
  clock: Clock
  /** Sound levels are reported for at most this many channels, since they come five times a second. */
  channelsWithLevels: number
  /** The number of loops that a real hub generates; a channel without a real picture borrows one. */
  loops: number
  /** The contents of its files, and the port where core fetches them; without it they are only listed. */
  content?: { footage: Footage; port: number } | undefined
}

/** The others are about a disk, a clock or ports, none of which a simulated server has. */
const followed: FollowedSetting[] = ['IFBMode']
const firstPort = 20_000
/** The cameras of one unit that a group channel receives. */
const camerasAtOnce = 4
/** The time for which a server that restarts is unreachable for its units. */
export const RESTART_MS = 4000
/** A collecting channel without a flow for this long counts as connecting again. */
const quietMs = 3000
/** The most interfaces of each kind. */
const interfacesAtMost = 32
/** The time for which a source is in the programme of the vision mixer. */
const cutEveryMs = 15_000

/** The port at which a channel receives its unit. */
interface Place {
  port: number
  isMade: boolean
  stop: () => void
}

interface SimulatedChannel {
  wanted: WantedChannel
  flow: Flow | undefined
  /** The copies that it sends on. */
  copies: SimulatedCopies
  flowAtMs: number
  /** When the present flow began, or else the channel. */
  fedSinceMs: number
  loudness: number
}

export class SimulatedServer implements ServerHardware {
  readonly plan: ServerPlan
  readonly slots: ChannelSlot[]
  readonly files: SimulatedFiles
  readonly overlays = { put: (id: string) => this.#putOverlay(id) }
  readonly tallies: ServerTallies = {
    on: () => this.#inProgramme,
    onChange: (listener) => {
      this.#onCut = listener
    },
  }
  readonly upgrade: Upgrade
  readonly #media: Media
  readonly #clock: Clock
  readonly #random: Random
  readonly #channelsWithLevels: number
  readonly #loops: number
  readonly #filePort: number | null
  readonly #channels = new Map<string, SimulatedChannel>()
  readonly #places = new Map<string, Place>()
  #bootedAtMs: number
  #cpu = 8
  #storage: number
  #boxes: NonNullable<ServerFacts['boxes']> = { tally: 'connected', audio: '' }
  /** Ids of the graphics that it has received. */
  readonly #overlays = new Set<string>()
  /** It has addresses in SMPTE 2110 networks. */
  #isInStudio = false
  #onChange = () => {}
  /** Ids of tallies. */
  #inProgramme: string[] = []
  #onCut = () => {}

  constructor({ plan, seed, media, clock, channelsWithLevels, loops, content }: SimulatedServerOptions) {
    this.plan = plan
    this.#filePort = content?.port ?? null
    this.#media = media
    this.#clock = clock
    this.#channelsWithLevels = channelsWithLevels
    this.#loops = loops
    this.#random = new Random(seedOf('server life', seed, plan.index))
    this.#storage = this.#random.between(15, 62)
    this.upgrade = createInstall({ clock, hasNetwork: () => true, hasRoom: () => this.#storage < 95 })
    this.files = new SimulatedFiles({
      clock,
      random: new Random(seedOf('server files', seed, plan.index)),
      isFree: (id) =>
        [...this.#channels.values()].some(({ wanted }) => wanted.channelId === id && !wanted.intake),
      footage: content?.footage,
    })
    const single = plan.channelNames.map((name, index) => ({
      slot: String(index + 1),
      name,
      inputType: null,
      // Most channels feed a vision mixer by SDI; each fourth is for viewing only.
      sdiNo: index % 4 === 3 ? null : index + 1,
    }))
    const members = single.slice(0, camerasAtOnce).map(({ slot }) => slot)
    this.slots = [...single, { slot: 'multi', name: plan.multiCameraName, inputType: null, members }]
    this.#bootedAtMs = clock.nowMs() - this.#random.whole(3600_000, 40 * 86_400_000)
    // A channel of several cameras receives through its members.
    for (const { slot } of single) this.#open(slot, false)
  }

  /** Servers of the previous generation only receive HD, and only output it by SDI. */
  get #isOlder(): boolean {
    return this.plan.swVersion.startsWith('9.')
  }

  facts(): ServerFacts {
    return {
      capabilities: {
        protocolsIn: ['bonded'],
        protocolsOut: ['srt', 'rtmp', 'mpegts', 'rtsp'],
        encoders: ['libx264'],
        ffmpegVersion: null,
        settings: followed,
        logs: true,
        uploads: true,
        fourK: !this.#isOlder,
        smpte2110: !this.#isOlder,
        overlays: true,
        upgrade: true,
      },
      overlays: [...this.#overlays],
      specifications: {
        hostName: this.plan.name.toLowerCase(),
        operatingSystem: 'Linux 6.1.0',
        processor: 'AMD EPYC 9354P 32-Core Processor',
        cores: 32,
        memoryMb: 65_536,
        storageMb: 960_000,
      },
      boxes: this.#boxes,
      addresses: [this.plan.host],
      previewPort: null,
      filePort: this.#filePort,
      ports: [...this.#places].map(([slot, { port }]) => ({ slot, ristPort: port, inputAddress: null })),
      loops: [],
      interfaces: [...this.#places.keys()]
        .slice(0, interfacesAtMost)
        .map((slot) => ({ id: `tally-${slot}`, kind: 'tally', name: `Tally ${slot}` })),
      bootedAt: this.#bootedAtMs,
    }
  }

  /** RIST uses an even port, its control the next. */
  #open(slot: string, isMade: boolean): void {
    const taken = [...this.#places.values()].map(({ port }) => port)
    const port = Math.max(firstPort, ...taken) + 2
    this.#places.set(slot, { port, isMade, stop: () => {} })
    this.#listen(slot)
  }

  logs(channelId: string): string {
    const time = new Date(this.#clock.nowMs()).toISOString()
    const channel = [...this.#channels.values()].find(({ wanted }) => wanted.channelId === channelId)
    const lines = [
      `${this.plan.name} ${this.plan.swVersion} at ${this.plan.host}`,
      ...(channel
        ? this.#doings(channel).map((text) => `${channel.wanted.name} (${channelId}) ${text}`)
        : []),
    ]
    return lines.map((line) => `${time} ${line}\n`).join('')
  }

  /** The present activities of the channel, without secrets. */
  #doings({ wanted: { intake, smpte }, flow }: SimulatedChannel): string[] {
    if (!flow) return [intake ? 'waits for its unit' : 'is free']
    const received = `receives "${flow.label}" at ${flow.kbps} kbit/s`
    if (!smpte || !this.#isInStudio || this.#isOlder) return [received]
    const { flavor, video } = smpte.configuration
    return [received, `sends ${flavor} to ${video.address}:${video.port}`]
  }

  #listen(slot: string): void {
    const place = this.#places.get(slot)
    if (!place) return
    const { host } = this.plan
    place.stop = this.#media.listen(host, place.port, (flow, key) => this.#takeIn(slot, flow, key))
  }

  /** Slots for the channels that users added, as long as they are wanted. */
  #makeRoom({ channels }: ServerWanted): void {
    let isOther = false
    for (const [slot, place] of this.#places) {
      if (!place.isMade || channels.some((one) => one.slot === slot)) continue
      place.stop()
      this.#places.delete(slot)
      isOther = true
    }
    for (const { slot, made } of channels) {
      // A simulated server has no inputs for encoders.
      if (!made || made.inputType !== null || this.#places.has(slot)) continue
      this.#open(slot, true)
      isOther = true
    }
    if (isOther) this.#onChange()
  }

  #takeIn(slot: string, flow: Flow, key: string): boolean {
    const channel = this.#channels.get(slot)
    const intake = channel?.wanted.intake
    if (!channel || intake?.transmissionId !== flow.transmissionId || intake.key !== key) return false
    channel.flow = flow
    channel.flowAtMs = this.#clock.monotonicMs()
    channel.fedSinceMs = this.#clock.nowMs()
    return true
  }

  #putOverlay(id: string): void {
    this.#overlays.add(id)
    this.#onChange()
  }

  apply(wanted: ServerWanted): void {
    const overlays = new Set(wanted.channels.map(({ overlay }) => overlay?.id))
    for (const id of this.#overlays) if (!overlays.has(id)) this.#overlays.delete(id)
    this.#makeRoom(wanted)
    this.#wire(wanted.settings)
    this.#isInStudio = wanted.smpte !== undefined
    const left = new Set(this.#channels.keys())
    for (const next of wanted.channels) {
      left.delete(next.slot)
      const channel = this.#channels.get(next.slot)
      if (!channel) {
        this.#channels.set(next.slot, this.#channelOf(next))
        continue
      }
      if (channel.wanted.intake?.transmissionId !== next.intake?.transmissionId) {
        channel.flow?.end('channel.otherTransmission')
        channel.flow = undefined
      }
      channel.wanted = next
    }
    for (const slot of left) {
      const channel = this.#channels.get(slot)
      channel?.copies.endAll()
      channel?.flow?.end('channel.gone')
      this.#channels.delete(slot)
    }
  }

  #channelOf(wanted: WantedChannel): SimulatedChannel {
    return {
      wanted,
      flow: undefined,
      copies: new SimulatedCopies(this.#media),
      flowAtMs: 0,
      fedSinceMs: this.#clock.nowMs(),
      loudness: this.#random.between(-26, -16),
    }
  }

  sample(): ReturnType<ServerHardware['sample']> {
    const channels = [...this.#channels.values()].map((channel) => this.#measure(channel))
    const collecting = channels.filter(({ status }) => status === 'collecting').length
    this.#stepFiles()
    this.#stepCopies()
    this.#stepProgramme()
    const aim = 6 + collecting * 0.9
    this.#cpu += (aim - this.#cpu) * 0.2 + this.#random.noise() * 0.6
    this.#storage = Math.min(93, this.#storage + collecting * 0.00002)
    return {
      usage: {
        cpuPercent: tenths(Math.max(1, Math.min(99, this.#cpu))),
        memoryPercent: tenths(22 + collecting * 0.5),
        storagePercent: tenths(this.#storage),
      },
      channels,
    }
  }

  #stepFiles(): void {
    const fed = [...this.#channels.values()].flatMap(({ wanted: { channelId, intake, recording }, flow }) =>
      intake && flow?.isOpen ? [{ channelId, unitId: intake.unitId, kbps: flow.kbps, recording }] : [],
    )
    for (const { channelId, unitId } of fed) this.files.seen(channelId, unitId)
    this.files.step(fed.filter(({ recording }) => recording))
  }

  #stepCopies(): void {
    for (const { wanted, flow, copies } of this.#channels.values()) {
      if (flow?.isOpen && !flow.isTest) copies.follow(wanted.copies ?? [], flow)
      else copies.endAll()
    }
  }

  #stepProgramme(): void {
    const next = this.#talliesOn()
    if (next.join() === this.#inProgramme.join()) return
    this.#inProgramme = next
    this.#onCut()
  }

  /** The vision mixer cuts to another of its sources every few seconds. */
  #talliesOn(): string[] {
    const fed = [...this.#channels.values()].filter(({ flow }) => flow?.isOpen)
    if (fed.length === 0) return []
    const at = Math.floor(this.#clock.nowMs() / cutEveryMs) % fed.length
    return fed.slice(at, at + 1).map(({ wanted }) => `tally-${wanted.slot}`)
  }

  #measure(channel: SimulatedChannel): ChannelTelemetry {
    const { wanted, flow } = channel
    const nowMs = this.#clock.monotonicMs()
    if (flow && !flow.isOpen) channel.flow = undefined
    if (flow?.isOpen && flow.kbps > 0) channel.flowAtMs = nowMs
    const isFed = channel.flow !== undefined && !flow?.isTest && nowMs - channel.flowAtMs < quietMs
    const playing = this.files.playing(wanted.channelId)
    const unfed = playing.length > 0 ? 'PlayStoredFile' : 'idle'
    const status = wanted.intake === null ? unfed : isFed ? 'collecting' : 'connecting'
    return {
      channelId: wanted.channelId,
      status,
      transmissionId: wanted.intake?.transmissionId ?? null,
      kbps: isFed ? (flow?.kbps ?? 0) : 0,
      continuityErrors: flow?.uncorrected ?? 0,
      recovered: flow?.recovered ?? 0,
      uncorrected: flow?.uncorrected ?? 0,
      bufferMs: wanted.intake?.bufferMs ?? 0,
      video: isFed && flow ? { codec: 'hevc', ...flow.picture, fps: flow.fps } : null,
      health: isFed && flow ? { black: !flow.hasPicture, frozen: false, silent: !flow.hasPicture } : null,
      source: playing.length > 0 ? 'file' : 'bonded',
      recording: wanted.recording && isFed,
      playing,
      outputs:
        isFed || wanted.forceOutput
          ? outputStatuses(wanted.outputs, isFed && flow ? flow.kbps : null, channel.fedSinceMs)
          : [],
      previewOf: isFed || playing.length > 0 ? this.#loopOf(wanted.channelId) : null,
    }
  }

  #loopOf(channelId: string): string | null {
    return this.#loops > 0 ? `loop-${1 + (seedOf(channelId) % this.#loops)}` : null
  }

  levels(): ReturnType<ServerHardware['levels']> {
    const measured: ReturnType<ServerHardware['levels']> = []
    for (const { wanted, flow, loudness } of this.#channels.values()) {
      if (measured.length === this.#channelsWithLevels) break
      if (!flow?.isOpen || flow.isTest || flow.kbps === 0) continue
      const left = this.#level(flow.hasPicture ? loudness : -100)
      const others = Array.from({ length: flow.soundChannels - 1 }, () => this.#level(left.rmsDb))
      measured.push({ channelId: wanted.channelId, levels: [left, ...others] })
    }
    return measured
  }

  /** Speech: syllables over a floor, now and then a pause. */
  #level(aroundDb: number): AudioLevel {
    if (aroundDb <= -90) return { peakDb: -100, rmsDb: -100 }
    const rmsDb = aroundDb + this.#random.noise() * 2.5 - (this.#random.chance(0.12) ? 14 : 0)
    return { peakDb: tenths(Math.min(-0.5, rmsDb + this.#random.between(6, 11))), rmsDb: tenths(rmsDb) }
  }

  onChange(listener: () => void): void {
    this.#onChange = listener
  }

  /** The box for sound to crews is wired once sound is wanted; that of the second server has lost its cable. */
  #wire({ IFBMode = 'off' }: NonNullable<ServerWanted['settings']> = {}): void {
    const audio = IFBMode === 'off' ? '' : this.plan.index === 1 ? 'disconnected' : 'connected'
    if (audio === this.#boxes.audio) return
    this.#boxes = { ...this.#boxes, audio }
    this.#onChange()
  }

  async restart(): Promise<void> {
    this.crash()
    await new Promise<void>((resolve) => this.#clock.setTimeout(resolve, RESTART_MS))
    this.boot()
  }

  /** As a machine that loses its power: without any message. */
  crash(): void {
    for (const { stop } of this.#places.values()) stop()
    for (const { flow, copies } of this.#channels.values()) {
      copies.endAll()
      flow?.end('transmission.receiverGone')
    }
    this.#channels.clear()
  }

  boot(): void {
    this.#bootedAtMs = this.#clock.nowMs()
    for (const slot of this.#places.keys()) this.#listen(slot)
  }
}

const tenths = (value: number) => Math.round(value * 10) / 10
