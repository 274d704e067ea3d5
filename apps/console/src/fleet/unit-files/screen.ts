import { IconUpload } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const unitFileScreens: readonly Screen[] = [
  {
    path: '/unit/file_upload',
    guard: 'adminGroup',
    component: loaded(async () => (await import('./UnitFilesPage.tsx')).UnitFilesPage),
    menu: { label: 'fileUpload', icon: IconUpload, place: 30 },
  },
]
