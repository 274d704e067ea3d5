// Settings that are checked by their schemas, which come with the dialog: alerts, and the defaults of the group.
import { groupAdministration } from '@backhaul/contract/api/group-administration'
import { faultsOf, InvalidRequest } from '@backhaul/contract/define/errors'
import { AlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import { defaultsOf } from '@backhaul/contract/nouns/groups'
import { type SettingName, settingNames, UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { call } from '../../doors/api.ts'

/** Finds what core would refuse before anything is sent. */
export function checkAlerts(alerts: AlertsConfiguration): void {
  const wrong = AlertsConfiguration.safeParse(alerts).error
  if (wrong) throw new InvalidRequest(faultsOf(wrong))
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
