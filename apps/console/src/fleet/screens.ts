// The screens of this area; each is a value in the folder of its page.
import type { Screen } from '../kit/screen.ts'
import { accessApprovalScreens } from './access-approvals/screen.ts'
import { fileTargetScreens } from './file-targets/screen.ts'
import { fileScreens } from './files/screen.ts'
import { mapScreens } from './map/screen.ts'
import { multiviewScreens } from './multiview/screen.ts'
import { remoteActionScreens } from './remote-actions/screen.ts'
import { serverScreens } from './servers/screen.ts'
import { shareScreens } from './shares/screen.ts'
import { storyScreens } from './stories/screen.ts'
import { unitFileScreens } from './unit-files/screen.ts'
import { unitScreens } from './units/screen.ts'

export const fleetScreens: readonly Screen[] = [
  ...accessApprovalScreens,
  ...fileTargetScreens,
  ...fileScreens,
  ...mapScreens,
  ...multiviewScreens,
  ...remoteActionScreens,
  ...serverScreens,
  ...shareScreens,
  ...storyScreens,
  ...unitFileScreens,
  ...unitScreens,
]
