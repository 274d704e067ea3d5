import { IconKey } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const apiKeyScreens: readonly Screen[] = [
  {
    path: '/manage/api_keys',
    guard: 'adminGroup',
    component: loaded(async () => (await import('./ApiKeysPage.tsx')).ApiKeysPage),
    menu: { label: 'apiKeys', icon: IconKey, place: 130 },
  },
]
