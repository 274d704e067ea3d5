import { settingRoutes } from './system-setting-routes.ts'
import { createSystemSettings } from './system-settings.ts'

export function systemSettingsFeature(needs: Parameters<typeof createSystemSettings>[0]) {
  const systemSettings = createSystemSettings(needs)
  return {
    face: systemSettings,
    routes: {
      clientApplications: settingRoutes(systemSettings.clientApplications),
      modemVendors: settingRoutes(systemSettings.modemVendors),
      streamProviders: settingRoutes(systemSettings.streamProviders),
      streamProfiles: settingRoutes(systemSettings.streamProfiles),
      streamMediaProfiles: settingRoutes(systemSettings.streamMediaProfiles),
      geocodingProfiles: settingRoutes(systemSettings.geocodingProfiles),
      applicationConfigurations: settingRoutes(systemSettings.applicationConfigurations),
      organizations: settingRoutes(systemSettings.organizations),
      organizationInventories: settingRoutes(systemSettings.organizationInventories),
      softwareVersionSettings: settingRoutes(systemSettings.softwareVersions),
      softwareVersionProducts: settingRoutes(systemSettings.softwareVersionProducts),
    },
  }
}
