import { linkRoutes, unitSettingRoutes } from './unit-setting-routes.ts'
import { createUnitSettings } from './unit-settings.ts'

export function unitSettingsFeature(needs: Parameters<typeof createUnitSettings>[0]) {
  const unitSettings = createUnitSettings(needs)
  return {
    face: unitSettings,
    routes: {
      unitSettings: unitSettingRoutes({ ...needs, unitSettings }),
      unitCommands: linkRoutes(needs.transmissions, unitSettings),
    },
  }
}
