import { IconGauge } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const usageProfileScreens: readonly Screen[] = [
  {
    path: '/manage/usage_profiles',
    guard: 'adminSet',
    component: loaded(async () => (await import('./UsageProfilesPage.tsx')).UsageProfilesPage),
    menu: { label: 'usageProfiles', icon: IconGauge, place: 90 },
  },
]
