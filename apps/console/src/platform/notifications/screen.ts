import { IconSpeakerphone } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const systemMessageScreens: readonly Screen[] = [
  {
    path: '/psg/system_settings/client_notification',
    guard: 'psg',
    component: loaded(async () => (await import('./SystemMessagesPage.tsx')).SystemMessagesPage),
    menu: { label: 'systemMessages', icon: IconSpeakerphone, place: 90 },
  },
]
