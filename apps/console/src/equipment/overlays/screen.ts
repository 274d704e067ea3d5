import { IconPhoto } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const overlayScreens: readonly Screen[] = [
  {
    path: '/manage/graphics',
    guard: 'adminGroup',
    component: loaded(async () => (await import('./OverlaysPage.tsx')).OverlaysPage),
    menu: { label: 'graphics', icon: IconPhoto, place: 80 },
  },
]
