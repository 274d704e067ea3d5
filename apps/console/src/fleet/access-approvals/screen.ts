import { IconHeadset } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const accessApprovalScreens: readonly Screen[] = [
  {
    path: '/psg/access_approvals',
    guard: 'psg',
    component: loaded(async () => (await import('./AccessApprovalsPage.tsx')).AccessApprovalsPage),
    menu: { label: 'accessApprovals', icon: IconHeadset, place: 70 },
  },
]
