import { IconAdjustments } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'
import { type SettingChildName, settingChildNames, settingsPath } from './setting-paths.ts'

const SettingsPage = loaded(async () => (await import('./SettingsPage.tsx')).SettingsPage)
const pageOf = (child: SettingChildName) => () => <SettingsPage key={child} child={child} />

export const systemSettingScreens: readonly Screen[] = [
  {
    path: settingsPath,
    guard: 'psg',
    component: pageOf(settingChildNames[0]),
    menu: { label: 'systemSettings', icon: IconAdjustments, place: 100 },
  },
  ...settingChildNames.map(
    (child): Screen => ({
      path: `${settingsPath}/${child}`,
      guard: 'psg',
      component: pageOf(child),
      under: 'systemSettings',
    }),
  ),
]
