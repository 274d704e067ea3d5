import { IconMap2 } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const mapScreens: readonly Screen[] = [
  {
    path: '/unit/map',
    guard: 'everyone',
    component: loaded(async () => (await import('./MapPage.tsx')).MapPage),
    menu: { label: 'map', icon: IconMap2, place: 40, key: 'w' },
    feature: 'map',
  },
]
