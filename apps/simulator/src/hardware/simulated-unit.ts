/** The simulated hardware of one unit: links, encoder, battery, camera, disk and the crew that carries it. */
import { english, type PlainCode } from '@backhaul/contract/define/refusals'
import type { UnitSample, WantedTransmission, WantedVideoReturn } from '@backhaul/contract/gateway/units'
import { recordingKbps } from '@backhaul/contract/nouns/recordings'
import { allowedKbps, linkRank, mayCarry, type UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { Refused } from '@backhaul/device/refused'
import type {
  IntercomHardware,
  NetworkHardware,
  UnitFacts,
  UnitHardware,
  UnitHardwareChange,
  VideoReturnHardware,
} from '@backhaul/device/unit-hardware'
import type { Upgrade } from '@backhaul/device/upgrading'
import type { Clock } from '@backhaul/runtime/clock'
import { createLogTail } from '@backhaul/runtime/log-tail'
import type { UnitPlan } from '../fleet/fleet.ts'
import { Random, seedOf } from '../random.ts'
import type { World } from '../world.ts'
import { BatteryModel } from './battery-model.ts'
import { CameraModel } from './camera-model.ts'
import { capacityLeft } from './congestion.ts'
import { CrewModel } from './crew-model.ts'
import { EncoderModel } from './encoder-model.ts'
import { ExtenderModel } from './extender-model.ts'
import type { Footage } from './footage.ts'
import { createInstall } from './install.ts'
import { LinkModel, linkOf, type Surroundings } from './link-model.ts'
import { Flow, type Media } from './media.ts'
import { NetworkModel } from './network-model.ts'
import { powerFactor, soundKbps } from './picture-model.ts'
import { limitKbpsOf, Sending } from './sending.ts'
import { firstSettings, isJoined, joined } from './settings-model.ts'
import { createSimulatedIntercom } from './simulated-intercom.ts'
import { SimulatedUnitFiles } from './simulated-unit-files.ts'
import { recordingOf } from './stored-recording.ts'

export interface SimulatedUnitOptions {
  plan: UnitPlan
  seed: number
  world: World
  media: Media
  clock: Clock
  /** The battery is empty: the unit goes dark. */
  onEmpty: () => void
  /** The contents of the films on its card. */
  footage?: Footage | undefined
}

/** Without any link for this long the receiver counts as lost. */
const deadAfterS = 8
/** A longer pause between two samples counts as this much; the models are made for steps of seconds. */
const longestStepS = 10
const diskBytes = 256_000_000_000
const cardPath = '/media/internal'
const backupBytes = 4_000_000_000
/** Time that the encoder needs for another picture format. */
const setUpS = 3
/** Downlink capacity of mobile networks, relative to their uplink. */
const downlinkShare = 2.4

export class SimulatedUnit implements UnitHardware {
  readonly plan: UnitPlan
  readonly #random: Random
  readonly #world: World
  readonly #media: Media
  readonly #clock: Clock
  readonly #onEmpty: () => void
  /** Built in, and after them those of extenders. */
  #links: readonly LinkModel[]
  readonly #builtIn: readonly LinkModel[]
  readonly #extenders: ExtenderModel
  readonly #networks: NetworkModel
  readonly networks: NetworkHardware
  readonly #encoder: EncoderModel
  readonly #battery: BatteryModel | undefined
  readonly #cameras: CameraModel
  readonly #crew: CrewModel
  readonly #isSport: boolean
  readonly videoReturn?: VideoReturnHardware
  readonly intercom?: IntercomHardware
  /** A red light on the camera. */
  readonly showTally?: (onAir: boolean) => void
  readonly files: SimulatedUnitFiles
  readonly upgrade: Upgrade
  #fetched: Flow | undefined
  #listener: (change: UnitHardwareChange) => void = () => {}
  #facts: UnitFacts | undefined
  #sending: Sending | undefined
  #delayMs = 1000
  #settings: UnitSettings
  readonly #diary = createLogTail()
  /** Remaining time of a change of the picture format. */
  #settingUpS = 0
  #shadow = 0
  #cutS = 0
  #activity: UnitPlan['activity']
  #activityLeftS: number
  #storingSinceMs = 0
  #usedBytes: number
  #toldUsedBytes = 0
  #sampledAtMs: number
  #isLit = false

  constructor({ plan, seed, world, media, clock, onEmpty, footage }: SimulatedUnitOptions) {
    const random = new Random(seedOf('life', seed, plan.index))
    this.plan = plan
    this.#random = random
    this.#world = world
    this.#media = media
    this.#clock = clock
    this.#onEmpty = onEmpty
    this.#isSport = plan.groupId.startsWith('sport')
    this.#builtIn = plan.links.map((link) => new LinkModel(link, random))
    this.#links = this.#builtIn
    this.#extenders = new ExtenderModel(plan.links)
    this.#networks = new NetworkModel(plan, this.#builtIn, clock, () => this.#changed())
    this.networks = this.#networks.hardware
    this.#encoder = new EncoderModel(plan.encoderKbps)
    this.#settings = firstSettings(plan)
    this.#battery = plan.battery === 'none' ? undefined : new BatteryModel(random)
    this.#cameras = new CameraModel(plan, random)
    this.#crew = new CrewModel(plan.city, this.#isSport, random)
    this.files = new SimulatedUnitFiles({
      root: cardPath,
      clock,
      random: new Random(seedOf('card', seed, plan.index)),
      freeKbps: () => this.#capacities().reduce((sum, kbps) => sum + kbps, 0) - (this.#sending?.kbps ?? 0),
      footage,
    })
    this.#usedBytes = diskBytes * random.between(0.1, 0.8)
    this.#activity = plan.activity
    this.#activityLeftS = random.between(4 * 60, 40 * 60)
    this.#sampledAtMs = clock.monotonicMs()
    const hasRoom = () => diskBytes - this.#usedBytes > backupBytes
    this.upgrade = createInstall({ clock, hasNetwork: this.#hasNetwork, hasRoom })
    if (plan.product.capabilities.videoReturn) this.videoReturn = this.#returnMonitor()
    if (plan.product.capabilities.tally) this.showTally = (onAir) => this.#light(onAir)
    if (plan.product.capabilities.intercom)
      this.intercom = createSimulatedIntercom(clock, () => this.#settings.audioJacks ?? [])
  }

  #light(onAir: boolean): void {
    this.#isLit = onAir
    this.#note(`tally ${onAir ? 'on' : 'off'}`)
  }

  /** The light of the tally. */
  get isLit(): boolean {
    return this.#isLit
  }

  readonly #firstUp = () => this.#links.find(({ up, enabled }) => up && enabled)
  readonly #hasNetwork = () => this.#firstUp() !== undefined

  get isLive(): boolean {
    return this.#sending !== undefined
  }

  facts(): UnitFacts {
    const cameras = this.#cameras.all()
    this.#facts ??= {
      links: this.#links.map(linkOf),
      storages: [{ path: cardPath, totalBytes: diskBytes, freeBytes: diskBytes - this.#toldBytes() }],
      camera: this.#cameras.first(),
      ...(cameras && { cameras }),
      capabilities: this.plan.product.capabilities,
      settings: this.#settings,
      ...this.#networks.facts(),
      ...(this.plan.product.capabilities.xtend && { extenders: this.#extenders.facts() }),
      activities: {
        ...(this.#activity && { [this.#activity]: { state: 'running' } }),
        ...(this.#extenders.isRelaying && { xtenderRelay: { state: 'running' } }),
        ...(this.#settingUpS > 0 && { changeAvicMode: { state: 'running' } }),
      },
    }
    return this.#facts
  }

  #toldBytes(): number {
    this.#toldUsedBytes = Math.round(this.#usedBytes / 1e8) * 1e8
    return this.#toldUsedBytes
  }

  sample(): UnitSample {
    const [nowMs, atMs] = [this.#clock.nowMs(), this.#clock.monotonicMs()]
    const seconds = Math.min(longestStepS, Math.max(0.001, (atMs - this.#sampledAtMs) / 1000))
    this.#sampledAtMs = atMs
    this.#crew.step(seconds, this.isLive, this.#isSport, this.#random)
    const location = this.#crew.location()
    const foundExtender = this.#extenders.step(seconds)
    if (foundExtender) this.#useExtenders()
    const changedTechnology = this.#stepLinks(seconds, nowMs, location)
    const links = this.#spread(seconds)
    this.#stepBattery(seconds)
    const changedCamera = this.#cameras.step(seconds, this.isLive)
    const changedActivity = this.#stepActivity(seconds)
    const changedSetUp = this.#stepSetUp(seconds)
    const changedDisk = Math.abs(this.#usedBytes - this.#toldUsedBytes) > 2e9
    const changedRest = changedActivity || changedSetUp || changedDisk || foundExtender
    if (changedTechnology || changedCamera || changedRest) this.#changed()
    return {
      ts: nowMs,
      links,
      encoderKbps: this.isLive ? Math.round(this.#encoder.kbps - soundKbps(this.#settings)) : null,
      capacityKbps: Math.round(this.#capacities().reduce((sum, kbps) => sum + kbps, 0)),
      battery: this.#battery?.telemetry() ?? null,
      location,
    }
  }

  #stepLinks(seconds: number, nowMs: number, point: { lat: number; lng: number }): boolean {
    this.#shadow = this.#shadow * Math.exp(-seconds / 40) + 0.22 * Math.sqrt(seconds) * this.#random.noise()
    const place: Surroundings = {
      moving: this.#crew.isDriving,
      capacityLeft: capacityLeft(nowMs, this.plan.city.utcHours),
      shadow: this.#shadow,
      inBuilding: this.#crew.isAtBase,
    }
    let changed = false
    for (const link of this.#links) {
      const influence = this.#world.influenceOn(this.plan, link.plan, point)
      if (link.step(seconds, this.#random, place, influence)) changed = true
    }
    return changed
  }

  /** Capacity of each link: the modems together within their limit. */
  #capacities(): number[] {
    const all = this.#links.map(({ enabled, capacityKbps, plan }) => {
      if (!enabled || !mayCarry(this.#settings, plan)) return 0
      return Math.min(capacityKbps, this.#settings.links?.[plan.port]?.limitKbps || Infinity)
    })
    const isModem = (at: number) => this.#links[at]?.plan.kind === 'modem'
    const cellularKbps = all.reduce((sum, kbps, at) => (isModem(at) ? sum + kbps : sum), 0)
    const share = Math.min(1, allowedKbps(this.#settings).cellularKbps / Math.max(1, cellularKbps))
    return all.map((kbps, at) => (isModem(at) ? kbps * share : kbps))
  }

  #spread(seconds: number): UnitSample['links'] {
    const sending = this.#sending
    const idle = this.#links.map((link) => link.telemetry(link.enabled ? 3 : 0, 4 + this.#fetchedBy(link)))
    if (!sending) return idle
    if (sending.isTest) return this.#fill(sending)
    const loss = idle.reduce((sum, { lossPercent }) => sum + lossPercent, 0) / Math.max(1, idle.length)
    const { linkKbps, recovered, uncorrected } = this.#encoder.step(
      seconds,
      this.#capacities(),
      loss,
      this.#delayMs,
      this.#links.map(({ plan }) => linkRank(this.#settings, plan)),
    )
    const kbps = Math.round(linkKbps.reduce((sum, one) => sum + one, 0) * 0.94)
    sending.carry(
      kbps,
      { recovered, uncorrected },
      {
        oneKbps: this.plan.encoderKbps,
        settings: this.#settings,
        hasPicture: (camera) => this.#cameras.hasPicture(camera),
      },
    )
    this.#usedBytes = Math.min(diskBytes * 0.97, this.#usedBytes + this.#encoder.kbps * 125 * seconds)
    this.#cutS = kbps < 60 ? this.#cutS + seconds : 0
    if (this.#cutS > deadAfterS) this.#lose('link.allDown')
    return this.#links.map((link, index) => link.telemetry(linkKbps[index] ?? 0, 25 + this.#fetchedBy(link)))
  }

  /** Video return comes over one link, the first that is up. */
  #fetchedBy(link: LinkModel): number {
    return link === this.#firstUp() ? (this.#fetched?.kbps ?? 0) : 0
  }

  /** A speed test: every link carries what it can, in both directions. */
  #fill(sending: Sending): UnitSample['links'] {
    const filled = this.#capacities().map((kbps) => kbps * 0.93)
    sending.fill(Math.round(filled.reduce((sum, kbps) => sum + kbps, 0)))
    return this.#links.map((link, index) => {
      const kbps = filled[index] ?? 0
      return link.telemetry(kbps, kbps * downlinkShare)
    })
  }

  #stepBattery(seconds: number): void {
    if (!this.#battery) return
    const power = this.#crew.isAtBase || this.#crew.isDriving
    const effort = powerFactor(this.#settings)
    this.#battery.step(seconds, {
      live: this.isLive,
      power,
      drain: this.#world.batteryDrain(this.plan),
      effort,
    })
    if (this.#battery.isEmpty) this.#onEmpty()
  }

  /** A recording of store and forward is uploaded next; everything else ends. */
  #stepActivity(seconds: number): boolean {
    if (this.#activity === undefined) return false
    this.#activityLeftS -= seconds
    if (this.#activity === 'store')
      this.#usedBytes = Math.min(
        diskBytes * 0.97,
        this.#usedBytes + recordingKbps(this.#settings) * 125 * seconds,
      )
    if (this.#activityLeftS > 0) return false
    this.#activity = this.#activity === 'store' ? 'forward' : undefined
    this.#activityLeftS = this.#random.between(4 * 60, 20 * 60)
    return true
  }

  #stepSetUp(seconds: number): boolean {
    if (this.#settingUpS <= 0) return false
    this.#settingUpS -= seconds
    return this.#settingUpS <= 0
  }

  #changed(): void {
    this.#facts = undefined
    this.#listener({ kind: 'facts' })
  }

  #lose(why: PlainCode): void {
    this.#note(`transmission lost: ${english(why)}`)
    this.#sending?.close()
    this.#sending = undefined
    this.#cutS = 0
    this.#listener({ kind: 'transmissionLost', why })
  }

  async startTransmission(wanted: WantedTransmission, delayMs: number, signal: AbortSignal): Promise<void> {
    this.#delayMs = delayMs
    const sending = new Sending(wanted, this.plan.fps)
    await sending.connect(this.#media, { signal, hasNetwork: this.#hasNetwork })
    this.#sending = sending
    this.#followLimits()
    this.#note(`transmission ${wanted.id} begins`)
    this.#encoder.begin(sending.wantedKbps(this.plan.encoderKbps, this.#settings))
    sending.onEnd((why) => {
      if (this.#sending === sending) this.#lose(why)
    })
  }

  limitTransmission(wanted: WantedTransmission): void {
    if (this.#sending) this.#sending.limitKbps = limitKbpsOf(wanted)
    this.#followLimits()
  }

  #followLimits(): void {
    const { totalKbps } = allowedKbps(this.#settings)
    this.#encoder.limitKbps = Math.min(totalKbps, this.#sending?.limitKbps ?? Infinity)
  }

  stopTransmission(): void {
    this.#note('transmission ends')
    this.#sending?.close()
    this.#sending = undefined
    this.#followLimits()
  }

  /** The monitor of the crew: shows the video return. */
  #returnMonitor(): VideoReturnHardware {
    return {
      start: async (wanted: WantedVideoReturn, signal: AbortSignal) => {
        const flow = new Flow(wanted.id, this.plan.fps)
        const { targets, key } = wanted
        await this.#media.connect({ targets, key, flow, signal, hasNetwork: this.#hasNetwork })
        this.#fetched = flow
        flow.onEnd((why) => {
          if (this.#fetched !== flow) return
          this.#fetched = undefined
          this.#listener({ kind: 'videoReturnLost', why })
        })
      },
      stop: () => {
        this.#fetched?.close()
        this.#fetched = undefined
      },
    }
  }

  updateDelay(delayMs: number): void {
    this.#delayMs = delayMs
  }

  /** Nothing in the hardware depends on the channel before a transmission. */
  setChannel(): void {}

  setEnabledLinks(disabled: readonly number[]): void {
    for (const link of this.#links) link.enabled = !disabled.includes(link.plan.port)
    this.#changed()
  }

  setExtenders(serialNumbers: readonly string[]): void {
    this.#extenders.pair(serialNumbers)
    this.#useExtenders()
    this.#changed()
  }

  #useExtenders(): void {
    this.#links = [...this.#builtIn, ...this.#extenders.links()]
  }

  /** In store and forward a unit records until live mode is wanted again; the recording then is a file on its card. */
  #followModes({ sendMode, cameraMode }: UnitSettings): void {
    const isOther = cameraMode !== undefined && cameraMode !== this.#settings.cameraMode
    const sendsOther = sendMode !== undefined && sendMode !== this.#settings.sendMode
    if ((isOther || sendsOther) && this.isLive) throw new Refused('camera.modeWhileLive')
    if (isOther) this.#settingUpS = setUpS
    if (!sendsOther) return
    const isStoring = sendMode === 'storeAndForward'
    if (!isStoring) this.files.add(recordingOf(this.#settings, this.#storingSinceMs, this.#clock.nowMs()))
    this.#storingSinceMs = this.#clock.nowMs()
    this.#activity = isStoring ? 'store' : undefined
    this.#activityLeftS = Number.POSITIVE_INFINITY
  }

  applySettings(changes: UnitSettings): void {
    this.#followModes(changes)
    this.#note(`settings ${JSON.stringify(changes)}`)
    this.#settings = { ...this.#settings, ...changes }
    if (changes.ethernet) this.#settings.ethernet = this.#join(changes.ethernet)
    if (changes.ipInput) this.#cameras.isFromNetwork = changes.ipInput.enabled
    if (changes.xtend !== undefined) {
      this.#extenders.isOn = changes.xtend
      this.#useExtenders()
    }
    this.#followLimits()
    if (changes.shootingMode !== undefined) this.#settingUpS = setUpS
    this.#changed()
  }

  /** Addresses that the network does not have leave the link without a way out. */
  #join(sockets: NonNullable<UnitSettings['ethernet']>): UnitSettings['ethernet'] {
    const known = Object.entries(sockets).flatMap(([port, wanted]) => {
      const link = this.#builtIn.find(({ plan }) => plan.port === Number(port))
      if (!link) return []
      const now = joined(wanted, link.plan.port, link.plan.address)
      link.address = now.ip
      link.isJoined = isJoined(now, link.plan.address)
      return [[port, now]]
    })
    return Object.fromEntries(known)
  }

  #note(text: string): void {
    this.#diary.note(`${new Date(this.#clock.nowMs()).toISOString()} ${text}\n`)
  }

  /** Sends the events and the new state to the listeners. */
  logs(): string {
    this.#note(`facts ${JSON.stringify(this.facts())}`)
    return this.#diary.text()
  }

  reboot(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.setTimeout(resolve, this.#random.between(12_000, 25_000))
    })
  }

  onChange(listener: (change: UnitHardwareChange) => void): void {
    this.#listener = listener
  }

  swapBattery(): void {
    this.#battery?.swap()
  }
}
