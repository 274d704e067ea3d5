// The area of everything that is sent to the crew and into the programme: video return, sound, tally, graphics, networks.

import type { WithUsage } from '../usage/usage.ts'
import { featuresWith } from '../world/feature.ts'
import { audioRoomsFeature } from './audio-rooms/feature.ts'
import { databridgeSessionsFeature } from './databridge-sessions/feature.ts'
import { ifbFeature } from './ifb/feature.ts'
import { ingestFeature } from './ingest/feature.ts'
import { intercomFeature } from './intercom/feature.ts'
import { interfacesFeature } from './interfaces/feature.ts'
import { ipPipeFeature } from './ip-pipe/feature.ts'
import { overlaysFeature } from './overlays/feature.ts'
import { videoReturnFeature } from './video-return/feature.ts'
import { videoReturnLinksFeature } from './video-return-links/feature.ts'

export const programmeFeatures = (needs: WithUsage) =>
  featuresWith(needs)
    .add('overlays', overlaysFeature)
    .add('videoReturn', videoReturnFeature)
    .add('videoReturnLinks', videoReturnLinksFeature)
    .add('interfaces', interfacesFeature)
    .add('ingest', ingestFeature)
    .add('audioRooms', audioRoomsFeature)
    .add('intercom', intercomFeature)
    .add('ifb', ifbFeature)
    .add('databridgeSessions', databridgeSessionsFeature)
    .add('ipPipe', ipPipeFeature)

export type WithProgramme = WithUsage & ReturnType<typeof programmeFeatures>['faces']
