import { IconMail } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const outboxScreens: readonly Screen[] = [
  {
    path: '/manage/outbox',
    guard: 'adminGroup',
    component: loaded(async () => (await import('./OutboxPage.tsx')).OutboxPage),
    menu: { label: 'outbox', icon: IconMail, place: 120, key: 'o' },
  },
]
