/** One transmission of a simulated unit: one picture, or several, each to its own channel. */
import type { PlainCode } from '@backhaul/contract/define/refusals'
import type { WantedFeed, WantedTransmission } from '@backhaul/contract/gateway/units'
import { ratesOf } from '@backhaul/contract/nouns/cameras'
import {
  LIMIT_MAX_MULTI_CAMERA_KBPS,
  limitedKbps,
  type UnitSettings,
} from '@backhaul/contract/nouns/unit-settings'
import { type Call, Flow, type Media } from './media.ts'
import { pictureAt } from './picture-model.ts'

/** The small picture of all cameras. */
const PROXY_KBPS = 800

type Part = Pick<WantedFeed, 'targets' | 'key'> & { camera: number | null; flow: Flow }

export class Sending {
  readonly isTest: boolean
  readonly #parts: readonly Part[]
  readonly #isSwitched: boolean
  /** The limit of its channels together. */
  limitKbps: number

  constructor(wanted: WantedTransmission, fps: number) {
    const { id, targets, key, speedTestMs, activity, feeds = [] } = wanted
    this.limitKbps = limitKbpsOf(wanted)
    this.isTest = speedTestMs !== undefined
    this.#isSwitched = activity === 'switcher' || activity === 'switcherAndProxy'
    this.#parts = [{ camera: 1, targets, key }, ...feeds].map(({ camera, ...part }) => {
      const flow = new Flow(id, fps)
      flow.isTest = this.isTest
      return { camera, flow, ...part }
    })
  }

  /** Resolves when every receiver has admitted its picture; leaves nothing behind otherwise. */
  async connect(media: Media, call: Pick<Call, 'signal' | 'hasNetwork'>): Promise<void> {
    try {
      await Promise.all(this.#parts.map((part) => media.connect({ ...part, ...call })))
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** The rate of all its pictures. */
  get kbps(): number {
    return this.#parts.reduce((sum, { flow }) => sum + flow.kbps, 0)
  }

  onEnd(run: (why: PlainCode) => void): void {
    for (const { flow } of this.#parts) flow.onEnd(run)
  }

  /** The total rate that the encoders can use, when one of them can use `oneKbps`. */
  wantedKbps(oneKbps: number, settings: UnitSettings): number {
    const demands = this.#demands(oneKbps, settings)
    const together = demands.reduce((sum, demand) => sum + demand.wantedKbps, 0)
    return demands.length === 1 ? oneKbps : Math.min(LIMIT_MAX_MULTI_CAMERA_KBPS, together)
  }

  /** The received rate is shared by priority; losses are shown with the first picture. */
  carry(
    kbps: number,
    lost: { recovered: number; uncorrected: number },
    {
      oneKbps,
      settings,
      hasPicture,
    }: { oneKbps: number; settings: UnitSettings; hasPicture: (camera: number) => boolean },
  ): void {
    const rates = this.#parts.length === 1 ? [kbps] : ratesOf(kbps, this.#demands(oneKbps, settings))
    for (const [at, { camera, flow }] of this.#parts.entries()) {
      flow.kbps = Math.round(rates[at] ?? 0)
      const shown = this.#isSwitched && camera !== null ? (settings.cameraInput ?? 1) : camera
      flow.hasPicture = shown === null || hasPicture(shown)
      flow.picture = pictureAt(flow.kbps, settings, flow.picture)
      flow.soundChannels = settings.audioChannels ?? 2
      flow.label = (shown !== null && settings.multiCameraLabels?.[shown - 1]) || ''
      if (at > 0) continue
      flow.recovered += lost.recovered
      flow.uncorrected += lost.uncorrected
    }
  }

  /** Sends test data at this rate, over all links together. */
  fill(kbps: number): void {
    for (const { flow } of this.#parts) flow.kbps = kbps
  }

  #demands(oneKbps: number, { cameraLimitKbps, cameraPriorities = [] }: UnitSettings) {
    const cameraKbps = Math.min(oneKbps, limitedKbps(cameraLimitKbps))
    return this.#parts.map(({ camera }) =>
      camera === null
        ? { priority: 1, wantedKbps: PROXY_KBPS }
        : { priority: cameraPriorities[camera - 1] ?? 1, wantedKbps: cameraKbps },
    )
  }

  close(): void {
    for (const { flow } of this.#parts) flow.close()
  }
}

/** The total limit of all channels of a transmission. */
export const limitKbpsOf = ({ limitKbps, feeds = [] }: WantedTransmission): number =>
  [limitKbps, ...feeds.map((feed) => feed.limitKbps)].reduce<number>(
    (sum, kbps) => sum + limitedKbps(kbps),
    0,
  )
