// For each write of the system settings a request that succeeds, with what it needs.
import { api } from '@backhaul/contract/api/api'
import type { Browser } from '../testing.ts'

type Input = { params?: object; body?: unknown }

let made = 0
const tube = { name: 'Tube', domain: 'tube.example', application: 'live', secure: true, icon: '' }
const profile = { name: 'Standard', main: true, bitRate: 4500, resolution: 720 as const }
const media = { name: 'High', domain: 'eu.tube.example', videoBitrate: 6000 }
const organization = (name: string) => ({ name, externalUid: name, defaultRole: null, maxUsers: null })

const application = (name: string) => ({ name, version: '3.4', url: '', minimumVersion: '3.0' })
const vendor = (name: string) => ({
  vendor: name,
  models: '',
  scanSupported: true,
  type: 'cellular' as const,
})

const newApplication = async (root: Browser) =>
  (await root.call(api.clientApplications.create, { body: application(`App ${made++}`) })).id
const newVendor = async (root: Browser) =>
  (await root.call(api.modemVendors.create, { body: vendor(`Maker ${made++}`) })).id
async function newProvider(root: Browser): Promise<string> {
  const body = { ...tube, name: `Tube ${made++}` }
  return (await root.call(api.streamProviders.create, { body })).id
}
export async function newStreamProfile(root: Browser) {
  const body = { ...profile, provider: await newProvider(root) }
  return await root.call(api.streamProfiles.create, { body })
}
async function newMediaProfile(root: Browser) {
  const body = { ...media, provider: await newProvider(root) }
  return await root.call(api.streamMediaProfiles.create, { body })
}
async function newOrganization(root: Browser): Promise<string> {
  return (await root.call(api.organizations.create, { body: organization(`made-${made++}`) })).id
}
async function newAssociation(root: Browser) {
  const body = { organization: await newOrganization(root), inventory: 'north' }
  return await root.call(api.organizationInventories.create, { body })
}

const geocoding = (name: string) => ({
  name,
  inventories: [],
  geocoders: ['places'],
  accuracies: [1000],
  refreshIntervals: [10],
  distanceThreshold: 100,
  percentageThreshold: 50,
})
const newGeocoding = async (root: Browser) =>
  (await root.call(api.geocodingProfiles.create, { body: geocoding(`Streets ${made++}`) })).id

const configuration = (key: string) => ({
  application: 'crew-app',
  inventory: 'north',
  key,
  value: 'red',
})
const newConfiguration = async (root: Browser) =>
  (await root.call(api.applicationConfigurations.create, { body: configuration(`colour${made++}`) })).id

const softwareVersion = () => ({
  number: `9.0.${made++}`,
  description: '',
  releaseNotesUrl: '',
  path: 'releases',
  deprecated: false,
  products: ['LU-600'],
  supportedDevices: [],
  inventories: ['north'],
})
async function newVersion(root: Browser): Promise<string> {
  return (await root.call(api.softwareVersions.create, { body: softwareVersion() })).id
}

const deviceService = (device: string, service: 'ai' | 'pro4' | 'video' | 'databridge') => ({
  device,
  service,
  expiration: null,
})
const newDeviceService = async (root: Browser, ...of: Parameters<typeof deviceService>) =>
  (await root.call(api.deviceServices.create, { body: deviceService(...of) })).id

export const settingChanges = (
  rootOf: () => Browser,
  unitIdOf: () => string,
): Record<string, () => Input | Promise<Input>> => ({
  'deviceServices.create': () => ({ body: deviceService(unitIdOf(), 'ai') }),
  'deviceServices.change': async () => ({
    params: { id: await newDeviceService(rootOf(), unitIdOf(), 'pro4') },
    body: deviceService(unitIdOf(), 'video'),
  }),
  'deviceServices.remove': async () => ({
    params: { id: await newDeviceService(rootOf(), unitIdOf(), 'databridge') },
  }),
  'clientApplications.create': () => ({ body: application('Made') }),
  'clientApplications.change': async () => ({
    params: { id: await newApplication(rootOf()) },
    body: application('Changed'),
  }),
  'clientApplications.remove': async () => ({ params: { id: await newApplication(rootOf()) } }),
  'modemVendors.create': () => ({ body: vendor('Made') }),
  'modemVendors.change': async () => ({ params: { id: await newVendor(rootOf()) }, body: vendor('Changed') }),
  'modemVendors.remove': async () => ({ params: { id: await newVendor(rootOf()) } }),
  'geocodingProfiles.create': () => ({ body: geocoding('Made') }),
  'geocodingProfiles.change': async () => ({
    params: { id: await newGeocoding(rootOf()) },
    body: geocoding('Changed'),
  }),
  'geocodingProfiles.remove': async () => ({ params: { id: await newGeocoding(rootOf()) } }),
  'applicationConfigurations.create': () => ({ body: configuration('made') }),
  'applicationConfigurations.change': async () => ({
    params: { id: await newConfiguration(rootOf()) },
    body: configuration('changed'),
  }),
  'applicationConfigurations.remove': async () => ({ params: { id: await newConfiguration(rootOf()) } }),
  'streamProviders.create': () => ({ body: { ...tube, name: 'Made' } }),
  'streamProviders.change': async () => ({ params: { id: await newProvider(rootOf()) }, body: tube }),
  'streamProviders.remove': async () => ({ params: { id: await newProvider(rootOf()) } }),
  'streamProfiles.create': async () => ({ body: { ...profile, provider: await newProvider(rootOf()) } }),
  'streamProfiles.change': async () => {
    const { id, provider } = await newStreamProfile(rootOf())
    return { params: { id }, body: { ...profile, provider } }
  },
  'streamProfiles.remove': async () => ({ params: { id: (await newStreamProfile(rootOf())).id } }),
  'streamMediaProfiles.create': async () => ({ body: { ...media, provider: await newProvider(rootOf()) } }),
  'streamMediaProfiles.change': async () => {
    const { id, provider } = await newMediaProfile(rootOf())
    return { params: { id }, body: { ...media, provider } }
  },
  'streamMediaProfiles.remove': async () => ({ params: { id: (await newMediaProfile(rootOf())).id } }),
  'organizations.create': () => ({ body: organization('created') }),
  'organizations.change': async () => ({
    params: { id: await newOrganization(rootOf()) },
    body: organization('changed'),
  }),
  'organizations.remove': async () => ({ params: { id: await newOrganization(rootOf()) } }),
  'organizationInventories.create': async () => ({
    body: { organization: await newOrganization(rootOf()), inventory: 'north' },
  }),
  'organizationInventories.change': async () => {
    const { id, organization } = await newAssociation(rootOf())
    return { params: { id }, body: { organization, inventory: 'south' } }
  },
  'softwareVersionSettings.create': () => ({ body: softwareVersion() }),
  'softwareVersionSettings.change': async () => ({
    params: { id: await newVersion(rootOf()) },
    body: softwareVersion(),
  }),
  'softwareVersionSettings.remove': async () => ({ params: { id: await newVersion(rootOf()) } }),
  'softwareVersionProducts.create': async () => ({
    body: { version: await newVersion(rootOf()), product: 'LU-800' },
  }),
  'softwareVersionProducts.change': async () => {
    const version = await newVersion(rootOf())
    return { params: { id: `${version}~LU-600` }, body: { version, product: 'LU-800' } }
  },
  'softwareVersionProducts.remove': async () => ({
    params: { id: `${await newVersion(rootOf())}~LU-600` },
  }),
  'softwareVersions.create': () => ({ body: softwareVersion() }),
  'softwareVersions.change': async () => ({
    params: { id: await newVersion(rootOf()) },
    body: { deprecated: true },
  }),
  'softwareVersions.remove': async () => ({ params: { id: await newVersion(rootOf()) } }),
  'organizationInventories.remove': async () => ({ params: { id: (await newAssociation(rootOf())).id } }),
})
