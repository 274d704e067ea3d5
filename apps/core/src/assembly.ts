// The fleet put together: the doors of devices and of live browsers, and every feature behind them, in the written order.
import { api as contract } from '@backhaul/contract/api/api'
import { PUSH_PATH, PUSH_PATH_ALIAS } from '@backhaul/contract/define/topic'
import { GATEWAY_PATH } from '@backhaul/contract/gateway/shared'
import { GRAPH_INTERVAL_MS, GRAPH_POINTS } from '@backhaul/contract/nouns/modems'
import type { Database } from './database/schema.ts'
import { everything } from './database/scope.ts'
import type { Sealing } from './database/sealing.ts'
import type { Api } from './doors/api/api.ts'
import { createGateway, type GatewayOptions } from './doors/gateway/gateway.ts'
import { watchLateness } from './doors/lateness.ts'
import type { AskOutward } from './doors/outward-request.ts'
import { createPush } from './doors/push/push.ts'
import { userDetailRoutes } from './edge/user-details/user-detail-routes.ts'
import { createUserDetails } from './edge/user-details/user-details.ts'
import type { Events } from './events.ts'
import { accessApprovalRoutes } from './fleet/access-approvals/access-approval-routes.ts'
import { createAccessApprovals } from './fleet/access-approvals/access-approvals.ts'
import { alertRoutes } from './fleet/alerts/alert-routes.ts'
import { createAlerts } from './fleet/alerts/alerts.ts'
import {
  channelAdministrationRoutes,
  channelAssociationRoutes,
} from './fleet/channels/channel-administration-routes.ts'
import { channelRoutes } from './fleet/channels/channel-routes.ts'
import { createChannels } from './fleet/channels/channels.ts'
import { destinationRoutes } from './fleet/channels/destination-routes.ts'
import { createDatabridge } from './fleet/databridge/databridge.ts'
import { databridgeRoutes } from './fleet/databridge/databridge-routes.ts'
import { createDeviceAdministration } from './fleet/device-administration/device-administration.ts'
import { deviceAdministrationRoutes } from './fleet/device-administration/device-administration-routes.ts'
import { createDevices } from './fleet/devices/devices.ts'
import { linkExtenderRoutes } from './fleet/link-extenders/link-extender-routes.ts'
import { createLinkExtenders } from './fleet/link-extenders/link-extenders.ts'
import { externalPreviewRoutes } from './fleet/previews/external-preview-routes.ts'
import { createPreviews, type IceSettings } from './fleet/previews/previews.ts'
import { serverRoutes } from './fleet/servers/server-routes.ts'
import { createServers } from './fleet/servers/servers.ts'
import { shareRoutes } from './fleet/shares/share-routes.ts'
import { createShares } from './fleet/shares/shares.ts'
import { createSmpte } from './fleet/smpte/smpte.ts'
import { smpteRoutes } from './fleet/smpte/smpte-routes.ts'
import { createTelemetry } from './fleet/telemetry/telemetry.ts'
import { telemetryRoutes } from './fleet/telemetry/telemetry-routes.ts'
import { unitRoutes } from './fleet/units/unit-routes.ts'
import { createUnits } from './fleet/units/units.ts'
import { upgradeRoutes } from './fleet/upgrades/upgrade-routes.ts'
import { createUpgrades } from './fleet/upgrades/upgrades.ts'
import { aiSessionRoutes } from './footage/ai-sessions/ai-session-routes.ts'
import { createAiSessions } from './footage/ai-sessions/ai-sessions.ts'
import { fileRoutes } from './footage/files/file-routes.ts'
import { createFiles } from './footage/files/files.ts'
import { createStories } from './footage/stories/stories.ts'
import { storyRoutes } from './footage/stories/story-routes.ts'
import { unitFileRoutes } from './footage/unit-files/unit-file-routes.ts'
import { createUnitFiles } from './footage/unit-files/unit-files.ts'
import type { Groups } from './people/groups/groups.ts'
import type { Users } from './people/users/users.ts'
import { createAiSettings } from './platform/ai-settings/ai-settings.ts'
import { aiSettingsRoutes } from './platform/ai-settings/ai-settings-routes.ts'
import type { Inventories } from './platform/inventories/inventories.ts'
import { createLive } from './platform/live/live.ts'
import type { Outbox } from './platform/outbox/outbox.ts'
import type { SoftwareVersions } from './platform/software-versions/software-versions.ts'
import type { SystemSettings } from './platform/system-settings/system-settings.ts'
import { audioRoomRoutes } from './programme/audio-rooms/audio-room-routes.ts'
import { createAudioRooms } from './programme/audio-rooms/audio-rooms.ts'
import { createIngest } from './programme/ingest/ingest.ts'
import { ingestRoutes } from './programme/ingest/ingest-routes.ts'
import { createUnitIntercom } from './programme/intercom/intercom.ts'
import { intercomRoutes } from './programme/intercom/intercom-routes.ts'
import { interfaceRoutes } from './programme/interfaces/interface-routes.ts'
import { createInterfaces } from './programme/interfaces/interfaces.ts'
import { overlayRoutes } from './programme/overlays/overlay-routes.ts'
import { createOverlays } from './programme/overlays/overlays.ts'
import { createVideoReturn } from './programme/video-return/video-return.ts'
import {
  videoReturnAdministrationRoutes,
  videoReturnRoutes,
} from './programme/video-return/video-return-routes.ts'
import { cameraRoutes } from './transmission/cameras/camera-routes.ts'
import { createCameras } from './transmission/cameras/cameras.ts'
import { deviceLogRoutes } from './transmission/device-logs/device-log-routes.ts'
import { createDeviceLogs } from './transmission/device-logs/device-logs.ts'
import { remoteActionRoutes } from './transmission/remote-actions/remote-action-routes.ts'
import { createRemoteActions } from './transmission/remote-actions/remote-actions.ts'
import { createSocialMedia } from './transmission/social-media/social-media.ts'
import { socialMediaRoutes } from './transmission/social-media/social-media-routes.ts'
import {
  machineRoutes,
  multipointRoutes,
  transmissionRoutes,
} from './transmission/transmissions/transmission-routes.ts'
import { createTransmissions } from './transmission/transmissions/transmissions.ts'
import { linkRoutes, unitSettingRoutes } from './transmission/unit-settings/unit-setting-routes.ts'
import { createUnitSettings } from './transmission/unit-settings/unit-settings.ts'
import { licenceRoutes } from './usage/licences/licence-routes.ts'
import { createLicences } from './usage/licences/licences.ts'
import { reportRoutes } from './usage/reports/report-routes.ts'
import { createReports } from './usage/reports/reports.ts'
import { serviceRoutes } from './usage/services/service-routes.ts'
import { createServices } from './usage/services/services.ts'
import { countUsage } from './usage/usage/usage.ts'
import { usageProfileRoutes } from './usage/usage-profiles/usage-profile-routes.ts'
import { createUsageProfiles } from './usage/usage-profiles/usage-profiles.ts'

export interface FleetNeeds extends Omit<GatewayOptions, 'host'> {
  db: Database
  events: Events
  inventories: Inventories
  groups: Groups
  outbox: Outbox
  users: Users
  sealing: Sealing
  systemSettings: SystemSettings
  softwareVersions: SoftwareVersions
  localKey: string | undefined
  ice: IceSettings
  pushIdleMs: number
  /** Asks addresses that people typed. */
  ask: AskOutward
  /** A value that differs from the one a page knows makes it reload. */
  wsLibrary: string
}

export type Fleet = ReturnType<typeof createFleet>

export function createFleet(needs: FleetNeeds) {
  const { clock, log, events, metrics, groups, inventories } = needs
  const live = createLive(needs)
  const devices = createDevices({ ...needs, live })
  const servers = createServers({ clock, events, devices, live })
  const channels = createChannels({ ...needs, devices, live, servers })
  const units = createUnits({ ...needs, devices, live, channels })
  const databridge = createDatabridge({ devices, servers, units })
  const accessApprovals = createAccessApprovals({ ...needs, units })
  const transmissions = createTransmissions({ ...needs, devices, channels, units, accessApprovals })
  const unitSettings = createUnitSettings({ units, channels, transmissions })
  const linkExtenders = createLinkExtenders({ ...needs, devices, units })
  const cameras = createCameras({ devices, channels, units, transmissions })
  const deviceAdministration = createDeviceAdministration({
    ...needs,
    devices,
    servers,
    channels,
    units,
    accessApprovals,
    linkExtenders,
  })
  const deviceLogs = createDeviceLogs({ ...needs, devices, servers, channels, units, transmissions })
  const upgrades = createUpgrades({ ...needs, devices, servers, channels, units })
  const remoteActions = createRemoteActions({ ...needs, units, accessApprovals, transmissions })
  const socialMedia = createSocialMedia({ ...needs, servers, channels, units })
  const telemetry = createTelemetry({ ...needs, channels, units })
  countUsage({ clock, events, units, transmissions })
  const reports = createReports(needs)
  const usageProfiles = createUsageProfiles({ ...needs, units })
  const services = createServices({ ...needs, units, reports })
  const overlays = createOverlays({ ...needs, devices, servers, channels, services })
  const smpte = createSmpte({ ...needs, devices, servers, channels })
  const licences = createLicences({ ...needs, devices, units })
  const videoReturn = createVideoReturn({
    ...needs,
    devices,
    servers,
    channels,
    units,
    accessApprovals,
    transmissions,
    licences,
  })
  const interfaces = createInterfaces({ ...needs, devices, servers, channels, units, services })
  const ingest = createIngest({ ...needs, devices, servers, channels, services })
  const audioRooms = createAudioRooms({ ...needs, devices, servers, interfaces, units, channels })
  const intercom = createUnitIntercom({
    ...needs,
    devices,
    channels,
    units,
    accessApprovals,
    transmissions,
    services,
    audioRooms,
  })
  const graphUntilNow = (unitId: string) =>
    telemetry.graph(everything, unitId, {
      points: GRAPH_POINTS,
      intervalMs: GRAPH_INTERVAL_MS,
      untilMs: clock.nowMs(),
    })
  const alerts = createAlerts({ ...needs, devices, units })
  const aiSettings = createAiSettings(needs)
  const aiSessions = createAiSessions({ ...needs, units, channels, transmissions, services, aiSettings })
  const stories = createStories({ ...needs, devices, units })
  const shares = createShares({ ...needs, channels })
  const { isSharedWith } = shares
  const previews = createPreviews({
    clock,
    log,
    events,
    inventories,
    groups,
    ice: needs.ice,
    channels,
    servers,
    devices,
    isSharedWith,
  })
  const userDetails = createUserDetails({ ...needs, audioRooms, previews })
  const files = createFiles({ ...needs, devices, servers, channels, units })
  const unitFiles = createUnitFiles({ ...needs, devices, servers, channels, units, accessApprovals, files })
  const gateway = createGateway({ ...needs, host: devices.host })

  /** Binds the calls, and the sockets of browsers and devices. */
  function bind(api: Api): void {
    api.bind(
      {
        units: contract.units,
        databridge: contract.databridge,
        accessApprovals: contract.accessApprovals,
        remoteActions: contract.remoteActions,
        unitCommands: contract.unitCommands,
        unitSettings: contract.unitSettings,
        unitFiles: contract.unitFiles,
        cameras: contract.cameras,
        deviceLogs: contract.deviceLogs,
        upgrades: contract.upgrades,
        channels: contract.channels,
        channelAdministration: contract.channelAdministration,
        destinations: contract.destinations,
        overlays: contract.overlays,
        smpte: contract.smpte,
        channelFiles: contract.channelFiles,
        servers: contract.servers,
        deviceAdministration: contract.deviceAdministration,
        linkExtenders: contract.linkExtenders,
        alerts: contract.alerts,
        stories: contract.stories,
        aiSettings: contract.aiSettings,
        aiSessions: contract.aiSessions,
        reports: contract.reports,
        usageProfiles: contract.usageProfiles,
        services: contract.services,
        licences: contract.licences,
        shares: contract.shares,
        videoReturn: contract.videoReturn,
        socialMedia: contract.socialMedia,
        videoReturnAdministration: contract.videoReturnAdministration,
        interfaces: contract.interfaces,
        ingest: contract.ingest,
        audioRooms: contract.audioRooms,
        intercom: contract.intercom,
        userDetails: contract.userDetails,
      },
      {
        units: {
          ...unitRoutes({
            units,
            devices,
            groups,
            inventories,
            graph: graphUntilNow,
            gateway: databridge.selected,
            log,
          }),
          ...telemetryRoutes(telemetry, clock),
        },
        databridge: databridgeRoutes(databridge),
        accessApprovals: accessApprovalRoutes(accessApprovals),
        remoteActions: remoteActionRoutes(remoteActions),
        unitCommands: { ...transmissionRoutes(transmissions), ...linkRoutes(transmissions, unitSettings) },
        unitSettings: unitSettingRoutes({ units, unitSettings }),
        unitFiles: unitFileRoutes(unitFiles),
        cameras: cameraRoutes(cameras, transmissions),
        deviceLogs: deviceLogRoutes(deviceLogs),
        upgrades: upgradeRoutes(upgrades, units),
        channelAdministration: {
          ...channelAdministrationRoutes(channels),
          ...machineRoutes({ units, channels, inventories }),
        },
        destinations: destinationRoutes(channels),
        overlays: overlayRoutes(overlays),
        smpte: smpteRoutes(smpte),
        channels: {
          ...channelRoutes(channels, inventories),
          ...multipointRoutes({ units, channels, inventories }),
          ...externalPreviewRoutes(previews),
        },
        channelFiles: fileRoutes(files),
        servers: serverRoutes(servers),
        deviceAdministration: deviceAdministrationRoutes(deviceAdministration),
        linkExtenders: linkExtenderRoutes(linkExtenders),
        alerts: alertRoutes(alerts),
        stories: storyRoutes(stories),
        aiSettings: aiSettingsRoutes(aiSettings),
        aiSessions: aiSessionRoutes(aiSessions),
        reports: reportRoutes(reports),
        usageProfiles: usageProfileRoutes(usageProfiles),
        services: serviceRoutes(services),
        licences: licenceRoutes(licences),
        shares: shareRoutes(shares),
        videoReturn: videoReturnRoutes(videoReturn),
        socialMedia: socialMediaRoutes(socialMedia),
        videoReturnAdministration: {
          ...videoReturnAdministrationRoutes(videoReturn),
          ...channelAssociationRoutes(channels.returnAdministration),
        },
        interfaces: interfaceRoutes(interfaces),
        ingest: ingestRoutes(ingest),
        audioRooms: audioRoomRoutes(audioRooms),
        intercom: intercomRoutes(intercom),
        userDetails: userDetailRoutes(userDetails),
      },
    )
    const push = createPush({
      source: live,
      rightsOf: (request) => api.callerOfUpgrade(request),
      wsLibrary: needs.wsLibrary,
      idleMs: needs.pushIdleMs,
      clock,
      log,
      metrics,
    })
    api.upgrades.on(GATEWAY_PATH, gateway.upgrade)
    for (const path of [PUSH_PATH, PUSH_PATH_ALIAS]) api.upgrades.on(path, push.upgrade)
    events.on('signInEnded', ({ signInId }) => push.endSignIn(signInId))
    events.on('userScopeChanged', ({ userId }) => void push.recheck(userId))
    events.on('membersLeft', () => void push.recheck())
    events.on('groupsChanged', () => void push.recheck())
    events.on('deviceMoved', () => void push.recheck())
    previews.bind(api)
    files.bind(api)
    unitFiles.bind(api)
    live.start(push.deliver)
    const endWatch = watchLateness({ ...needs, gateway }, push.tellBehind)
    closePush = () => {
      endWatch()
      push.close()
    }
  }
  let closePush = () => {}

  return {
    live,
    devices,
    servers,
    channels,
    units,
    transmissions,
    telemetry,
    usageProfiles,
    services,
    alerts,
    audioRooms,
    gateway,
    bind,
    /** Reads what is known of the fleet; before anybody is let in. */
    async start(): Promise<void> {
      await devices.start()
      servers.start()
      await channels.start()
      await shares.start()
      await interfaces.start()
      await ingest.start()
      units.start()
      await transmissions.resume()
      await videoReturn.resume()
      intercom.resume()
      await deviceLogs.start()
      await unitFiles.start()
      await upgrades.start()
      await alerts.start()
      await stories.start()
      await aiSessions.resume()
      telemetry.start()
      reports.start()
      await usageProfiles.start()
      services.start()
      overlays.start()
    },
    /** Lets everybody go, then writes what is not yet written. */
    async stop(): Promise<void> {
      devices.stopListening()
      live.stop()
      closePush()
      previews.stop()
      servers.stop()
      gateway.close()
      videoReturn.close()
      intercom.close()
      await aiSessions.stop()
      await transmissions.close()
      await deviceLogs.stop()
      await unitFiles.stop()
      await upgrades.stop()
      services.stop()
      await overlays.stop()
      await telemetry.stop()
      await reports.stop()
      await usageProfiles.stop()
      await alerts.stop()
      await files.close()
      await units.stop()
      await devices.stop()
    },
  }
}
