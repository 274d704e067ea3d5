import { IconHistory } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const auditScreens: readonly Screen[] = [
  {
    path: '/manage/audit',
    guard: 'adminSet',
    component: loaded(async () => (await import('./AuditPage.tsx')).AuditPage),
    menu: { label: 'audit', icon: IconHistory, place: 140, key: 'a' },
  },
]
