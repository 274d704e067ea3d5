import { IconServer2 } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const deviceScreens: readonly Screen[] = [
  {
    path: '/manage/devices',
    guard: 'adminGroup',
    component: loaded(async () => (await import('./DevicesPage.tsx')).DevicesPage),
    menu: { label: 'devices', icon: IconServer2, place: 10, key: 'd' },
  },
]
