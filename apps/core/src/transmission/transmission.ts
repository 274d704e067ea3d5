// The area of operating units: start and stop, settings, cameras, logs.

import type { WithFleet } from '../fleet/fleet.ts'
import { featuresWith } from '../world/feature.ts'
import { camerasFeature } from './cameras/feature.ts'
import { cdnStreamsFeature } from './cdn-streams/feature.ts'
import { deviceLogsFeature } from './device-logs/feature.ts'
import { pointToPointFeature } from './p2p/feature.ts'
import { remoteActionsFeature } from './remote-actions/feature.ts'
import { socialMediaFeature } from './social-media/feature.ts'
import { supportCasesFeature } from './support-cases/feature.ts'
import { transmissionsFeature } from './transmissions/feature.ts'
import { unitNetworksFeature } from './unit-networks/feature.ts'
import { unitPairingFeature } from './unit-pairing/feature.ts'
import { unitSettingsFeature } from './unit-settings/feature.ts'

/** The operator's settings for them. */
export interface TransmissionSettings {
  /** The address that support cases are sent to. */
  supportEmail: string | undefined
}

export const transmissionFeatures = (needs: WithFleet & TransmissionSettings) =>
  featuresWith(needs)
    .add('transmissions', transmissionsFeature)
    .add('unitSettings', unitSettingsFeature)
    .add('unitNetworks', unitNetworksFeature)
    .add('unitPairings', unitPairingFeature)
    .add('cameras', camerasFeature)
    .add('deviceLogs', deviceLogsFeature)
    .add('supportCases', supportCasesFeature)
    .add('remoteActions', remoteActionsFeature)
    .add('socialMedia', socialMediaFeature)
    .add('cdnStreams', cdnStreamsFeature)
    .add('p2p', pointToPointFeature)

export type WithTransmission = WithFleet & ReturnType<typeof transmissionFeatures>['faces']
