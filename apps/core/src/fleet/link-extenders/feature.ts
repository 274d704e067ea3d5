import { linkExtenderRoutes } from './link-extender-routes.ts'
import { createLinkExtenders } from './link-extenders.ts'

export function linkExtendersFeature(needs: Parameters<typeof createLinkExtenders>[0]) {
  const linkExtenders = createLinkExtenders(needs)
  return { face: linkExtenders, routes: { linkExtenders: linkExtenderRoutes(linkExtenders) } }
}
