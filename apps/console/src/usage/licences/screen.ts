import { IconLicense } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const licenceScreens: readonly Screen[] = [
  {
    path: '/services/unit_license_activation',
    guard: 'services',
    component: loaded(async () => (await import('./ActivationPage.tsx')).ActivationPage),
    menu: { label: 'activation', icon: IconLicense, place: 20 },
  },
]
