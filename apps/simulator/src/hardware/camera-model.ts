/** The simulated cameras of one unit: how many are plugged in, and when the cable of the first is pulled out. */
import { CAMERAS_MAX } from '@backhaul/contract/nouns/cameras'
import type { Camera } from '@backhaul/contract/nouns/units'
import type { UnitPlan } from '../fleet/fleet.ts'
import type { Random } from '../random.ts'

/** A unit for several cameras has at least two of them. */
const fewestCameras = 2

export class CameraModel {
  readonly #plan: UnitPlan
  readonly #random: Random
  readonly #plugged: number
  #unpluggedS = 0
  /** A picture from the network takes the place of the first camera. */
  isFromNetwork = false

  constructor(plan: UnitPlan, random: Random) {
    this.#plan = plan
    this.#random = random
    this.#plugged = fewestCameras + (plan.index % (CAMERAS_MAX - fewestCameras + 1))
  }

  /** The cable is pulled out about once in two hours of a live unit. */
  step(seconds: number, isLive: boolean): boolean {
    if (this.#unpluggedS > 0) {
      this.#unpluggedS -= seconds
      return this.#unpluggedS <= 0
    }
    if (!this.#random.chance(seconds / (isLive ? 7200 : 20_000))) return false
    this.#unpluggedS = this.#random.between(8, 60)
    return true
  }

  first(): Camera {
    return this.#camera(1)
  }

  #camera(camera: number): Camera {
    const { product, fps } = this.#plan
    const socket = product.ethernet ? 'sdi' : 'hdmi'
    return {
      connected: this.hasPicture(camera),
      kind: camera === 1 && this.isFromNetwork ? 'url' : socket,
      width: 1920,
      height: 1080,
      fps,
      codec: product.capabilities.hevc ? 'H.265/HEVC' : 'H.264/AVC',
    }
  }

  /** The camera of each socket, where there are several. */
  all(): Camera[] | undefined {
    if (!this.#plan.product.capabilities.multiCamera) return undefined
    return Array.from({ length: CAMERAS_MAX }, (_, at) => this.#camera(at + 1))
  }

  /** Cameras count from 1. */
  hasPicture(camera: number): boolean {
    return camera === 1 ? this.isFromNetwork || this.#unpluggedS <= 0 : camera <= this.#plugged
  }
}
