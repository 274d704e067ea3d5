/** Settings of the whole installation by vendor staff, each child of /psg/system_settings with the same four calls. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { ApplicationConfiguration } from '../nouns/application-configurations.ts'
import { DeviceService } from '../nouns/device-services.ts'
import { GeocodingProfile } from '../nouns/geocoding.ts'
import {
  ClientApplication,
  ModemVendor,
  Organization,
  OrganizationInventory,
  StreamMediaProfile,
  StreamProfile,
  StreamProvider,
} from '../nouns/system-settings.ts'

const permission = 'administerSystem' as const
const id = z.object({ id: z.string().min(1).max(64) })

interface Child<S extends z.ZodObject> {
  /** Last part of its route and of its path. */
  path: string
  /** Its name in the singular. */
  one: string
  schema: S
  example: z.input<S>
  rows: readonly string[]
}

/** The four calls of a child; reading returns what was written, with an id. */
export function settingCalls<S extends z.ZodObject>({ path, one, schema, example, rows }: Child<S>) {
  const Kept = z.intersection(z.object({ id: z.string() }), z.object(schema.shape) as unknown as S)
  const kept = { id: 'set-1', ...(example as object) } as z.input<typeof Kept>
  const all = `/v2/admin/settings/${path}`
  return {
    list: endpoint({
      method: 'GET',
      path: all,
      summary: `All of the kind ${one}, page by page`,
      permission,
      query: PageQuery,
      response: page(Kept),
      example: { items: [kept], total: 1, offset: 0, limit: 50 } as never,
      rows,
    }),
    create: endpoint({
      method: 'POST',
      path: all,
      summary: `Adds one of the kind ${one}`,
      permission,
      body: schema,
      response: Kept,
      errors: [404, 409],
      example: kept,
      rows,
    }),
    change: endpoint({
      method: 'PUT',
      path: `${all}/{id}`,
      summary: `Replaces one of the kind ${one}`,
      permission,
      params: id,
      body: schema,
      response: Kept,
      errors: [404, 409],
      example: kept,
      rows,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `${all}/{id}`,
      summary: `Removes one of the kind ${one}, unless it is in use`,
      permission,
      params: id,
      response: Done,
      errors: [404, 409],
      example: { done: true },
      rows,
    }),
  }
}

export const clientApplications = settingCalls({
  path: 'client_application',
  one: 'client application',
  schema: ClientApplication,
  example: {
    name: 'Field app',
    version: '3.4.1',
    minimumVersion: '3.0',
    url: 'https://north.example/field-app',
  },
  rows: ['RT-PSG-14', 'SC-PSG-02', 'GAP-SCR-11'],
})

export const modemVendors = settingCalls({
  path: 'modem_vendor',
  one: 'modem vendor',
  schema: ModemVendor,
  example: { vendor: 'North Radio', models: 'NR-5G, NR-LTE', type: 'cellular', scanSupported: true },
  rows: ['RT-PSG-15', 'SC-PSG-03', 'GAP-SCR-11'],
})

export const streamProviders = settingCalls({
  path: 'stream_providers',
  one: 'stream provider',
  schema: StreamProvider,
  example: { name: 'Tube', domain: 'live.tube.example', application: 'live2', secure: true, icon: 'T' },
  rows: ['RT-PSG-18', 'SC-PSG-06', 'GAP-SCR-11'],
})

export const streamProfiles = settingCalls({
  path: 'stream_profile',
  one: 'stream profile',
  schema: StreamProfile,
  example: { provider: 'set-1', name: 'Standard', main: true, bitRate: 4500, resolution: 720 },
  rows: ['RT-PSG-17', 'SC-PSG-07', 'VA-STREAM-29', 'GAP-SCR-11'],
})

export const streamMediaProfiles = settingCalls({
  path: 'stream_media_profile',
  one: 'stream media profile',
  schema: StreamMediaProfile,
  example: { provider: 'set-1', domain: 'eu.live.tube.example', name: 'High', videoBitrate: 6000 },
  rows: ['RT-PSG-19', 'SC-PSG-04', 'VA-STREAM-10', 'GAP-SCR-11'],
})

export const organizations = settingCalls({
  path: 'organization',
  one: 'organization',
  schema: Organization,
  example: { name: 'North', externalUid: 'north.example', defaultRole: 'luc_regular', maxUsers: 50 },
  rows: ['RT-PSG-20', 'SC-PSG-08', 'EN-ORG-01', 'EN-ORG-02', 'EN-ORG-03', 'EN-ORG-04'],
})

export const organizationInventories = settingCalls({
  path: 'organization_inventory',
  one: 'association of an organization and an inventory',
  schema: OrganizationInventory,
  example: { organization: 'set-1', inventory: 'inv-north' },
  rows: ['RT-PSG-21', 'VA-STREAM-30', 'VA-MSG-04', 'ER-OTHER-16'],
})

export const geocodingProfiles = settingCalls({
  path: 'geocoding_profile',
  one: 'geocoding profile',
  schema: GeocodingProfile,
  example: {
    name: 'Streets',
    inventories: ['inv-north'],
    geocoders: ['https://geocoder.north.example/reverse?format=jsonv2&lat={lat}&lon={lng}', 'places'],
    accuracies: [100, 20_000],
    refreshIntervals: [60, 10],
    distanceThreshold: 250,
    percentageThreshold: 50,
  },
  rows: [
    'RT-PSG-24',
    'SC-PSG-10',
    'EN-GEO-01',
    'EN-GEO-02',
    'EN-GEO-03',
    'EN-GEO-04',
    'VA-STREAM-27',
    'VA-STREAM-28',
    'ER-OTHER-17',
    'GAP-SCR-13',
  ],
})

export const applicationConfigurations = settingCalls({
  path: 'application_configuration',
  one: 'application configuration',
  schema: ApplicationConfiguration,
  example: {
    application: 'console',
    inventory: 'inv-north',
    key: 'support',
    value: 'https://support.north.example/',
  },
  rows: ['RT-PSG-25', 'SC-PSG-11', 'ER-OTHER-20', 'GAP-INV-05', 'GAP-SCR-11'],
})

export const deviceServices = settingCalls({
  path: 'device_service',
  one: 'device service',
  schema: DeviceService,
  example: { device: 'u-lon-03', service: 'databridge', expiration: '2026-12-01T00:00:00.000Z' },
  rows: ['RT-PSG-26', 'SC-PSG-12', 'EN-MISC-05', 'GAP-SCR-11'],
})
