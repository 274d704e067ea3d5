/** The network between simulated units and simulated servers: listeners by address, and flows as figures. */
import { because, type PlainCode } from '@backhaul/contract/define/refusals'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { SimulatedPicture } from './picture-model.ts'

/** One transmission on its way. The unit writes, the server reads. */
export class Flow {
  readonly transmissionId: string
  readonly fps: number
  kbps = 0
  /** Packets since the beginning. */
  recovered = 0
  uncorrected = 0
  hasPicture = true
  picture: SimulatedPicture = { width: 1920, height: 1080 }
  soundChannels = 2
  /** The name that the unit gives to the picture. */
  label = ''
  /** Test data alone: the receiver finds no programme in it. */
  isTest = false
  isOpen = true
  #end: ((why: PlainCode) => void) | undefined

  constructor(transmissionId: string, fps: number) {
    this.transmissionId = transmissionId
    this.fps = fps
  }

  /** Called for the sending side when the receiving side closes. */
  onEnd(run: (why: PlainCode) => void): void {
    this.#end = run
  }

  /** By the sending side. */
  close(): void {
    this.isOpen = false
  }

  /** Called by the receiving side: the sender gets the reason. */
  end(why: PlainCode): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#end?.(why)
  }
}

/** True when the listener admits this flow: it expects the transmission and the key matches. */
export type Listener = (flow: Flow, key: string) => boolean

export interface Call {
  targets: readonly { host: string; port: number }[]
  key: string
  flow: Flow
  signal: AbortSignal
  /** Whether any link of the calling side is up. */
  hasNetwork: () => boolean
}

export interface Media {
  listen(host: string, port: number, listener: Listener): () => void
  /** Resolves when a listener admits the flow; rejects when none does in time, as for a host that is not simulated. */
  connect(call: Call): Promise<void>
}

const tryEveryMs = 400
const giveUpMs = 6000

export function createMedia(clock: Clock): Media {
  const listeners = new Map<string, Listener>()
  return {
    listen(host, port, listener) {
      const place = `${host}:${port}`
      listeners.set(place, listener)
      return () => {
        if (listeners.get(place) === listener) listeners.delete(place)
      }
    },
    connect({ targets, key, flow, signal, hasNetwork }) {
      const places = targets.map(({ host, port }) => `${host}:${port}`)
      const giveUpAtMs = clock.monotonicMs() + giveUpMs
      return new Promise((resolve, reject) => {
        const attempt = () => {
          if (signal.aborted) return reject(new Error('no longer wanted'))
          if (hasNetwork() && places.some((place) => listeners.get(place)?.(flow, key))) return resolve()
          if (clock.monotonicMs() >= giveUpAtMs)
            return reject(new Refused(because('device.noAnswerFrom', { address: places.join(', ') })))
          clock.setTimeout(attempt, tryEveryMs)
        }
        // Even a good handshake takes a round trip or two.
        clock.setTimeout(attempt, tryEveryMs)
      })
    },
  }
}
