import { IconVersions } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const softwareVersionScreens: readonly Screen[] = [
  {
    path: '/manage/sw_version',
    guard: 'adminSet',
    component: loaded(async () => (await import('./SoftwareVersionsPage.tsx')).SoftwareVersionsPage),
    menu: { label: 'softwareVersions', icon: IconVersions, place: 100 },
  },
]
