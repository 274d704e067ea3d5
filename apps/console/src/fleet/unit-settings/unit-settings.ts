// The configuration of a unit as a form: its known values, the changed ones, and those that it has yet to confirm.
import { alerts as alertCalls } from '@backhaul/contract/api/alerts'
import { groupAdministration } from '@backhaul/contract/api/group-administration'
import { unitSettings } from '@backhaul/contract/api/unit-settings'
import { type UnitConfiguration, units } from '@backhaul/contract/api/units'
import { faultsOf, InvalidRequest } from '@backhaul/contract/define/errors'
import { AlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import { defaultsOf } from '@backhaul/contract/nouns/groups'
import { productOf } from '@backhaul/contract/nouns/products'
import {
  type SettingName,
  settingNames,
  UnitSettings,
  unconfirmedOf,
} from '@backhaul/contract/nouns/unit-settings'
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

/** Finds what core would refuse before anything is sent. */
export function checkAlerts(alerts: AlertsConfiguration): void {
  const wrong = AlertsConfiguration.safeParse(alerts).error
  if (wrong) throw new InvalidRequest(faultsOf(wrong))
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

/** The settings that the group keeps as its default, of those that the unit knows; null when it keeps none. Throws. */
export async function defaultsFor(groupId: string, known: UnitSettings): Promise<UnitSettings | null> {
  const kept = await call(groupAdministration.defaultConfiguration, { params: { id: groupId } })
  if (kept === null) return null
  const { transmissionMode: mode, ...rest } = kept
  const modes = UnitSettings.parse(
    mode === 'live' || mode === 'storeAndForward' ? { sendMode: mode } : { linkMode: mode },
  )
  const settings = { ...UnitSettings.parse(rest), ...(mode && modes) }
  const usable: SettingName[] = settingNames(settings).filter((name) => known[name] !== undefined)
  return Object.fromEntries(usable.map((name) => [name, settings[name]]))
}

/** Keeps what the unit has as the default of the group, but for its networks. */
export const keepDefaults = (groupId: string, settings: UnitSettings): Promise<unknown> =>
  call(groupAdministration.changeDefaultConfiguration, {
    params: { id: groupId },
    body: defaultsOf(settings),
  })
