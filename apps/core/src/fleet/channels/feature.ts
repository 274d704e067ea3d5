import { channelAdministrationRoutes, channelAssociationRoutes } from './channel-administration-routes.ts'
import { channelRoutes } from './channel-routes.ts'
import { channelSettingsRoutes } from './channel-settings-routes.ts'
import { createChannels } from './channels.ts'
import { destinationRoutes } from './destination-routes.ts'

export function channelsFeature(needs: Parameters<typeof createChannels>[0]) {
  const channels = createChannels(needs)
  return {
    face: channels,
    routes: {
      channels: channelRoutes(channels, needs.inventories),
      channelAdministration: channelAdministrationRoutes(channels),
      channelSettings: channelSettingsRoutes(channels),
      destinations: destinationRoutes(channels),
      videoReturnAdministration: channelAssociationRoutes(channels.returnAdministration),
    },
    start: channels.start,
  }
}
