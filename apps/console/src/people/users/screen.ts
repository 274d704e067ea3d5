import { IconUsers } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const userScreens: readonly Screen[] = [
  {
    path: '/manage/users',
    guard: 'adminSet',
    component: loaded(async () => (await import('./UsersPage.tsx')).UsersPage),
    menu: { label: 'users', icon: IconUsers, place: 20, key: 'p' },
  },
]
