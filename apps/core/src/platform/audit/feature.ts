import { createAudit } from './audit.ts'
import { auditRoutes } from './audit-routes.ts'

export function auditFeature(needs: Parameters<typeof createAudit>[0]) {
  const audit = createAudit(needs)
  return { face: audit, routes: { audit: auditRoutes(audit) } }
}
