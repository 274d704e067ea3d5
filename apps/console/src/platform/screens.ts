// The screens of this area; each is a value in the folder of its page.
import type { Screen } from '../kit/screen.ts'
import { auditScreens } from './audit/screen.ts'
import { batchUpgradeScreens } from './batch-upgrades/screen.ts'
import { deviceHistoryScreens } from './device-histories/screen.tsx'
import { entityScreens } from './entities/screen.tsx'
import { outboxScreens } from './outbox/screen.ts'
import { softwareVersionScreens } from './software-versions/screen.ts'
import { systemSettingScreens } from './system-settings/screen.tsx'
import { whatsNewScreens } from './whats-new/screen.ts'

export const platformScreens: readonly Screen[] = [
  ...auditScreens,
  ...batchUpgradeScreens,
  ...deviceHistoryScreens,
  ...entityScreens,
  ...outboxScreens,
  ...softwareVersionScreens,
  ...systemSettingScreens,
  ...whatsNewScreens,
]
