import { IconAntenna } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const channelScreens: readonly Screen[] = [
  {
    path: '/manage/channels',
    guard: 'adminGroup',
    component: loaded(async () => (await import('./ChannelsPage.tsx')).ChannelsPage),
    menu: { label: 'channels', icon: IconAntenna, place: 60, key: 'c' },
  },
]
