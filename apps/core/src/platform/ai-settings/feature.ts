import { createAiSettings } from './ai-settings.ts'
import { aiSettingsRoutes } from './ai-settings-routes.ts'

export function aiSettingsFeature(needs: Parameters<typeof createAiSettings>[0]) {
  const aiSettings = createAiSettings(needs)
  return { face: aiSettings, routes: { aiSettings: aiSettingsRoutes(aiSettings) } }
}
