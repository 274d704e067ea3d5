import { usageProfileRoutes } from './usage-profile-routes.ts'
import { createUsageProfiles } from './usage-profiles.ts'

export function usageProfilesFeature(needs: Parameters<typeof createUsageProfiles>[0]) {
  const usageProfiles = createUsageProfiles(needs)
  return {
    face: usageProfiles,
    routes: { usageProfiles: usageProfileRoutes(usageProfiles) },
    start: usageProfiles.start,
    stop: usageProfiles.stop,
  }
}
