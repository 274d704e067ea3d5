import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const serverScreens: readonly Screen[] = [
  {
    path: '/unit/server/$uid',
    guard: 'everyone',
    component: loaded(async () => (await import('./ServerPage.tsx')).ServerPage),
    under: 'units',
  },
]
