import { IconAdjustments, IconAppWindow, IconRouter } from '@tabler/icons-react'
import type { MenuItem, Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'
import { type SettingChildName, settingChildNames, settingsPath } from './setting-paths.ts'

const SettingsPage = loaded(async () => (await import('./SettingsPage.tsx')).SettingsPage)
const pageOf = (child: SettingChildName) => () => <SettingsPage key={child} child={child} />

/** Those that have an item of their own (SC-MENU-21, SC-MENU-22). */
const ownItems: Partial<Record<SettingChildName, MenuItem>> = {
  client_application: { label: 'clientApplications', icon: IconAppWindow, place: 2 },
  modem_vendor: { label: 'modemVendors', icon: IconRouter, place: 4 },
}

export const systemSettingScreens: readonly Screen[] = [
  {
    path: settingsPath,
    guard: 'psg',
    component: pageOf(settingChildNames[0]),
    menu: { label: 'systemSettings', icon: IconAdjustments, place: 20 },
  },
  ...settingChildNames.map(
    (child): Screen => ({
      path: `${settingsPath}/${child}`,
      guard: 'psg',
      component: pageOf(child),
      ...(ownItems[child] ? { menu: ownItems[child] } : { under: 'systemSettings' as const }),
    }),
  ),
]
