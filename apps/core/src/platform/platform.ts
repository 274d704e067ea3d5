// The area that the other areas use: the audit log, customers, mail, settings, and the live state that browsers follow.
import { featuresWith } from '../world/feature.ts'
import type { World } from '../world/world.ts'
import { aiSettingsFeature } from './ai-settings/feature.ts'
import { auditFeature } from './audit/feature.ts'
import { geocodingFeature } from './geocoding/feature.ts'
import { inventoriesFeature } from './inventories/feature.ts'
import { liveFeature } from './live/feature.ts'
import { notificationsFeature } from './notifications/feature.ts'
import { outboxFeature } from './outbox/feature.ts'
import { preferencesFeature } from './preferences/feature.ts'
import { softwareVersionsFeature } from './software-versions/feature.ts'
import { systemSettingsFeature } from './system-settings/feature.ts'
import { whatsNewFeature } from './whats-new/feature.ts'

/** The operator's settings for them. */
export interface PlatformSettings {
  secondariesAtMost: number
  mail: { server: string; from: string } | undefined
  smsGateway: string | undefined
}

export const platformFeatures = (needs: World & PlatformSettings) =>
  featuresWith(needs)
    .add('audit', auditFeature)
    .add('inventories', inventoriesFeature)
    .add('outbox', outboxFeature)
    .add('preferences', preferencesFeature)
    .add('notifications', notificationsFeature)
    .add('whatsNew', whatsNewFeature)
    .add('systemSettings', systemSettingsFeature)
    .add('geocoding', geocodingFeature)
    .add('softwareVersions', softwareVersionsFeature)
    .add('aiSettings', aiSettingsFeature)
    .add('live', liveFeature)

export type WithPlatform = World & ReturnType<typeof platformFeatures>['faces']
