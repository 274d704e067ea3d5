// The screens of this area; each is a value in the folder of its page.
import type { Screen } from '../kit/screen.ts'
import { audioRoomScreens } from './audio-rooms/screen.ts'
import { channelScreens } from './channel-administration/screen.ts'
import { deviceScreens } from './device-administration/screen.ts'
import { overlayScreens } from './overlays/screen.ts'
import { videoReturnScreens } from './video-return-administration/screen.ts'

export const equipmentScreens: readonly Screen[] = [
  ...audioRoomScreens,
  ...channelScreens,
  ...deviceScreens,
  ...overlayScreens,
  ...videoReturnScreens,
]
