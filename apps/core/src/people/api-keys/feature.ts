import { apiKeyRoutes } from './api-key-routes.ts'
import { createApiKeys } from './api-keys.ts'

export function apiKeysFeature(needs: Parameters<typeof createApiKeys>[0]) {
  const apiKeys = createApiKeys(needs)
  return {
    face: apiKeys,
    routes: { apiKeys: apiKeyRoutes(apiKeys) },
    start: apiKeys.start,
    stop: apiKeys.stop,
  }
}
