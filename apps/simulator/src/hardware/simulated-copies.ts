/** The copies that a simulated channel sends on to other channels, to each as a unit would. */
import type { WantedCopy } from '@backhaul/contract/gateway/servers'
import { Flow, type Media } from './media.ts'

interface Copy {
  flow: Flow
  end: AbortController
}

export class SimulatedCopies {
  readonly #media: Media
  /** By channel and transmission. */
  readonly #copies = new Map<string, Copy>()

  constructor(media: Media) {
    this.#media = media
  }

  /** Sends on what comes in now; a copy that ended, or that its channel did not admit, begins again. */
  follow(wanted: readonly WantedCopy[], from: Flow): void {
    const left = new Set(this.#copies.keys())
    for (const one of wanted) {
      const name = `${one.channelId} ${one.transmissionId}`
      left.delete(name)
      const { flow } = this.#copies.get(name) ?? this.#begin(name, one, from.fps)
      flow.kbps = from.kbps
      flow.hasPicture = from.hasPicture
      flow.picture = from.picture
      flow.soundChannels = from.soundChannels
      flow.label = from.label
    }
    for (const name of left) this.#end(name)
  }

  /** Nothing comes in any more. */
  endAll(): void {
    for (const name of [...this.#copies.keys()]) this.#end(name)
  }

  #begin(name: string, { transmissionId, key, targets }: WantedCopy, fps: number): Copy {
    const flow = new Flow(transmissionId, fps)
    const copy: Copy = { flow, end: new AbortController() }
    this.#copies.set(name, copy)
    const forget = () => {
      if (this.#copies.get(name) === copy) this.#copies.delete(name)
    }
    flow.onEnd(forget)
    const { signal } = copy.end
    this.#media.connect({ targets, key, flow, signal, hasNetwork: () => true }).catch(forget)
    return copy
  }

  #end(name: string): void {
    const copy = this.#copies.get(name)
    this.#copies.delete(name)
    copy?.end.abort()
    copy?.flow.close()
  }
}
