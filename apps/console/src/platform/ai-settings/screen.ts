import { IconRobot } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const aiSettingScreens: readonly Screen[] = [
  {
    path: '/psg/system_settings/ai_settings',
    guard: 'psg',
    component: loaded(async () => (await import('./AiSettingsPage.tsx')).AiSettingsPage),
    menu: { label: 'aiSettings', icon: IconRobot, place: 95 },
  },
]
