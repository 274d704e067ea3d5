/** The api door: every endpoint by its noun. Core must bind each of them. */
import type { AnyEndpoint } from '../define/endpoint.ts'
import { accessApprovals } from './access-approvals.ts'
import { aiSessions } from './ai-sessions.ts'
import { aiSettings } from './ai-settings.ts'
import { alerts } from './alerts.ts'
import { apiKeys } from './api-keys.ts'
import { audioRooms } from './audio-rooms.ts'
import { audit } from './audit.ts'
import { batchUpgrades } from './batch-upgrades.ts'
import { cameras } from './cameras.ts'
import { cdnStreams } from './cdn-streams.ts'
import { channelAdministration } from './channel-administration.ts'
import { channelSettings } from './channel-settings.ts'
import { channels } from './channels.ts'
import { client } from './client.ts'
import { databridge } from './databridge.ts'
import { destinations } from './destinations.ts'
import { deviceAdministration } from './device-administration.ts'
import { deviceHistories } from './device-histories.ts'
import { deviceLogs } from './device-logs.ts'
import { fileTargets } from './file-targets.ts'
import { channelFiles } from './files.ts'
import { groupAdministration } from './group-administration.ts'
import { groupLegacy } from './group-legacy.ts'
import { groups } from './groups.ts'
import { ifb } from './ifb.ts'
import { ingest } from './ingest.ts'
import { intercom } from './intercom.ts'
import { interfaces } from './interfaces.ts'
import { inventories } from './inventories.ts'
import { invitations } from './invitations.ts'
import { ipPipe } from './ip-pipe.ts'
import { licences } from './licences.ts'
import { linkExtenders } from './link-extenders.ts'
import { notifications } from './notifications.ts'
import { outbox } from './outbox.ts'
import { overlays } from './overlays.ts'
import { p2p } from './p2p.ts'
import { recipients } from './recipients.ts'
import { remoteActions } from './remote-actions.ts'
import { reports } from './reports.ts'
import { secondFactors } from './second-factors.ts'
import { servers } from './servers.ts'
import { services } from './services.ts'
import { settingsConfigurations } from './settings-configurations.ts'
import { shares } from './shares.ts'
import { signIns } from './sign-ins.ts'
import { smpte } from './smpte.ts'
import { socialMedia } from './social-media.ts'
import { softwareVersionProducts, softwareVersionSettings, softwareVersions } from './software-versions.ts'
import { stories } from './stories.ts'
import { supportCases } from './support-cases.ts'
import {
  applicationConfigurations,
  clientApplications,
  deviceServices,
  geocodingProfiles,
  modemVendors,
  organizationInventories,
  organizations,
  streamMediaProfiles,
  streamProfiles,
  streamProviders,
} from './system-settings.ts'
import { unitFiles } from './unit-files.ts'
import { unitNetworks } from './unit-networks.ts'
import { unitPairing } from './unit-pairing.ts'
import { unitServices } from './unit-services.ts'
import { unitSettings } from './unit-settings.ts'
import { unitCommands, units } from './units.ts'
import { upgrades } from './upgrades.ts'
import { usageProfiles } from './usage-profiles.ts'
import { userDetails } from './user-details.ts'
import { users } from './users.ts'
import { videoReturn } from './video-return.ts'
import { videoReturnAdministration } from './video-return-administration.ts'
import { videoReturnLinks } from './video-return-links.ts'
import { whatsNew } from './whats-new.ts'

export const api = {
  signIns,
  secondFactors,
  client,
  groups,
  groupAdministration,
  groupLegacy,
  inventories,
  units,
  unitCommands,
  unitSettings,
  settingsConfigurations,
  unitNetworks,
  unitPairing,
  unitServices,
  unitFiles,
  cameras,
  deviceLogs,
  deviceHistories,
  supportCases,
  databridge,
  ipPipe,
  accessApprovals,
  remoteActions,
  channels,
  channelAdministration,
  channelSettings,
  destinations,
  overlays,
  smpte,
  videoReturn,
  channelFiles,
  fileTargets,
  videoReturnAdministration,
  videoReturnLinks,
  servers,
  deviceAdministration,
  linkExtenders,
  alerts,
  stories,
  aiSettings,
  aiSessions,
  users,
  userDetails,
  apiKeys,
  outbox,
  invitations,
  recipients,
  audit,
  reports,
  usageProfiles,
  services,
  licences,
  shares,
  ifb,
  interfaces,
  ingest,
  audioRooms,
  intercom,
  notifications,
  whatsNew,
  clientApplications,
  modemVendors,
  streamProviders,
  streamProfiles,
  streamMediaProfiles,
  organizations,
  organizationInventories,
  geocodingProfiles,
  applicationConfigurations,
  deviceServices,
  softwareVersionSettings,
  softwareVersionProducts,
  softwareVersions,
  upgrades,
  batchUpgrades,
  socialMedia,
  cdnStreams,
  p2p,
}
export type Api = typeof api

export const allEndpoints = (): { name: string; endpoint: AnyEndpoint }[] =>
  Object.entries(api).flatMap(([noun, calls]) =>
    Object.entries(calls as Record<string, AnyEndpoint>).map(([call, endpoint]) => ({
      name: `${noun}.${call}`,
      endpoint,
    })),
  )
