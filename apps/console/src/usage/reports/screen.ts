import { IconChartBar } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const reportScreens: readonly Screen[] = [
  {
    path: '/services/reports',
    guard: 'services',
    component: loaded(async () => (await import('./ReportsPage.tsx')).ReportsPage),
    menu: { label: 'reports', icon: IconChartBar, place: 30, key: 'r' },
  },
]
