import { preferenceRoutes } from './preference-routes.ts'
import { createPreferences } from './preferences.ts'

export function preferencesFeature(needs: Parameters<typeof createPreferences>[0]) {
  const preferences = createPreferences(needs)
  return { face: preferences, routes: { client: preferenceRoutes(preferences) } }
}
