import { IconPackage } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const serviceScreens: readonly Screen[] = [
  {
    path: '/services/inventory_services',
    guard: 'services',
    component: loaded(async () => (await import('./InventoryServicesPage.tsx')).InventoryServicesPage),
    menu: { label: 'inventoryServices', icon: IconPackage, place: 10 },
  },
]
