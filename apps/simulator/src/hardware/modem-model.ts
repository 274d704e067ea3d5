/** A modem of a simulated unit: its SIMs, its carrier, and how it joins the carrier's network. */
import { because } from '@backhaul/contract/define/refusals'
import type {
  CellularNetwork,
  CellularScan,
  ModemAccess,
  NetworkMode,
  SimFacts,
  SimSlot,
  UnitModem,
  UnitModemChanges,
} from '@backhaul/contract/nouns/unit-networks'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { LinkPlan } from '../fleet/fleet.ts'
import { Random, seedOf } from '../random.ts'
import type { LinkModel } from './link-model.ts'
import { type Span, takeTime } from './taking-time.ts'

export interface ModemPlan {
  /** The serial number of the unit. */
  serialNumber: string
  /** The carriers of the country. */
  carriers: readonly string[]
  has5g: boolean
  hasTwoSims: boolean
  canScan: boolean
}

/** The access point name that the simulated carriers accept. */
const apnOfCarriers = 'internet'
const dialIn = /^\*99(\*{3}\d)?#$/
const scanS = [60, 100] as const
const selectS = [8, 25] as const
const simS = [10, 20] as const
const configureS = [4, 8] as const

interface Sim {
  facts: SimFacts
  carrier: string
}

/** MCC and MNC that no carrier has. */
const codeOf = (at: number): string => `9997${at}`

export class ModemModel {
  readonly #link: LinkModel
  readonly #plan: ModemPlan
  readonly #clock: Clock
  readonly #random: Random
  readonly #onChange: () => void
  readonly #first: LinkPlan
  readonly #imei: string
  readonly #sims: Readonly<Record<SimSlot, Sim | null>>
  #access: ModemAccess & { dialInString: string } = {
    dialInString: '*99#',
    username: '',
    authProtocol: 'both',
    automaticApn: true,
    apn: '',
    hasPassword: false,
  }
  #mode: NetworkMode
  #chosen: string | null = null
  #found: Omit<CellularScan, 'port' | 'selected'> | undefined

  constructor(link: LinkModel, plan: ModemPlan, clock: Clock, onChange: () => void) {
    this.#link = link
    this.#plan = plan
    this.#clock = clock
    this.#onChange = onChange
    this.#first = link.plan
    this.#random = new Random(seedOf('modem', plan.serialNumber, link.plan.port))
    this.#imei = this.#digits('3582', 15)
    const { carrier = '', activeSim = 'A' } = link.plan
    const other = plan.carriers.find((one) => one !== carrier) ?? carrier
    const simOf = (slot: SimSlot): Sim | null => {
      const facts = { iccid: this.#digits('8999', 19), eid: slot === 'B' ? this.#digits('8904', 32) : '' }
      if (slot === activeSim) return { facts, carrier }
      return plan.hasTwoSims ? { facts, carrier: other } : null
    }
    this.#sims = { A: simOf('A'), B: simOf('B') }
    this.#mode = plan.has5g ? '3G/4G/5G' : '3G/4G'
  }

  get port(): number {
    return this.#first.port
  }

  facts(): UnitModem {
    const { has5g, canScan, serialNumber } = this.#plan
    const cell = seedOf('cell', serialNumber, this.#carrier())
    return {
      port: this.port,
      vendor: 'Simulated',
      type: has5g ? 'SM-5000' : 'SM-4000',
      imei: this.#imei,
      simA: this.#sims.A?.facts ?? null,
      simB: this.#sims.B?.facts ?? null,
      access: this.#access,
      networkMode: this.#mode,
      networkModes: has5g ? ['3G/4G/5G', '3G/4G', '4G'] : ['3G/4G', '4G'],
      cellId: cell.toString(16).toUpperCase().padStart(8, '0'),
      locationAreaCode: (cell >>> 16).toString(16).toUpperCase().padStart(4, '0'),
      selection: { mode: this.#chosen === null ? 'automatic' : 'manual', network: this.#chosen },
      canScan,
    }
  }

  scanned(): CellularScan | undefined {
    return this.#found && { port: this.port, selected: this.#chosen, ...this.#found }
  }

  async scan(): Promise<void> {
    if (!this.#plan.canScan) throw new Refused('cellularScan.unsupported')
    await this.#away(scanS, () => {
      this.#found = { networks: this.#networks(), scannedAt: this.#clock.nowMs() }
    })
  }

  /** Undefined is the network of the SIM again. */
  async select(network: string | undefined): Promise<void> {
    const wanted = this.#networks().find(({ code }) => code === network)
    if (network !== undefined && !wanted)
      throw new Refused(because('network.failed', { error: 'the modem was not registered' }))
    await this.#away(selectS, () => {
      this.#chosen = network ?? null
      this.#join(wanted?.name ?? this.#sims[this.#slot()]?.carrier ?? '')
    })
  }

  async setSim(sim: SimSlot): Promise<void> {
    const next = this.#sims[sim]
    if (!next) throw new Refused(because('modem.noSim', { sim }))
    if (this.#slot() === sim) return
    await this.#away(simS, () => {
      this.#chosen = null
      this.#link.plan = { ...this.#link.plan, activeSim: sim }
      this.#join(next.carrier)
    })
  }

  /** With an access point or a number that the carrier does not accept it returns to the previous settings. */
  async configure(
    { networkMode, ...changes }: UnitModemChanges,
    password: string | undefined,
  ): Promise<void> {
    const access = {
      ...this.#access,
      ...definedOf(changes),
      ...(password !== undefined && { hasPassword: password !== '' }),
    }
    const isAccepted = access.automaticApn || access.apn === apnOfCarriers
    await this.#away(configureS, () => {
      if (!isAccepted)
        throw new Refused(because('network.failed', { error: 'the network does not accept the APN' }))
      if (!dialIn.test(access.dialInString))
        throw new Refused(because('network.failed', { error: 'the modem was not connected' }))
      this.#access = access.automaticApn ? { ...access, apn: '' } : access
      this.#mode = networkMode ?? this.#mode
      this.#join(this.#carrier())
    })
  }

  readonly #carrier = () => this.#link.plan.carrier ?? ''
  readonly #slot = (): SimSlot => this.#link.plan.activeSim ?? 'A'

  #digits(start: string, length: number): string {
    let digits = start
    while (digits.length < length) digits += this.#random.whole(0, 9)
    return digits
  }

  /** The modem carries nothing for this time. */
  async #away(span: Span, then: () => void): Promise<void> {
    this.#link.isJoined = false
    try {
      await takeTime(this.#clock, this.#random, span)
      then()
    } finally {
      this.#link.isJoined = true
      this.#onChange()
    }
  }

  #networks(): CellularNetwork[] {
    const current = this.#carrier()
    return this.#plan.carriers.map((name, at) => ({
      code: codeOf(at),
      name,
      technology: this.#plan.has5g ? 'LTE / 5G NSA' : 'LTE',
      state: name === current ? ('current' as const) : ('available' as const),
    }))
  }

  /** Each carrier has cells of its own, at other distances. */
  #join(carrier: string): void {
    const here = new Random(seedOf('reach', this.#plan.serialNumber, carrier))
    const isFirst = carrier === this.#first.carrier
    const share = isFirst ? 1 : here.between(0.5, 1.3)
    const isLimited = this.#mode !== '3G/4G/5G' && this.#first.technology !== 'LTE'
    this.#link.rejoin({
      carrier,
      roaming: isFirst ? this.#first.roaming : false,
      technology: isLimited ? 'LTE' : this.#first.technology,
      capacityKbps: this.#first.capacityKbps * share * (isLimited ? 0.5 : 1),
      rttMs: this.#first.rttMs * (isFirst ? 1 : here.between(0.9, 1.4)),
      rsrpDbm: isFirst ? this.#first.rsrpDbm : here.between(-112, -76),
    })
  }
}

const definedOf = <T extends object>(values: T): { [Key in keyof T]: NonNullable<T[Key]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
