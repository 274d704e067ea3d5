import { settingsConfigurationRoutes } from './settings-configuration-routes.ts'
import { limitRoutes, machineRoutes, multipointRoutes, transmissionRoutes } from './transmission-routes.ts'
import { createTransmissions } from './transmissions.ts'

export function transmissionsFeature(needs: Parameters<typeof createTransmissions>[0]) {
  const transmissions = createTransmissions(needs)
  return {
    face: transmissions,
    routes: {
      unitCommands: transmissionRoutes(transmissions),
      settingsConfigurations: settingsConfigurationRoutes(needs, transmissions),
      channels: multipointRoutes(needs, transmissions),
      channelAdministration: machineRoutes(needs),
      channelSettings: limitRoutes(needs, transmissions),
    },
    start: transmissions.resume,
    stop: transmissions.close,
  }
}
