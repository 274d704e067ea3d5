import { IconFileSpreadsheet } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const batchUpgradeScreens: readonly Screen[] = [
  {
    path: '/psg/batch_upgrade',
    guard: 'psg',
    component: loaded(async () => (await import('./BatchUpgradesPage.tsx')).BatchUpgradesPage),
    menu: { label: 'batchUpgrade', icon: IconFileSpreadsheet, place: 85 },
  },
]
