/** The networks of a simulated unit, by the port of the link. */
import { Refused } from '@backhaul/device/refused'
import type { NetworkHardware, UnitFacts } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { UnitPlan } from '../fleet/fleet.ts'
import { countries } from '../fleet/places.ts'
import { Random, seedOf } from '../random.ts'
import type { LinkModel } from './link-model.ts'
import { ModemModel } from './modem-model.ts'
import { WifiModel } from './wifi-model.ts'

export class NetworkModel {
  readonly #wifi: WifiModel | undefined
  readonly #modems: readonly ModemModel[]
  readonly hardware: NetworkHardware

  /** `links` are built into the unit. */
  constructor(plan: UnitPlan, links: readonly LinkModel[], clock: Clock, onChange: () => void) {
    const { serialNumber, product, city } = plan
    const { capabilities } = product
    const wifi = links.find((link) => link.plan.kind === 'wifi')
    this.#wifi = wifi && new WifiModel(wifi, clock, new Random(seedOf('Wi-Fi', serialNumber)), onChange)
    const modemPlan = {
      serialNumber,
      carriers: countries[city.country].carriers,
      has5g: product.has5g,
      hasTwoSims: capabilities.activeSim === true,
      canScan: capabilities.scanCellular === true,
    }
    this.#modems = links
      .filter((link) => link.plan.kind === 'modem')
      .map((link) => new ModemModel(link, modemPlan, clock, onChange))
    this.hardware = {
      scanWifi: () => this.#requireWifi().scan(),
      connectWifi: (_, join) => this.#requireWifi().connect(join),
      disconnectWifi: () => this.#requireWifi().disconnect(),
      scanCellular: (port) => this.#at(port).scan(),
      selectNetwork: (port, network) => this.#at(port).select(network),
      setActiveSim: (port, sim) => this.#at(port).setSim(sim),
      setModem: (port, changes, password) => this.#at(port).configure(changes, password),
    }
  }

  facts(): Pick<UnitFacts, 'wifi' | 'modems' | 'cellularNetworks'> {
    return {
      wifi: this.#wifi ? [this.#wifi.facts()] : [],
      modems: this.#modems.map((modem) => modem.facts()),
      cellularNetworks: this.#modems.flatMap((modem) => modem.scanned() ?? []),
    }
  }

  #at(port: number): ModemModel {
    const modem = this.#modems.find((one) => one.port === port)
    if (!modem) throw new Refused('modem.gone')
    return modem
  }

  #requireWifi(): WifiModel {
    if (!this.#wifi) throw new Refused('wifi.notBuiltIn')
    return this.#wifi
  }
}
