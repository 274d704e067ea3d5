import { softwareVersionRoutes } from './software-version-routes.ts'
import { createSoftwareVersions } from './software-versions.ts'

export function softwareVersionsFeature(needs: Parameters<typeof createSoftwareVersions>[0]) {
  const softwareVersions = createSoftwareVersions(needs)
  return { face: softwareVersions, routes: { softwareVersions: softwareVersionRoutes(softwareVersions) } }
}
