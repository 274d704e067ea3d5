import { IconNews } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const storyScreens: readonly Screen[] = [
  {
    path: '/unit/stories',
    guard: 'everyone',
    component: loaded(async () => (await import('./StoriesPage.tsx')).StoriesPage),
    menu: { label: 'stories', icon: IconNews, place: 10, key: 's' },
  },
]
