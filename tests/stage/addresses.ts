/** Every address of the console: who may open it, how its screen is titled, and what is seen of the data. */
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import type { Page } from 'playwright-core'
import { adminPassword } from './stage.ts'

/** Who visits as which role; those whom the demo lacks are made by `addVendorStaff`. */
export const people = {
  super_user: ['admin', adminPassword],
  luc_admin: ['chief', DEMO_PASSWORD],
  luc_media_group_admin: ['media', DEMO_PASSWORD],
  luc_contractor: ['carl', DEMO_PASSWORD],
  luc_partner: ['petra', DEMO_PASSWORD],
  luc_regular: ['operator', DEMO_PASSWORD],
  luc_read: ['viewer', DEMO_PASSWORD],
} as const
export type VisitorRole = keyof typeof people

export const everyone = Object.keys(people) as VisitorRole[]
const adminGroup: VisitorRole[] = [
  'super_user',
  'luc_admin',
  'luc_media_group_admin',
  'luc_contractor',
  'luc_partner',
]

export interface Guarded {
  parent: string
  /** Who passes; all others with a place in the console get the refusal. */
  open: readonly VisitorRole[]
  /** The screens by the last part of their address: their title, and what is seen of the data. */
  screens: Readonly<Record<string, readonly [title: string, ...sees: string[]]>>
}

const settings = 'System settings'
const entities = 'System entities'
const contractorEntities = 'Entities manager'

/** The addresses of the specification, and those that this console has in addition; '' is the parent itself. */
export const addresses: readonly Guarded[] = [
  {
    parent: '/unit',
    open: everyone,
    screens: {
      list: ['Unit list', 'Route-Van'],
      multiview: ['Multiview', 'Route-1'],
      map: ['Map', 'Route-Van'],
      files: ['Files'],
      stories: ['Story list'],
    },
  },
  {
    parent: '/unit',
    open: adminGroup,
    screens: { file_upload: ['File upload', 'No unit chosen'] },
  },
  {
    parent: '/manage',
    open: adminGroup,
    screens: {
      channels: ['Channels', 'Route-1'],
      devices: ['Devices', 'MCR-Route'],
      video_return: ['Video Return'],
      graphics: ['My Graphics'],
      file_targets: ['File targets'],
      users: ['Users', 'operator'],
      groups: ['Groups', 'London-News'],
      usage_profiles: ['Usage profiles'],
      sw_version: ['Software versions'],
      audio_rooms: ['Audio Connect'],
      api_keys: ['API keys'],
      audit: ['Audit log'],
      outbox: ['Outbox'],
    },
  },
  {
    parent: '/manage/shares',
    open: ['super_user', 'luc_media_group_admin'],
    screens: { publishers: ['Publishers'], subscribers: ['Subscribers'] },
  },
  {
    parent: '/services',
    open: ['luc_admin'],
    screens: {
      inventory_services: ['Inventory services'],
      unit_license_activation: ['Licence activation'],
      reports: ['Usage reports'],
    },
  },
  {
    parent: '/contractor',
    open: ['luc_contractor'],
    screens: {
      remote_actions: ['Remote actions'],
      entities: [contractorEntities, 'Units', 'Route-Van'],
      'entities/units': [contractorEntities, 'Units', 'Route-Van'],
      'entities/mmh_servers': [contractorEntities, 'MMH servers', 'MCR-Route'],
      'entities/channels': [contractorEntities, 'Channels', 'Route-1'],
      'entities/vr_servers': [contractorEntities, 'Video return servers', 'VR-Route'],
      'entities/vr_channels': [contractorEntities, 'Video return channels', 'Return-1'],
      'entities/transceiver_servers': [contractorEntities, 'Transceiver servers'],
      'entities/ingest_servers': [contractorEntities, 'Ingest servers'],
      'entities/db_gateways': [contractorEntities, 'Databridge gateways'],
    },
  },
  {
    parent: '/support',
    open: ['luc_partner'],
    screens: { remote_actions: ['Remote actions'] },
  },
  {
    parent: '/psg',
    open: ['super_user'],
    screens: {
      system_entities: [entities, 'Inventories', 'Meridian Sport'],
      'system_entities/inventories': [entities, 'Inventories', 'Meridian Sport'],
      'system_entities/groups': [entities, 'Groups', 'London-News'],
      'system_entities/units': [entities, 'Units', 'Route-Van'],
      'system_entities/mmh_servers': [entities, 'MMH servers', 'MCR-Route'],
      'system_entities/vr_servers': [entities, 'Video return servers', 'VR-Route'],
      'system_entities/ingest_servers': [entities, 'Ingest servers'],
      'system_entities/transceiver_servers': [entities, 'Transceiver servers'],
      'system_entities/users': [entities, 'Users', 'operator'],
      'system_entities/channels': [entities, 'Channels', 'Route-1'],
      'system_entities/vrChannels': [entities, 'Video return channels', 'Return-1'],
      'system_entities/dbGateways': [entities, 'Databridge gateways'],
      'system_entities/ifb_servers': ['IFB servers'],
      system_settings: ['System settings', 'Client applications'],
      'system_settings/client_application': ['Client applications'],
      'system_settings/modem_vendor': ['Modem vendors'],
      'system_settings/ai_settings': ['AI settings'],
      'system_settings/stream_profile': [settings, 'Stream profiles'],
      'system_settings/stream_providers': [settings, 'Stream providers'],
      'system_settings/stream_media_profile': [settings, 'Stream media profiles'],
      'system_settings/organization': [settings, 'Organizations'],
      'system_settings/organization_inventory': [settings, 'Organizations and inventories'],
      'system_settings/software_version': [settings, 'Software versions'],
      'system_settings/software_version_product': [settings, 'Models of versions'],
      'system_settings/geocoding_profile': [settings, 'Geocoding profiles'],
      'system_settings/application_configuration': [settings, 'Application configurations'],
      'system_settings/device_service': [settings, 'Device services'],
      'system_settings/inventory_service': ['Customer services'],
      'system_settings/history_device_group': [settings, 'Devices and groups', 'Route-Van'],
      'system_settings/history_device_inventory': [settings, 'Devices and inventories', 'Route-Van'],
      'system_settings/client_notification': ['System messages'],
      remote_actions: ['Remote actions'],
      access_approvals: ['Access approvals'],
      whats_new: ["What's new"],
      batch_upgrade: ['Batch upgrade'],
    },
  },
]

export const pathOf = ({ parent }: Guarded, name: string) => `${parent}/${name}`

/** The little of a page's own types that is needed here. */
interface Window {
  document: { title: string; querySelector(selector: string): { textContent: string } | null }
  location: { pathname: string }
  history: { pushState(state: object, unused: string, path: string): void }
}

/**
 * Opens another address within the loaded console. The title of the page is set once the router has decided, and the content
 * is there once the parts of the console that it needs are loaded.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  await tour(page, [path])
}

/** The same with several, one after the other: where each led, and the refusal that the page shows there. */
export const tour = (
  page: Page,
  paths: readonly string[],
): Promise<{ at: string; refusal: string | null }[]> =>
  page.evaluate(async (addresses) => {
    const { document, location, history } = globalThis as unknown as Window
    const ends: { at: string; refusal: string | null }[] = []
    const moment = () => new Promise((resolve) => setTimeout(resolve, 5))
    const isShown = () => document.title !== '' && document.querySelector('main:not(:empty)') !== null
    // The title of the first page is set before it is drawn, and would be waited for in vain once it is removed.
    while (!isShown()) await moment()
    for (const path of addresses) {
      document.title = ''
      history.pushState({}, '', path)
      while (!isShown()) await moment()
      const refusal = document.querySelector('.forbidden p')?.textContent ?? null
      ends.push({ at: location.pathname, refusal })
    }
    return ends
  }, paths)
