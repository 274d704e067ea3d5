import { IconDeviceTv } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded, loadedOnTheWay } from '../../ui/loaded.ts'

export const unitScreens: readonly Screen[] = [
  {
    path: '/unit/list',
    guard: 'everyone',
    component: loadedOnTheWay(async () => (await import('./UnitsPage.tsx')).UnitsPage),
    menu: { label: 'units', icon: IconDeviceTv, place: 10, key: 'u' },
  },
  {
    path: '/unit/$uid',
    guard: 'everyone',
    component: loaded(async () => (await import('./UnitPage.tsx')).UnitPage),
    under: 'units',
  },
  {
    path: '/easy_live',
    guard: 'studio',
    component: loaded(async () => (await import('./EasyLivePage.tsx')).EasyLivePage),
    isAlone: true,
  },
]
