// Core put together: every feature in the written order, every noun of the contract bound; main.ts gives it a process.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api as contract } from '@backhaul/contract/api/api'
import { type Clock, createAgeingClock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { Registry } from 'prom-client'
import { createFleet } from './assembly.ts'
import type { Database } from './database/schema.ts'
import { createSealing } from './database/sealing.ts'
import { createApi } from './doors/api/api.ts'
import { createKnownBrowsers } from './doors/api/known-browser.ts'
import { LoopDelay } from './doors/loop-delay.ts'
import { createAskOutward } from './doors/outward-request.ts'
import { People } from './doors/people.ts'
import { createAddressOf } from './doors/source-address.ts'
import { createClient } from './edge/client/client.ts'
import { clientRoutes } from './edge/client/client-routes.ts'
import { withPublishedPassword } from './edge/demo/demo.ts'
import { createEvents } from './events.ts'
import { pairingRoutes } from './fleet/devices/pairing-routes.ts'
import { invitationRoutes } from './fleet/invitations/invitation-routes.ts'
import { createInvitations } from './fleet/invitations/invitations.ts'
import { unitsOfInventoryRoutes } from './fleet/units/units-of-inventory-routes.ts'
import { createHealth } from './health.ts'
import { countTrade } from './metrics.ts'
import { apiKeyRoutes } from './people/api-keys/api-key-routes.ts'
import { createApiKeys } from './people/api-keys/api-keys.ts'
import { groupAdministrationRoutes } from './people/groups/group-administration-routes.ts'
import { groupLegacyRoutes } from './people/groups/group-legacy-routes.ts'
import { groupRoutes, groupStartRoutes } from './people/groups/group-routes.ts'
import { createGroups } from './people/groups/groups.ts'
import { recipientRoutes } from './people/groups/recipient-routes.ts'
import { createOpenid } from './people/openid/openid.ts'
import { secondFactorRoutes } from './people/second-factors/second-factor-routes.ts'
import { createSecondFactors } from './people/second-factors/second-factors.ts'
import { bindOpenid } from './people/sign-ins/openid-routes.ts'
import { changePasswordRoute, signInRoutes } from './people/sign-ins/sign-in-routes.ts'
import { createSignIns } from './people/sign-ins/sign-ins.ts'
import { administrationRoutes, userRoutes } from './people/users/user-routes.ts'
import { createUsers } from './people/users/users.ts'
import { createAudit } from './platform/audit/audit.ts'
import { auditRoutes } from './platform/audit/audit-routes.ts'
import { createInventories } from './platform/inventories/inventories.ts'
import { inventoryRoutes } from './platform/inventories/inventory-routes.ts'
import { notificationReaderRoutes, notificationRoutes } from './platform/notifications/notification-routes.ts'
import { createNotifications } from './platform/notifications/notifications.ts'
import { createOutbox } from './platform/outbox/outbox.ts'
import { outboxRoutes } from './platform/outbox/outbox-routes.ts'
import { preferenceRoutes } from './platform/preferences/preference-routes.ts'
import { createPreferences } from './platform/preferences/preferences.ts'
import { softwareVersionRoutes } from './platform/software-versions/software-version-routes.ts'
import { createSoftwareVersions } from './platform/software-versions/software-versions.ts'
import { settingRoutes } from './platform/system-settings/system-setting-routes.ts'
import { createSystemSettings } from './platform/system-settings/system-settings.ts'
import { createWhatsNew } from './platform/whats-new/whats-new.ts'
import { whatsNewRoutes } from './platform/whats-new/whats-new-routes.ts'
import type { Settings } from './settings.ts'

export interface World {
  /** What secrets at rest are sealed with; only this installation knows it. */
  secretKey: string
  settings: Settings
  db: Database
  clock: Clock
  log: Log
  version: string
}

/** The features by name, the API that they are bound to, and how they end. */
export type Core = Awaited<ReturnType<typeof createCore>>

export async function createCore({ secretKey, settings, db, clock, log, version }: World) {
  const ages = createAgeingClock(clock)
  const metrics = new Registry()
  const events = createEvents(log)
  const audit = createAudit({ db, clock })
  const inventories = createInventories({
    db,
    clock,
    events,
    secondariesAtMost: settings.secondariesAtMost,
  })
  const outbox = createOutbox({ db, clock, log, mail: settings.mail, smsGateway: settings.smsGateway })
  const groups = createGroups({ db, clock, log, events, audit, inventories, outbox })
  const users = createUsers({ db, clock, events, inventories, groups, hashing: settings.hashing })
  const openid = settings.openid && createOpenid({ db, clock, log, users, settings: settings.openid })
  const sealing = createSealing(secretKey)
  const knownBrowsers = createKnownBrowsers(sealing)
  const secondFactors = createSecondFactors({ db, clock, ages, log, events, users, sealing, knownBrowsers })
  const signIns = createSignIns({
    db,
    clock,
    ages,
    log,
    events,
    audit,
    users,
    secondFactors,
    knownBrowsers,
    openid,
  })
  const apiKeys = createApiKeys({ db, clock, log, events, inventories, groups, users })
  const notifications = createNotifications({ db, clock, inventories })
  const preferences = createPreferences({ db, clock })
  const systemSettings = createSystemSettings({ db, clock, inventories })
  const softwareVersions = createSoftwareVersions({ inventories, systemSettings })
  const consoleBuild = consoleBuildOf(settings, version)
  const { localKey, trustedProxies } = settings
  const addressOf = createAddressOf(trustedProxies)
  const people = new People()
  const loopDelay = new LoopDelay()
  const fleet = createFleet({
    db,
    clock,
    log,
    events,
    metrics,
    inventories,
    groups,
    outbox,
    users,
    sealing,
    systemSettings,
    softwareVersions,
    localKey,
    ice: settings.ice,
    people,
    loopDelay,
    intakeTurnMs: settings.intakeTurnMs,
    pushIdleMs: settings.idle.subscribeMs,
    addressOf,
    ask: createAskOutward(settings),
    wsLibrary: consoleBuild,
  })

  const client = createClient({
    clock,
    groups,
    users,
    servicesInForce: fleet.services.inForce,
    version,
    consoleBuild,
    applicationUrls: settings.applicationUrls,
    usersWithPublishedPassword: async () =>
      settings.isOpenToOthers ? await withPublishedPassword(users) : [],
  })

  const currentGroupOf = async (userId: string) => (await preferences.of(userId)).groupId
  const api = await createApi({
    log,
    metrics,
    people,
    idle: settings.idle,
    callerOf: async ({ cookie, apiKey, address }) => {
      if (apiKey !== undefined) return await apiKeys.callerOf(apiKey, address)
      return cookie === undefined ? undefined : await signIns.callerOf(cookie)
    },
    record: ({ caller: { userId, username, apiKey, scope }, ...change }) =>
      audit.record({ userId, username, apiKey, scope, ...change }),
    // A sign-in writes its own line, and how wide a column is, is not a change of the installation.
    quiet: [
      'signIns.signIn',
      'signIns.secondStep',
      'signIns.makeFirstUser',
      'client.savePreferences',
      // Read by POST.
      'destinations.ofChannel',
      'destinations.mediaAccess',
      'channelAdministration.info',
      'channelAdministration.details',
      'channelFiles.chunks',
    ],
    checkAnswers: settings.checkAnswers,
    publicUrl: settings.publicUrl,
    checkHealth: createHealth({ db, clock, log }),
    consoleFolder: settings.consoleFolder,
    trustedProxies,
    addressOf,
  })
  api.bind(
    {
      signIns: contract.signIns,
      secondFactors: contract.secondFactors,
      client: contract.client,
      groups: contract.groups,
      users: contract.users,
      groupAdministration: contract.groupAdministration,
      groupLegacy: contract.groupLegacy,
      inventories: contract.inventories,
      apiKeys: contract.apiKeys,
      outbox: contract.outbox,
      audit: contract.audit,
      notifications: contract.notifications,
      whatsNew: contract.whatsNew,
      invitations: contract.invitations,
      recipients: contract.recipients,
      clientApplications: contract.clientApplications,
      modemVendors: contract.modemVendors,
      streamProviders: contract.streamProviders,
      streamProfiles: contract.streamProfiles,
      streamMediaProfiles: contract.streamMediaProfiles,
      organizations: contract.organizations,
      organizationInventories: contract.organizationInventories,
      softwareVersionSettings: contract.softwareVersionSettings,
      softwareVersionProducts: contract.softwareVersionProducts,
      softwareVersions: contract.softwareVersions,
    },
    {
      outbox: outboxRoutes(outbox),
      audit: auditRoutes(audit),
      notifications: notificationRoutes(notifications),
      whatsNew: whatsNewRoutes(createWhatsNew({ db, clock })),
      invitations: invitationRoutes(
        createInvitations({ db, clock, groups, outbox, pairing: fleet.devices.pairing }),
        groups,
      ),
      signIns: signInRoutes(signIns),
      secondFactors: secondFactorRoutes(secondFactors),
      client: {
        ...clientRoutes(client),
        ...notificationReaderRoutes(notifications),
        ...preferenceRoutes(preferences),
        ...groupStartRoutes(groups),
        ...userRoutes(users),
      },
      users: { ...administrationRoutes(users), changePassword: changePasswordRoute(signIns) },
      groups: { ...groupRoutes(groups, inventories), ...pairingRoutes(fleet.devices, groups) },
      groupAdministration: groupAdministrationRoutes(groups, currentGroupOf),
      groupLegacy: groupLegacyRoutes(groups, currentGroupOf),
      inventories: { ...inventoryRoutes(inventories), ...unitsOfInventoryRoutes({ ...fleet, inventories }) },
      apiKeys: apiKeyRoutes(apiKeys),
      clientApplications: settingRoutes(systemSettings.clientApplications),
      modemVendors: settingRoutes(systemSettings.modemVendors),
      streamProviders: settingRoutes(systemSettings.streamProviders),
      streamProfiles: settingRoutes(systemSettings.streamProfiles),
      streamMediaProfiles: settingRoutes(systemSettings.streamMediaProfiles),
      organizations: settingRoutes(systemSettings.organizations),
      organizationInventories: settingRoutes(systemSettings.organizationInventories),
      softwareVersionSettings: settingRoutes(systemSettings.softwareVersions),
      softwareVersionProducts: settingRoutes(systemSettings.softwareVersionProducts),
      softwareVersions: softwareVersionRoutes(softwareVersions),
      recipients: recipientRoutes(groups, () => outbox.isConnected('email')),
    },
  )

  countTrade(metrics, fleet)
  bindOpenid(api.app, signIns, openid, settings.publicUrl)
  fleet.bind(api)

  loopDelay.start()
  await signIns.start()
  apiKeys.start()
  outbox.start()
  groups.start()
  return {
    api,
    metrics,
    loopDelay,
    events,
    audit,
    inventories,
    outbox,
    groups,
    users,
    signIns,
    notifications,
    preferences,
    client,
    fleet,
    async close() {
      loopDelay.stop()
      signIns.stop()
      apiKeys.stop()
      await outbox.stop()
      await groups.stop()
      await fleet.stop()
      await api.close()
    },
  }
}

/** The built page names its scripts by the hash of their content, so its text tells one build from another. */
function consoleBuildOf({ consoleFolder }: Settings, version: string): string {
  try {
    const page = readFileSync(join(consoleFolder, 'index.html'), 'utf8')
    return (
      [...page.matchAll(/assets\/[\w.-]+/g)].map(([name]) => name.slice('assets/'.length)).join('+') ||
      version
    )
  } catch {
    return version
  }
}
