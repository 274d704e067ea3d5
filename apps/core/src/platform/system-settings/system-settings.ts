// Settings of vendor staff for the whole installation: every child of /psg/system_settings by the same four calls.
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import type { ApplicationConfiguration } from '@backhaul/contract/nouns/application-configurations'
import type { GeocodingProfile } from '@backhaul/contract/nouns/geocoding'
import type {
  ClientApplication,
  ModemVendor,
  StreamMediaProfile,
  StreamProfile,
  StreamProvider,
} from '@backhaul/contract/nouns/system-settings'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import { everything } from '../../database/scope.ts'
import type { Inventories } from '../inventories/inventories.ts'
import { createOrganizationInventories, createOrganizations } from './organizations.ts'
import { createSettingStore, namedPage } from './setting-store.ts'
import { settingRoutes } from './system-setting-routes.ts'
import { createVersionSettings } from './version-settings.ts'

export type { Kept, SettingStore } from './setting-store.ts'
export type SystemSettings = ReturnType<typeof createSystemSettings>

interface Needs {
  db: Database
  clock: Clock
  inventories: Inventories
}

export function createSystemSettings(needs: Needs) {
  const organizations = createOrganizations(needs)
  const clientApplications = createSettingStore<ClientApplication>(needs, {
    child: 'client_application',
    thing: 'clientApplication',
    nameOf: ({ name }) => name,
    keyOf: ({ name }) => name,
    keyField: 'name',
  })
  const modemVendors = createSettingStore<ModemVendor>(needs, {
    child: 'modem_vendor',
    thing: 'modemVendor',
    nameOf: ({ vendor }) => vendor,
    keyOf: ({ vendor, type }) => `${vendor} ${type}`,
    keyField: 'vendor',
  })
  const streamProviders = createSettingStore<StreamProvider>(needs, {
    child: 'stream_providers',
    thing: 'streamProvider',
    nameOf: ({ name }) => name,
    keyOf: ({ name }) => name,
    keyField: 'name',
    async checkRemoval({ id }) {
      const used = [...(await streamProfiles.all()), ...(await streamMediaProfiles.all())]
      if (used.some(({ provider }) => provider === id)) throw new Conflict('streamProvider.inUse')
    },
  })
  const requireProvider = async ({ provider }: { provider: string }) => {
    if (!(await streamProviders.all()).some(({ id }) => id === provider)) throw new NotFound('streamProvider')
  }
  const streamProfiles = createSettingStore<StreamProfile>(needs, {
    child: 'stream_profile',
    thing: 'streamProfile',
    nameOf: ({ name }) => name,
    keyOf: ({ provider, name }) => `${provider} ${name}`,
    keyField: 'name',
    async check(profile, others) {
      await requireProvider(profile)
      const { main, provider } = profile
      if (main && others.some((one) => one.main && one.provider === provider))
        throw Conflict.at('main', 'socialMedia.mainProfile')
    },
  })
  const streamMediaProfiles = createSettingStore<StreamMediaProfile>(needs, {
    child: 'stream_media_profile',
    thing: 'streamMediaProfile',
    nameOf: ({ name }) => name,
    keyOf: ({ provider, domain, name }) => `${provider} ${domain} ${name}`,
    keyField: 'name',
    check: requireProvider,
  })
  const geocodingProfiles = createSettingStore<GeocodingProfile>(needs, {
    child: 'geocoding_profile',
    thing: 'geocodingProfile',
    nameOf: ({ name }) => name,
    keyOf: ({ name }) => name,
    keyField: 'name',
    async check({ inventories }, others) {
      for (const id of inventories) {
        await needs.inventories.get(everything, id)
        if (others.some((one) => one.inventories.includes(id)))
          throw Conflict.at('inventories', 'geocoding.customer')
      }
    },
    async checkRemoval({ inventories }) {
      if (inventories.length > 0) throw new Conflict('geocodingProfile.inUse')
    },
  })
  const applicationConfigurations = createSettingStore<ApplicationConfiguration>(needs, {
    child: 'application_configuration',
    thing: 'applicationConfiguration',
    nameOf: ({ application, key }) => `${application} ${key}`,
    keyOf: ({ application, key, inventory }) => `${application} ${key} ${inventory ?? ''}`,
    keyField: 'key',
    takenReason: 'inventory.configurationExists',
    async check({ inventory }) {
      if (inventory !== null) await needs.inventories.get(everything, inventory)
    },
  })
  /** The providers with the profiles of each kind, the main profile first. */
  async function providersWithProfiles() {
    const [providers, profiles, media] = await Promise.all([
      streamProviders.all(),
      streamProfiles.all(),
      streamMediaProfiles.all(),
    ])
    return providers.map((provider) => ({
      ...provider,
      profiles: profiles
        .filter((one) => one.provider === provider.id)
        .sort((a, b) => Number(b.main) - Number(a.main)),
      mediaProfiles: media.filter((one) => one.provider === provider.id),
    }))
  }

  return {
    /** For children that later features keep. */
    namedPage,
    settingRoutes,
    providersWithProfiles,
    organizations,
    organizationInventories: createOrganizationInventories(needs, organizations),
    ...createVersionSettings(needs),
    clientApplications,
    modemVendors,
    streamProviders,
    streamProfiles,
    streamMediaProfiles,
    geocodingProfiles,
    applicationConfigurations,
  }
}
