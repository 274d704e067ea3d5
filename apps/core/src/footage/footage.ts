// Stories, the newsroom, files.

import type { WithProgramme } from '../programme/programme.ts'
import { featuresWith } from '../world/feature.ts'
import { aiSessionsFeature } from './ai-sessions/feature.ts'
import { fileTargetsFeature } from './file-targets/feature.ts'
import { filesFeature } from './files/feature.ts'
import { newsroomFeature } from './newsroom/feature.ts'
import { storiesFeature } from './stories/feature.ts'
import { unitFilesFeature } from './unit-files/feature.ts'

export const footageFeatures = (needs: WithProgramme) =>
  featuresWith(needs)
    .add('stories', storiesFeature)
    .add('newsroom', newsroomFeature)
    .add('aiSessions', aiSessionsFeature)
    .add('files', filesFeature)
    .add('fileTargets', fileTargetsFeature)
    .add('unitFiles', unitFilesFeature)

export type WithFootage = WithProgramme & ReturnType<typeof footageFeatures>['faces']
