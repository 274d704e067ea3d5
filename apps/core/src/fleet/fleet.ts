// Units, servers and channels: their records, live state and pictures.

import type { WithPeople } from '../people/people.ts'
import { featuresWith } from '../world/feature.ts'
import { accessApprovalsFeature } from './access-approvals/feature.ts'
import { alertsFeature } from './alerts/feature.ts'
import { batchUpgradesFeature } from './batch-upgrades/feature.ts'
import { channelsFeature } from './channels/feature.ts'
import { databridgeFeature } from './databridge/feature.ts'
import { deviceAdministrationFeature } from './device-administration/feature.ts'
import { deviceHistoriesFeature } from './device-histories/feature.ts'
import { devicesFeature } from './devices/feature.ts'
import { invitationsFeature } from './invitations/feature.ts'
import { linkExtendersFeature } from './link-extenders/feature.ts'
import { previewsFeature } from './previews/feature.ts'
import type { IceSettings } from './previews/previews.ts'
import { serversFeature } from './servers/feature.ts'
import { sharesFeature } from './shares/feature.ts'
import { smpteFeature } from './smpte/feature.ts'
import { telemetryFeature } from './telemetry/feature.ts'
import { unitDetailsFeature } from './unit-details/feature.ts'
import { unitsFeature } from './units/feature.ts'
import { upgradesFeature } from './upgrades/feature.ts'

/** The operator's settings for them. */
export interface FleetSettings {
  localKey: string | undefined
  /** Whether a streaming destination may be in the network of the operator. */
  mayStreamToOwnNetwork: boolean
  ice: IceSettings
  /** The folder of the operator's software packages for upgrades. */
  packagesFolder: string
}

export const fleetFeatures = (needs: WithPeople & FleetSettings) =>
  featuresWith(needs)
    .add('devices', devicesFeature)
    .add('deviceHistories', deviceHistoriesFeature)
    .add('servers', serversFeature)
    .add('channels', channelsFeature)
    .add('units', unitsFeature)
    .add('telemetry', telemetryFeature)
    .add('databridge', databridgeFeature)
    .add('unitDetails', unitDetailsFeature)
    .add('accessApprovals', accessApprovalsFeature)
    .add('linkExtenders', linkExtendersFeature)
    .add('deviceAdministration', deviceAdministrationFeature)
    .add('upgrades', upgradesFeature)
    .add('batchUpgrades', batchUpgradesFeature)
    .add('smpte', smpteFeature)
    .add('alerts', alertsFeature)
    .add('shares', sharesFeature)
    .add('previews', previewsFeature)
    .add('invitations', invitationsFeature)

export type WithFleet = WithPeople & ReturnType<typeof fleetFeatures>['faces']
