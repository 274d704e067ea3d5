import { IconLayoutGrid } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const multiviewScreens: readonly Screen[] = [
  {
    path: '/unit/multiview',
    guard: 'everyone',
    component: loaded(async () => (await import('./MultiviewPage.tsx')).MultiviewPage),
    menu: { label: 'multiview', icon: IconLayoutGrid, place: 20, key: 'm' },
  },
]
