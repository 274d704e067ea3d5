import { IconMicrophone } from '@tabler/icons-react'
import type { Screen } from '../../kit/screen.ts'
import { loaded } from '../../ui/loaded.ts'

export const audioRoomScreens: readonly Screen[] = [
  {
    path: '/manage/audio_rooms',
    guard: 'adminSet',
    component: loaded(async () => (await import('./AudioRoomsPage.tsx')).AudioRoomsPage),
    menu: { label: 'audioRooms', icon: IconMicrophone, place: 110 },
  },
]
