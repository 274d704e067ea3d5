// The networks of the unit as the services of the machine manage them: NetworkManager and ModemManager, over D-Bus.
import type { UnitActual } from '@backhaul/contract/gateway/units'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { NetworkHardware } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { isVirtual } from '../hardware/interfaces.ts'
import type { PortAssignments } from '../hardware/port-assignments.ts'
import { openBus } from './bus.ts'
import { openCellular } from './cellular.ts'
import { reachesCore } from './core-reach.ts'
import { followEthernet } from './ethernet.ts'
import type { Modem } from './modem-values.ts'
import { followModems, nameOf } from './modems.ts'
import { openNetworkChoices } from './network-choices.ts'
import { followWifi } from './wifi.ts'

export interface Networks {
  /** The settings that the machine allows the agent to change. */
  settings(): Pick<UnitSettings, 'ethernet'>
  /** Rejects with the reason, and has changed nothing then. */
  applySettings(changes: Pick<UnitSettings, 'ethernet'>): Promise<void>
  facts(): Pick<UnitActual, 'wifi' | 'modems' | 'cellularNetworks'>
  /** The facts that can be changed. */
  capabilities(): Record<string, boolean>
  readonly hardware: NetworkHardware
  modems(): readonly Modem[]
  stop(): void
}

export interface NetworksOptions {
  coreUrl: string
  /** Other networks or addresses are given up when core is not reached with them within this time. */
  trialS: number
  assignments: PortAssignments
  /** The file of the networks that were chosen for modems. */
  choicesPath: string
  clock: Clock
  log: Log
  onChange: () => void
}

export function openNetworks(options: NetworksOptions): Networks {
  const { assignments, coreUrl, clock } = options
  // A service that does not answer must not cut off calls to the other, nor one call that takes minutes the others.
  const [bus, modemBus, slowBus] = [openBus(), openBus(), openBus()]
  const trial = { clock, withinS: options.trialS, reachesCore: () => reachesCore(coreUrl) }
  const portOf = (id: string) => (isVirtual(id) ? undefined : assignments.portOf(id))
  const modems = followModems({ ...options, bus: modemBus })
  const ethernet = followEthernet({ ...options, bus, trial, portOf })
  const wifi = followWifi({ ...options, bus, trial, portOf })
  const cellular = openCellular({
    ...options,
    bus,
    modemBus: slowBus,
    modems,
    trial,
    choices: openNetworkChoices(options.choicesPath),
    portOf: (modem) => assignments.portOf(nameOf(modem), modem.imei),
  })
  return {
    modems: modems.all,
    settings() {
      const sockets = ethernet.settings()
      return sockets ? { ethernet: sockets } : {}
    },
    async applySettings(changes) {
      if (changes.ethernet) await ethernet.apply(changes.ethernet)
    },
    facts: () => ({ wifi: wifi.facts(), modems: cellular.facts(), cellularNetworks: cellular.scans() }),
    capabilities() {
      const facts = cellular.facts()
      return {
        wifi: wifi.facts().length > 0,
        scanCellular: facts.some(({ canScan }) => canScan),
        activeSim: facts.some(({ simA, simB }) => simA !== null && simB !== null),
      }
    },
    hardware: {
      scanWifi: wifi.scan,
      connectWifi: wifi.connect,
      disconnectWifi: wifi.disconnect,
      scanCellular: cellular.scan,
      selectNetwork: cellular.select,
      setActiveSim: cellular.setActiveSim,
      setModem: cellular.set,
    },
    stop() {
      for (const part of [ethernet, wifi, cellular, modems]) part.stop()
      for (const connection of [bus, modemBus, slowBus]) connection.close()
    },
  }
}
