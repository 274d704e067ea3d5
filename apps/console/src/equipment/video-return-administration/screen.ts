import { IconScreenShare } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const videoReturnScreens: readonly Screen[] = [
  {
    path: '/manage/video_return',
    guard: 'adminGroup',
    component: loaded(async () => (await import('./VideoReturnPage.tsx')).VideoReturnPage),
    menu: { label: 'videoReturn', icon: IconScreenShare, place: 70 },
  },
]
