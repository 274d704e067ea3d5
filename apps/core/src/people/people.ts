// Users, their groups, and how users and their programs sign in.

import type { WithPlatform } from '../platform/platform.ts'
import { featuresWith } from '../world/feature.ts'
import { apiKeysFeature } from './api-keys/feature.ts'
import { groupsFeature } from './groups/feature.ts'
import { openidFeature } from './openid/feature.ts'
import type { OpenidSettings } from './openid/openid.ts'
import { secondFactorsFeature } from './second-factors/feature.ts'
import { signInsFeature } from './sign-ins/feature.ts'
import { usersFeature } from './users/feature.ts'
import type { createUsers } from './users/users.ts'

/** The operator's settings for them. */
export interface PeopleSettings {
  hashing: Parameters<typeof createUsers>[0]['hashing']
  openidSettings: OpenidSettings | undefined
  publicUrl: string | undefined
}

export const peopleFeatures = (needs: WithPlatform & PeopleSettings) =>
  featuresWith(needs)
    .add('groups', groupsFeature)
    .add('users', usersFeature)
    .add('openid', openidFeature)
    .add('secondFactors', secondFactorsFeature)
    .add('signIns', signInsFeature)
    .add('apiKeys', apiKeysFeature)

export type WithPeople = WithPlatform & ReturnType<typeof peopleFeatures>['faces']
