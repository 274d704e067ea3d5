import { IconUsersGroup } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const groupScreens: readonly Screen[] = [
  {
    path: '/manage/groups',
    guard: 'adminSet',
    component: loaded(async () => (await import('./GroupsPage.tsx')).GroupsPage),
    menu: { label: 'groups', icon: IconUsersGroup, place: 30, key: 'g' },
  },
]
