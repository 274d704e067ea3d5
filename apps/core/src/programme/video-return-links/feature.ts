import { videoReturnLinkRoutes } from './video-return-link-routes.ts'
import { createVideoReturnLinks } from './video-return-links.ts'

export function videoReturnLinksFeature(needs: Parameters<typeof createVideoReturnLinks>[0]) {
  const links = createVideoReturnLinks(needs)
  return {
    face: links,
    routes: { videoReturnLinks: videoReturnLinkRoutes(links) },
    bind: links.bind,
    stop: links.stop,
  }
}
