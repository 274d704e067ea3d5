import { licenceRoutes } from './licence-routes.ts'
import { createLicences } from './licences.ts'

export function licencesFeature(needs: Parameters<typeof createLicences>[0]) {
  const licences = createLicences(needs)
  return { face: licences, routes: { licences: licenceRoutes(licences) } }
}
