// Usage, and what a customer may use.

import type { WithTransmission } from '../transmission/transmission.ts'
import { featuresWith } from '../world/feature.ts'
import { deviceServicesFeature } from './device-services/feature.ts'
import { licencesFeature } from './licences/feature.ts'
import { reportsFeature } from './reports/feature.ts'
import { servicesFeature } from './services/feature.ts'
import { unitServicesFeature } from './unit-services/feature.ts'
import { usageFeature } from './usage/feature.ts'
import { usageProfilesFeature } from './usage-profiles/feature.ts'

export const usageFeatures = (needs: WithTransmission) =>
  featuresWith(needs)
    .add('usage', usageFeature)
    .add('reports', reportsFeature)
    .add('usageProfiles', usageProfilesFeature)
    .add('services', servicesFeature)
    .add('licences', licencesFeature)
    .add('unitServices', unitServicesFeature)
    .add('deviceServices', deviceServicesFeature)

export type WithUsage = WithTransmission & ReturnType<typeof usageFeatures>['faces']
