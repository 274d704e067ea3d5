// The configuration of a unit as a form: its known values, the changed ones, and those that it has yet to confirm.
import { alerts as alertCalls } from '@backhaul/contract/api/alerts'
import { unitSettings } from '@backhaul/contract/api/unit-settings'
import { type UnitConfiguration, units } from '@backhaul/contract/api/units'
import type { AlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import { productOf } from '@backhaul/contract/nouns/products'
import { type SettingName, type UnitSettings, unconfirmedOf } from '@backhaul/contract/nouns/unit-settings'
import type { Unit } from '@backhaul/contract/nouns/units'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { useAnswer } from '../../doors/reads.ts'
import { createValue } from '../../ui/value.ts'
import { isUnderWay } from '../unit-networks/unit-networks.ts'

interface Asked {
  uid: string
  name: string
}

export const askedConfiguration = createValue<Asked | null>(null)

/** Opens the configuration of a unit. */
export const askForConfiguration = ({ uid, name }: Asked): void => askedConfiguration.set({ uid, name })

/** Interval of requests to core while the unit has something to confirm. */
const confirmingEveryMs = 1000

export interface ReadConfiguration {
  unit: Unit
  configuration: UnitConfiguration
  /** null: of a unit that raises none. */
  alerts: AlertsConfiguration | null
}

async function readConfiguration(uid: string): Promise<ReadConfiguration> {
  const params = { id: uid }
  const [unit, configuration, alerts] = await Promise.all([
    call(units.one, { params }),
    call(units.configuration, { params }),
    call(alertCalls.ofUnit, { params }),
  ])
  return { unit, configuration, alerts: productOf(unit.type).alerts ? alerts : null }
}

export const useConfiguration = (uid: string) =>
  useAnswer(['unit', uid, 'configuration'], () => readConfiguration(uid), {
    everyMs: (known) =>
      known && (known.configuration.unconfirmed.length > 0 || isUnderWay(known.unit))
        ? confirmingEveryMs
        : undefined,
  })

/** Undefined when core took the changes. */
export async function configure(uid: string, changes: UnitSettings): Promise<Fault | undefined> {
  try {
    await call(unitSettings.configure, { params: { id: uid }, body: changes })
  } catch (error) {
    return describeFault(error)
  }
}

export const saveAlerts = (uid: string, body: AlertsConfiguration): Promise<unknown> =>
  call(alertCalls.setOfUnit, { params: { id: uid }, body })

/** Only what really differs is requested, and again what the unit has not taken. */
export function changesOf(
  form: UnitSettings,
  before: UnitSettings,
  untaken: readonly SettingName[],
): UnitSettings {
  const names = new Set([...unconfirmedOf(form, before), ...untaken])
  return Object.fromEntries([...names].map((name) => [name, form[name]]))
}
