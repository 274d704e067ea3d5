// The children of the system settings as a table: how each is read, what fields it has, and what it is called by.
import { deviceAdministration } from '@backhaul/contract/api/device-administration'
import { softwareVersionProducts, softwareVersionSettings } from '@backhaul/contract/api/software-versions'
import * as calls from '@backhaul/contract/api/system-settings'
import {
  ApplicationConfiguration,
  CONSOLE_APPLICATION,
} from '@backhaul/contract/nouns/application-configurations'
import { DeviceService, DeviceServiceName } from '@backhaul/contract/nouns/device-services'
import { BUILT_IN_GEOCODER, GeocodingProfile } from '@backhaul/contract/nouns/geocoding'
import { shortProductName, UnitTypeGroup } from '@backhaul/contract/nouns/products'
import {
  productNames,
  SoftwareVersion,
  SoftwareVersionProduct,
} from '@backhaul/contract/nouns/software-versions'
import {
  ClientApplication,
  ModemVendor,
  modemTypes,
  Organization,
  OrganizationInventory,
  organizationRoles,
  StreamMediaProfile,
  StreamProfile,
  StreamProvider,
  streamHeights,
} from '@backhaul/contract/nouns/system-settings'
import i18next from 'i18next'
import type { z } from 'zod'
import { call, type Fault } from '../../doors/api.ts'
import { useAnswer } from '../../doors/reads.ts'
import { createList, type Items, type List, readAll } from '../../kit/lists.ts'
import { inventoryChoices, loadInventoryNames } from '../../people/inventory-names/inventory-names.ts'
import type { SettingChildName } from './setting-paths.ts'

export type Value = string | number | boolean | null | readonly (string | number)[]
/** One of a child, whichever it is. */
export type Setting = { id: string } & Readonly<Record<string, Value>>

export interface Choice {
  value: string
  label: string
}

export interface SettingField {
  name: string
  /** `choices` are several of those, `paragraph` is a text of several lines; `texts` and `figures` are free lists. */
  kind: 'text' | 'paragraph' | 'number' | 'switch' | 'choice' | 'choices' | 'texts' | 'figures' | 'time'
  /** Its label, where fields of the same name have different ones. */
  calledAs?: string
  /** Its hint, where fields of the same name have different ones. */
  hint?: string
  /** Empty is null. */
  isOptional?: boolean
  /** Its value in a new one. */
  initial?: Value
  /** Ids and names of what can be chosen. */
  choices?: () => Promise<readonly Choice[]>
  width: number
}

/** Fields and calls of the dialog of one kind of setting. */
export interface EditedSetting {
  schema: z.ZodType<Record<string, Value>>
  fields: readonly SettingField[]
  save(id: string | null, value: Record<string, Value>): Promise<Fault | undefined>
}

export interface SettingChild extends EditedSetting {
  path: string
  list: List<Items<Setting>>
  /** Field with the name of its items. */
  nameField: string
  remove(id: string): Promise<Fault | undefined>
}

type Calls = ReturnType<typeof calls.settingCalls>

function child(
  path: string,
  of: unknown,
  schema: unknown,
  nameField: string,
  fields: readonly SettingField[],
): SettingChild {
  const { list: read, create, change, remove } = of as Calls
  const list = createList(
    `settings.${path}`,
    () => readAll<Setting>(async (query) => (await call(read, { query })) as never),
    ({ id }) => id,
  )
  return {
    path,
    list,
    nameField,
    fields,
    schema: schema as SettingChild['schema'],
    save: (id, body) =>
      list.change(() => (id === null ? call(create, { body }) : call(change, { params: { id }, body }))),
    remove: (id) => list.change(() => call(remove, { params: { id } })),
  }
}

const namesOf = (of: { list: Calls['list'] }) => async (): Promise<readonly Choice[]> => {
  const { items } = await call(of.list, { query: { limit: 1000 } })
  return items.map((item) => ({ value: item.id, label: String((item as { name?: unknown }).name) }))
}
const providers = namesOf(calls.streamProviders as unknown as Calls)

const inventories = async (): Promise<readonly Choice[]> => {
  await loadInventoryNames()
  return inventoryChoices.get().map(({ id, name }) => ({ value: id, label: name }))
}

const devices = async (): Promise<readonly Choice[]> => {
  const [units, servers] = await Promise.all([
    readAll((query) => call(deviceAdministration.units, { query })),
    readAll((query) => call(deviceAdministration.servers, { query })),
  ])
  return [...units.items, ...servers.items].map(({ uid, name }) => ({ value: uid, label: name }))
}
const deviceServices = async (): Promise<readonly Choice[]> =>
  DeviceServiceName.options.map((name) => ({
    value: name,
    label: i18next.t(`systemSettings:service.${name}` as 'systemSettings:service.video'),
  }))

const softwareVersionNumbers = async (): Promise<readonly Choice[]> => {
  const { items } = await call(softwareVersionSettings.list, { query: { limit: 1000 } })
  return items.map(({ id, number }) => ({ value: id, label: number }))
}

const namesAsChoices = (names: readonly string[]) => async (): Promise<readonly Choice[]> =>
  names.map((name) => ({ value: name, label: name }))
const models = async (): Promise<readonly Choice[]> =>
  productNames.map((name) => ({ value: name, label: shortProductName(name) }))

/** Name of a kind of hardware in the language of the user. */
export const hardwareWords = (group: UnitTypeGroup): string =>
  i18next.t(`systemSettings:hardware.${group}` as 'systemSettings:hardware.fieldUnits')
const hardware = async (): Promise<readonly Choice[]> =>
  UnitTypeGroup.options.map((group) => ({ value: group, label: hardwareWords(group) }))

export const softwareVersionFields: readonly SettingField[] = [
  { name: 'number', kind: 'text', width: 170 },
  { name: 'description', kind: 'paragraph', initial: '', width: 260 },
  { name: 'releaseNotesUrl', kind: 'text', initial: '', width: 220 },
  { name: 'path', kind: 'text', initial: '', width: 180 },
  { name: 'products', kind: 'choices', initial: [], choices: models, width: 200 },
  {
    name: 'supportedDevices',
    kind: 'choices',
    initial: [],
    choices: hardware,
    width: 160,
  },
  { name: 'inventories', kind: 'choices', initial: [], choices: inventories, width: 180 },
  { name: 'deprecated', kind: 'switch', initial: false, width: 110 },
]

export const settingChildren = {
  client_application: child('client_application', calls.clientApplications, ClientApplication, 'name', [
    { name: 'name', kind: 'text', width: 240 },
    { name: 'version', kind: 'text', width: 120 },
    { name: 'minimumVersion', kind: 'text', width: 160 },
    { name: 'url', kind: 'text', initial: '', width: 320 },
  ]),
  modem_vendor: child('modem_vendor', calls.modemVendors, ModemVendor, 'vendor', [
    { name: 'vendor', kind: 'text', width: 240 },
    { name: 'type', kind: 'choice', initial: 'cellular', choices: namesAsChoices(modemTypes), width: 140 },
    { name: 'models', kind: 'text', initial: '', width: 320 },
    { name: 'scanSupported', kind: 'switch', initial: false, width: 160 },
  ]),
  stream_providers: child('stream_providers', calls.streamProviders, StreamProvider, 'name', [
    { name: 'name', kind: 'text', width: 200 },
    { name: 'domain', kind: 'text', width: 260 },
    { name: 'application', kind: 'text', width: 160 },
    { name: 'secure', kind: 'switch', initial: true, width: 100 },
    { name: 'icon', kind: 'text', initial: '', width: 80 },
  ]),
  stream_profile: child('stream_profile', calls.streamProfiles, StreamProfile, 'name', [
    { name: 'name', kind: 'text', width: 200 },
    { name: 'provider', kind: 'choice', choices: providers, width: 200 },
    { name: 'main', kind: 'switch', initial: false, width: 100 },
    { name: 'bitRate', kind: 'number', initial: 4500, width: 130 },
    {
      name: 'resolution',
      kind: 'choice',
      initial: 720,
      choices: async () => streamHeights.map((height) => ({ value: String(height), label: `${height}p` })),
      width: 120,
    },
  ]),
  stream_media_profile: child('stream_media_profile', calls.streamMediaProfiles, StreamMediaProfile, 'name', [
    { name: 'name', kind: 'text', width: 200 },
    { name: 'provider', kind: 'choice', choices: providers, width: 200 },
    { name: 'domain', kind: 'text', width: 260 },
    { name: 'videoBitrate', kind: 'number', initial: 6000, width: 130 },
  ]),
  organization: child('organization', calls.organizations, Organization, 'name', [
    { name: 'name', kind: 'text', width: 240 },
    { name: 'externalUid', kind: 'text', width: 240 },
    {
      name: 'defaultRole',
      kind: 'choice',
      isOptional: true,
      choices: async () => organizationRoles.map((role) => ({ value: role, label: role })),
      width: 200,
    },
    { name: 'maxUsers', kind: 'number', isOptional: true, width: 130 },
  ]),
  organization_inventory: child(
    'organization_inventory',
    calls.organizationInventories,
    OrganizationInventory,
    'organization',
    [
      {
        name: 'organization',
        kind: 'choice',
        choices: namesOf(calls.organizations as unknown as Calls),
        width: 300,
      },
      { name: 'inventory', kind: 'choice', choices: inventories, width: 300 },
    ],
  ),
  software_version: child(
    'software_version',
    softwareVersionSettings,
    SoftwareVersion,
    'number',
    softwareVersionFields,
  ),
  software_version_product: child(
    'software_version_product',
    softwareVersionProducts,
    SoftwareVersionProduct,
    'version',
    [
      { name: 'version', kind: 'choice', choices: softwareVersionNumbers, width: 300 },
      { name: 'product', kind: 'choice', choices: models, width: 300 },
    ],
  ),
  geocoding_profile: child('geocoding_profile', calls.geocodingProfiles, GeocodingProfile, 'name', [
    { name: 'name', kind: 'text', width: 180 },
    { name: 'geocoders', kind: 'texts', initial: [BUILT_IN_GEOCODER], width: 320 },
    { name: 'accuracies', kind: 'figures', initial: [20_000], width: 130 },
    { name: 'refreshIntervals', kind: 'figures', initial: [60], width: 150 },
    { name: 'distanceThreshold', kind: 'number', initial: 250, width: 160 },
    { name: 'percentageThreshold', kind: 'number', initial: 50, width: 160 },
    {
      name: 'inventories',
      kind: 'choices',
      initial: [],
      choices: inventories,
      hint: 'geocodingInventories',
      width: 200,
    },
  ]),
  application_configuration: child(
    'application_configuration',
    calls.applicationConfigurations,
    ApplicationConfiguration,
    'key',
    [
      {
        name: 'application',
        kind: 'text',
        initial: CONSOLE_APPLICATION,
        calledAs: 'callingApplication',
        hint: 'callingApplication',
        width: 180,
      },
      { name: 'key', kind: 'text', width: 200 },
      { name: 'value', kind: 'text', width: 320 },
      {
        name: 'inventory',
        kind: 'choice',
        isOptional: true,
        choices: inventories,
        hint: 'configuredInventory',
        width: 220,
      },
    ],
  ),
  device_service: child('device_service', calls.deviceServices, DeviceService, 'device', [
    { name: 'device', kind: 'choice', choices: devices, width: 260 },
    { name: 'service', kind: 'choice', choices: deviceServices, width: 200 },
    { name: 'expiration', kind: 'time', isOptional: true, width: 240 },
  ]),
} as const satisfies Record<SettingChildName, SettingChild>

export type Choices = Readonly<Record<string, readonly Choice[]>>

/** Choices of each field of the setting `name`; none where they cannot be read. */
export function useChoices(name: string, fields: readonly SettingField[]): Choices {
  const { data = none } = useAnswer(['choices', name], async () => {
    const asked = fields.flatMap(({ name, choices: ask }) => (ask ? [{ name, ask }] : []))
    return Object.fromEntries(
      await Promise.all(asked.map(async ({ name, ask }) => [name, await ask().catch(() => [])] as const)),
    )
  })
  return data
}

const none: Choices = {}
