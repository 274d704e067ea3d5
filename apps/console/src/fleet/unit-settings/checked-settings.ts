// The defaults of a group, checked by their schemas, which come with the dialog.
import { groupAdministration } from '@backhaul/contract/api/group-administration'
import { defaultsOf } from '@backhaul/contract/nouns/groups'
import { type SettingName, settingNames, UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { call } from '../../doors/api.ts'

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
