import { IconFolderShare } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const fileTargetScreens: readonly Screen[] = [
  {
    path: '/manage/file_targets',
    guard: 'adminGroup',
    component: loaded(async () => (await import('./FileTargetsPage.tsx')).FileTargetsPage),
    menu: { label: 'fileTargets', icon: IconFolderShare, place: 85 },
  },
]
