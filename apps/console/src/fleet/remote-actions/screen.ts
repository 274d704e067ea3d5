import { IconPlugConnected } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

const RemoteActionsPage = loaded(async () => (await import('./RemoteActionsPage.tsx')).RemoteActionsPage)

export const remoteActionScreens: readonly Screen[] = [
  {
    path: '/contractor/remote_actions',
    guard: 'contractor',
    component: RemoteActionsPage,
    menu: { label: 'remoteActions', icon: IconPlugConnected, place: 10 },
  },
  {
    path: '/support/remote_actions',
    guard: 'support',
    component: RemoteActionsPage,
    menu: { label: 'remoteActions', icon: IconPlugConnected, place: 50 },
  },
  {
    path: '/psg/remote_actions',
    guard: 'psg',
    component: RemoteActionsPage,
    menu: { label: 'remoteActions', icon: IconPlugConnected, place: 60 },
  },
]
