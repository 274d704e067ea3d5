/** The link extenders of a unit: each is found after some seconds, and from then on its modem carries too. */
import type { ActualExtender } from '@backhaul/contract/nouns/link-extenders'
import type { LinkPlan } from '../fleet/fleet.ts'
import { Random, seedOf } from '../random.ts'
import { LinkModel } from './link-model.ts'

/** Numbered after the ports that are built into a unit. */
const firstPort = 40
const findS = 3

interface Extender {
  serialNumber: string
  link: LinkModel
  leftS: number
}

export class ExtenderModel {
  /** Paired extenders carry nothing while it is off. */
  isOn = true
  #all: Extender[] = []
  /** Links of the unit: an extender has a carrier of the same country. */
  readonly #unitLinks: readonly LinkPlan[]

  constructor(unitLinks: readonly LinkPlan[]) {
    this.#unitLinks = unitLinks
  }

  facts(): ActualExtender[] {
    return this.#all.map(({ serialNumber, leftS }) => ({ serialNumber, connected: leftS <= 0 }))
  }

  get isRelaying(): boolean {
    return this.links().length > 0
  }

  links(): LinkModel[] {
    return this.isOn ? this.#all.filter(({ leftS }) => leftS <= 0).map(({ link }) => link) : []
  }

  /** Extenders that are already paired keep their links. */
  pair(serialNumbers: readonly string[]): void {
    const kept = this.#all.filter(({ serialNumber }) => serialNumbers.includes(serialNumber))
    for (const serialNumber of serialNumbers) {
      if (kept.some((one) => one.serialNumber === serialNumber)) continue
      const taken = kept.map(({ link }) => link.plan.port)
      const port = [0, 1, 2, 3].map((at) => firstPort + at).find((one) => !taken.includes(one)) ?? firstPort
      const random = new Random(seedOf('extender', serialNumber))
      kept.push({
        serialNumber,
        link: new LinkModel(this.#plan(serialNumber, port, random), random),
        leftS: findS,
      })
    }
    this.#all = kept
  }

  /** True when one was found. */
  step(seconds: number): boolean {
    const before = this.links().length
    for (const one of this.#all) one.leftS -= seconds
    return this.links().length > before
  }

  #plan(serialNumber: string, port: number, random: Random): LinkPlan {
    const [first, ...others] = this.#unitLinks.flatMap(({ carrier }) => carrier ?? [])
    return {
      port,
      id: `Extender ${serialNumber}`.slice(0, 64),
      kind: 'modem',
      technology: 'LTE',
      activeSim: 'A',
      roaming: false,
      address: `10.64.${port}.2`,
      ...(first !== undefined && { carrier: random.pick([first, ...others]) }),
      capacityKbps: random.between(2500, 6000),
      rttMs: random.between(35, 60),
      lossPercent: random.between(0.1, 0.4),
      // An extender is on a mast, not in a rucksack.
      rsrpDbm: random.between(-88, -74),
    }
  }
}
