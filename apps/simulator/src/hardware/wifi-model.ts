/** The Wi-Fi of a simulated unit: networks around it, which it can join and leave. */
import { because } from '@backhaul/contract/define/refusals'
import type { WifiJoin, WifiNetwork, WifiStatus } from '@backhaul/contract/nouns/unit-networks'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { Random } from '../random.ts'
import type { LinkModel } from './link-model.ts'
import { takeTime } from './taking-time.ts'

/** The hotspot of the crew, which the unit knows from the first; every network accepts any password. */
const crewNetwork: WifiNetwork = { ssid: 'Crew hotspot', security: 'wpa', signalPercent: 82, isKnown: true }
const otherNetworks: readonly WifiNetwork[] = [
  { ssid: 'Press centre', security: 'wpa3', signalPercent: 64, isKnown: false },
  { ssid: 'Café guests', security: 'open', signalPercent: 41, isKnown: false },
  { ssid: 'Venue staff', security: 'enterprise', signalPercent: 37, isKnown: false },
]
/** It does not announce its name. */
const hiddenSsid = 'OB truck'
const scanS = [3, 5] as const
const joinS = [3, 6] as const

export class WifiModel {
  #status: WifiStatus
  readonly #link: LinkModel
  readonly #clock: Clock
  readonly #random: Random
  readonly #onChange: () => void
  #known = new Set([crewNetwork.ssid])

  constructor(link: LinkModel, clock: Clock, random: Random, onChange: () => void) {
    this.#link = link
    this.#clock = clock
    this.#random = random
    this.#onChange = onChange
    const { ssid, security } = crewNetwork
    this.#status = { port: link.plan.port, ssid, security, networks: [], scannedAt: null }
  }

  facts(): WifiStatus {
    return this.#status
  }

  async scan(): Promise<void> {
    await takeTime(this.#clock, this.#random, scanS)
    this.#set({ networks: this.#inTheAir(), scannedAt: this.#clock.nowMs() })
  }

  async connect({ ssid, security, password, isHidden }: Omit<WifiJoin, 'port'>): Promise<void> {
    await takeTime(this.#clock, this.#random, joinS)
    const isThere = isHidden
      ? ssid === hiddenSsid
      : this.#inTheAir().some((one) => one.ssid === ssid && one.security === security)
    if (!isThere) throw new Refused(because('wifi.notInRange', { ssid }))
    if (security !== 'open' && password === undefined && !this.#known.has(ssid))
      throw new Refused(
        because('network.failed', { error: 'the password of the network is missing or wrong' }),
      )
    this.#known.add(ssid)
    this.#link.isJoined = true
    // The access point is where the unit is.
    this.#link.isAtNetwork = true
    this.#set({ ssid, security, networks: this.#status.scannedAt === null ? [] : this.#inTheAir() })
  }

  async disconnect(): Promise<void> {
    await takeTime(this.#clock, this.#random, [1, 2])
    this.#link.isJoined = false
    this.#set({ ssid: null, security: null })
  }

  readonly #inTheAir = (): WifiNetwork[] =>
    [crewNetwork, ...otherNetworks].map((one) => ({ ...one, isKnown: this.#known.has(one.ssid) }))

  #set(changes: Partial<WifiStatus>): void {
    this.#status = { ...this.#status, ...changes }
    this.#onChange()
  }
}
