// Calls that combine data of all areas for the caller.

import type { ApplicationUrls, MapTiles } from '@backhaul/contract/nouns/client'
import type { WithFootage } from '../footage/footage.ts'
import { featuresWith } from '../world/feature.ts'
import type { PageServices } from './client/client.ts'
import { clientFeature } from './client/feature.ts'
import { userDetailsFeature } from './user-details/feature.ts'

/** The data of the installation itself. */
export interface Installation {
  version: string
  /** It listens on an address that others reach. */
  isOpenToOthers: boolean
  /** Names the built page: a value that differs from the one a page knows makes it reload. */
  consoleBuild: string
  applicationUrls: ApplicationUrls
  pageServices: PageServices
  mapTiles: MapTiles | undefined
}

export const edgeFeatures = (needs: WithFootage & Installation) =>
  featuresWith(needs).add('client', clientFeature).add('userDetails', userDetailsFeature)
