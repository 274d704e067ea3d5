import { IconSparkles } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const whatsNewScreens: readonly Screen[] = [
  {
    path: '/psg/whats_new',
    guard: 'psg',
    component: loaded(async () => (await import('./WhatsNewPage.tsx')).WhatsNewPage),
    menu: { label: 'whatsNew', icon: IconSparkles, place: 80 },
  },
]
