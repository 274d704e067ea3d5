import {
  IconAdjustments,
  IconAppWindow,
  IconPackages,
  IconRobot,
  IconRouter,
  IconSpeakerphone,
} from '@tabler/icons-react'
import type { MenuItem, Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'
import {
  type OtherPageName,
  otherPageNames,
  type SettingChildName,
  settingChildNames,
  settingsPath,
} from './setting-paths.ts'

const SettingsPage = loaded(async () => (await import('./SettingsPage.tsx')).SettingsPage)
const OtherSettingsPage = loaded(async () => (await import('./OtherSettingsPage.tsx')).OtherSettingsPage)
const pageOf = (child: SettingChildName) => () => <SettingsPage key={child} child={child} />
const otherPageOf = (child: OtherPageName) => () => <OtherSettingsPage key={child} child={child} />

/** Settings that have an item of their own (SC-MENU-21, SC-MENU-22). */
const ownItems: Partial<Record<SettingChildName | OtherPageName, MenuItem>> = {
  client_application: { label: 'clientApplications', icon: IconAppWindow, place: 2 },
  modem_vendor: { label: 'modemVendors', icon: IconRouter, place: 4 },
  client_notification: { label: 'systemMessages', icon: IconSpeakerphone, place: 90 },
  ai_settings: { label: 'aiSettings', icon: IconRobot, place: 95 },
  inventory_service: { label: 'customerServices', icon: IconPackages, place: 98 },
}

const screenOf = (child: SettingChildName | OtherPageName, component: Screen['component']): Screen => ({
  path: `${settingsPath}/${child}`,
  guard: 'psg',
  component,
  ...(ownItems[child] ? { menu: ownItems[child] } : { under: 'systemSettings' as const }),
})

export const systemSettingScreens: readonly Screen[] = [
  {
    path: settingsPath,
    guard: 'psg',
    component: pageOf(settingChildNames[0]),
    menu: { label: 'systemSettings', icon: IconAdjustments, place: 20 },
  },
  ...settingChildNames.map((child) => screenOf(child, pageOf(child))),
  ...otherPageNames.map((child) => screenOf(child, otherPageOf(child))),
]
