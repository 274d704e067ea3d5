import { IconFolderShare, IconShare } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const shareScreens: readonly Screen[] = [
  {
    path: '/manage/shares/publishers',
    guard: 'shares',
    component: loaded(async () => (await import('./PublishersPage.tsx')).PublishersPage),
    menu: { label: 'publishers', icon: IconShare, place: 40 },
  },
  {
    path: '/manage/shares/subscribers',
    guard: 'shares',
    component: loaded(async () => (await import('./SubscribersPage.tsx')).SubscribersPage),
    menu: { label: 'subscribers', icon: IconFolderShare, place: 50 },
  },
]
