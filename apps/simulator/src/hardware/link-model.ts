/** One link of a unit over time: capacity, round trip, loss and signal, with noise that has a memory, and handovers. */
import type { Link, LinkTelemetry } from '@backhaul/contract/gateway/units'
import type { LinkPlan } from '../fleet/fleet.ts'
import type { Random } from '../random.ts'
import type { Influence } from '../scenarios/influence.ts'

/** Conditions of the place in this second, the same for all links of a unit. */
export interface Surroundings {
  moving: boolean
  /** Share of the cells' capacity that other users leave free. */
  capacityLeft: number
  /** Deviation of the place itself, about -2 to 2: a street canyon weakens all modems together. */
  shadow: number
  /** Cables and Wi-Fi of a building. */
  inBuilding: boolean
}

/** Correlation time of a noise, in seconds. */
const fastS = 6
const slowS = 90
/** Mean interval of handovers, in seconds. */
const handoverEveryMovingS = 70
const handoverEveryStandingS = 900

export class LinkModel {
  /** Another one after each change of its network. */
  plan: LinkPlan
  technology: string
  enabled = true
  up = true
  address: string
  /** It is connected to a network, and its addresses belong to that. */
  isJoined = true
  /** It has joined a network where the unit is. */
  isAtNetwork = false
  /** Its capacity in this second. */
  capacityKbps = 0
  #fast = 0
  #slow = 0
  #handoverLeftS = 0
  #rttMs: number
  #lossPercent = 0
  #signalDbm: number
  readonly #hasBuildingLink: boolean

  constructor(plan: LinkPlan, random: Random) {
    this.plan = plan
    this.technology = plan.technology
    this.address = plan.address
    this.#rttMs = plan.rttMs
    this.#signalDbm = plan.rsrpDbm
    this.#slow = random.noise()
    this.#hasBuildingLink = random.chance(plan.kind === 'wifi' ? 0.3 : 0.12)
  }

  /** The modem has joined another network, or the same in another way. */
  rejoin(changes: Partial<LinkPlan>): void {
    this.plan = { ...this.plan, ...changes }
    this.technology = this.plan.technology
    this.#rttMs = this.plan.rttMs
    this.#signalDbm = this.plan.rsrpDbm
  }

  /** One step of `seconds`; returns true when the technology changed. */
  step(seconds: number, random: Random, place: Surroundings, influence: Influence): boolean {
    this.#fast = remembered(this.#fast, seconds, fastS, random)
    this.#slow = remembered(this.#slow, seconds, slowS, random)
    const isModem = this.plan.kind === 'modem'
    const changedTechnology = isModem && this.#stepHandover(seconds, random, place.moving)
    const isHandingOver = this.#handoverLeftS > 0
    const shadow = isModem ? place.shadow : 0
    const day = isModem ? place.capacityLeft : 1
    const weather = Math.exp(0.22 * this.#fast + 0.3 * this.#slow - 0.25 * shadow)
    const isPlugged = isModem || place.inBuilding || this.#hasBuildingLink || this.isAtNetwork
    this.up = influence.capacity > 0 && this.isJoined && isPlugged
    const carried = this.plan.capacityKbps * day * weather * influence.capacity * (isHandingOver ? 0.12 : 1)
    this.capacityKbps = this.up ? Math.max(20, carried) : 0
    this.#rttMs = Math.max(
      4,
      this.plan.rttMs * (1 + 0.12 * this.#fast + 0.18 * Math.max(0, shadow) + (1 - day) * 0.8) +
        influence.rttMs +
        (isHandingOver ? 220 + 80 * random.next() : 0),
    )
    const badness = Math.max(0.2, 1 + 0.5 * this.#slow + 0.4 * shadow)
    this.#lossPercent = this.plan.lossPercent * badness + influence.lossPercent + (isHandingOver ? 5 : 0)
    this.#signalDbm = this.plan.rsrpDbm - 5 * shadow + 2 * this.#fast + influence.signalDb
    return changedTechnology
  }

  #stepHandover(seconds: number, random: Random, moving: boolean): boolean {
    if (this.#handoverLeftS > 0) {
      this.#handoverLeftS -= seconds
      return false
    }
    if (!random.chance(seconds / (moving ? handoverEveryMovingS : handoverEveryStandingS))) return false
    this.#handoverLeftS = random.between(1.5, 4)
    const best = this.plan.technology
    if (best === 'LTE' || !random.chance(0.3)) return false
    this.technology = this.technology === best ? 'LTE' : best
    return true
  }

  /** The figures of the second in which it carried `kbps`. */
  telemetry(kbps: number, downKbps: number): LinkTelemetry {
    const { port, kind } = this.plan
    if (!this.up) {
      return {
        port,
        up: false,
        kbps: 0,
        downKbps: 0,
        rttMs: null,
        lossPercent: 0,
        rtxPercent: 0,
        capacityKbps: 0,
      }
    }
    const use = this.capacityKbps === 0 ? 0 : kbps / this.capacityKbps
    // A link that is nearly full queues: the round trip grows before anything is lost.
    const queueMs = use > 0.8 ? (use - 0.8) * 5 * Math.min(400, this.plan.rttMs * 4) : 0
    const loss = Math.min(60, this.#lossPercent + (use > 0.95 ? (use - 0.95) * 60 : 0))
    return {
      port,
      up: true,
      kbps: Math.round(kbps),
      downKbps: Math.round(downKbps),
      rttMs: Math.round(this.#rttMs + queueMs),
      lossPercent: tenths(loss),
      rtxPercent: kbps > 50 ? tenths(loss * 1.15) : 0,
      capacityKbps: Math.round(this.capacityKbps),
      ...(kind === 'modem' && { signal: signalOf(this.#signalDbm) }),
    }
  }
}

/** Noise with a memory (Ornstein-Uhlenbeck): mean 0, deviation 1, for every step. */
function remembered(value: number, seconds: number, memoryS: number, random: Random): number {
  const kept = Math.exp(-seconds / memoryS)
  return value * kept + Math.sqrt(1 - kept * kept) * random.noise()
}

const tenths = (value: number) => Math.round(value * 10) / 10

/** Bars as phones draw them: 5 from -80 dBm, one less every 10 dB. */
function signalOf(rsrpDbm: number): Record<string, number> {
  const rsrp = Math.round(Math.max(-140, Math.min(-60, rsrpDbm)))
  return { rsrp, bars: Math.max(0, Math.min(5, Math.floor((rsrp + 130) / 10))) }
}

/** As the unit reports it. */
export function linkOf({ plan, enabled, technology, address }: LinkModel): Link {
  const { port, id, kind, carrier, activeSim, roaming } = plan
  return {
    port,
    id,
    kind,
    enabled,
    technology,
    address,
    ...(carrier !== undefined && { carrier }),
    ...(activeSim !== undefined && { activeSim }),
    ...(roaming !== undefined && { roaming }),
  }
}
