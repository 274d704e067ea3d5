import { fileTargetRoutes } from './file-target-routes.ts'
import { createFileTargets } from './file-targets.ts'

export function fileTargetsFeature(needs: Parameters<typeof createFileTargets>[0]) {
  const fileTargets = createFileTargets(needs)
  return {
    face: fileTargets,
    routes: { fileTargets: fileTargetRoutes(fileTargets) },
    start: fileTargets.start,
    stop: fileTargets.stop,
  }
}
