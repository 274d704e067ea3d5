import { IconFiles } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const fileScreens: readonly Screen[] = [
  {
    path: '/unit/files',
    guard: 'everyone',
    component: loaded(async () => (await import('./FilesPage.tsx')).FilesPage),
    menu: { label: 'files', icon: IconFiles, place: 10, key: 'f' },
  },
]
