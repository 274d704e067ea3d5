import { createSocialMedia } from './social-media.ts'
import { socialMediaRoutes } from './social-media-routes.ts'

export function socialMediaFeature(needs: Parameters<typeof createSocialMedia>[0]) {
  const socialMedia = createSocialMedia(needs)
  return { face: socialMedia, routes: { socialMedia: socialMediaRoutes(socialMedia) } }
}
