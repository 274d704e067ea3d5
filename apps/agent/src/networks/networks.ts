// The networks of the unit as the services of the machine manage them: NetworkManager and ModemManager, over D-Bus.
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { isVirtual } from '../hardware/interfaces.ts'
import type { PortAssignments } from '../hardware/port-assignments.ts'
import { openBus } from './bus.ts'
import { reachesCore } from './core-reach.ts'
import { followEthernet } from './ethernet.ts'
import type { Modem } from './modem-values.ts'
import { followModems } from './modems.ts'

export interface Networks {
  /** Those that the machine lets the agent change. */
  settings(): Pick<UnitSettings, 'ethernet'>
  /** Rejects with the reason, and has changed nothing then. */
  applySettings(changes: Pick<UnitSettings, 'ethernet'>): Promise<void>
  modems(): readonly Modem[]
  stop(): void
}

export interface NetworksOptions {
  coreUrl: string
  /** Other addresses are given up when core is not reached with them within this time. */
  trialS: number
  assignments: PortAssignments
  clock: Clock
  log: Log
  onChange: () => void
}

export function openNetworks(options: NetworksOptions): Networks {
  const { assignments, coreUrl } = options
  // A service that does not answer must not cut off calls to the other.
  const [bus, modemBus] = [openBus(), openBus()]
  const modems = followModems({ ...options, bus: modemBus })
  const ethernet = followEthernet({
    ...options,
    bus,
    portOf: (id) => (isVirtual(id) ? undefined : assignments.portOf(id)),
    reachesCore: () => reachesCore(coreUrl),
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
    stop() {
      ethernet.stop()
      modems.stop()
      bus.close()
      modemBus.close()
    },
  }
}
