import type { Shares } from '../shares/shares.ts'
import { externalPreviewRoutes } from './external-preview-routes.ts'
import { createPreviews } from './previews.ts'

type Needs = Omit<Parameters<typeof createPreviews>[0], 'isSharedWith'> & { shares: Shares }

export function previewsFeature(needs: Needs) {
  const previews = createPreviews({ ...needs, isSharedWith: needs.shares.isSharedWith })
  return {
    face: previews,
    routes: { channels: externalPreviewRoutes(previews) },
    bind: previews.bind,
    stop: previews.stop,
  }
}
