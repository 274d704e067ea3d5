import { supportCaseRoutes } from './support-case-routes.ts'
import { createSupportCases } from './support-cases.ts'

export function supportCasesFeature(needs: Parameters<typeof createSupportCases>[0]) {
  const supportCases = createSupportCases(needs)
  return { face: supportCases, routes: { supportCases: supportCaseRoutes(supportCases) } }
}
