/** Software versions: those of the caller's customers (GAP-API-09), and all of them for vendor staff. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import {
  KnownSoftwareVersion,
  NewSoftwareVersion,
  SoftwareVersion,
  SoftwareVersionChange,
  SoftwareVersionProduct,
} from '../nouns/software-versions.ts'
import { settingCalls } from './system-settings.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const permission = 'administerPeople' as const

const fields: SoftwareVersion = {
  number: '10.0.3',
  description: 'Faster start of bonding',
  releaseNotesUrl: 'https://vendor.example/notes/10.0.3',
  path: 'releases/10.0.3',
  products: ['LU-600', 'LU-800'],
  supportedDevices: ['fieldUnits'],
  inventories: [],
  deprecated: false,
}
const example: KnownSoftwareVersion = {
  id: 'set-1',
  ...fields,
  versionRecord: { version: '10.0.3', versionNumberId: 'set-1' },
  mayChange: false,
}

export const softwareVersions = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/swVersions',
    summary: 'Software versions that customers of the caller may have, page by page',
    permission,
    query: PageQuery,
    response: page(KnownSoftwareVersion),
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows: ['RT-MANAGE-07', 'SC-ADM-06', 'EN-SWV-01', 'EN-SWV-08', 'EN-SWV-09', 'EN-SWV-10'],
  }),
  one: endpoint({
    method: 'GET',
    path: '/v2/admin/swVersions/{id}',
    summary: 'One software version',
    permission,
    params: id,
    response: KnownSoftwareVersion,
    errors: [404],
    example,
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/admin/swVersions',
    summary: 'Adds a software version; all but vendor staff name the customers that may have it',
    permission,
    body: NewSoftwareVersion,
    response: KnownSoftwareVersion,
    errors: [404, 409],
    example,
    rows: ['EN-SWV-02', 'EN-SWV-03', 'EN-SWV-04', 'EN-SWV-05', 'ER-OTHER-18', 'VA-UPG-06', 'VA-UPG-07'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/v2/admin/swVersions/{id}',
    summary: 'Changes a software version that only customers of the caller have',
    permission,
    params: id,
    body: SoftwareVersionChange,
    response: KnownSoftwareVersion,
    errors: [404, 409],
    example,
    rows: ['EN-SWV-06', 'EN-SWV-07', 'ER-OTHER-18'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/admin/swVersions/{id}',
    summary: 'Removes a software version that only customers of the caller have',
    permission,
    params: id,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['SC-ADM-06'],
  }),
}

export const softwareVersionSettings = settingCalls({
  path: 'software_version',
  one: 'software version',
  schema: SoftwareVersion,
  example: fields,
  rows: ['RT-PSG-22', 'SC-PSG-09', 'ER-OTHER-18', 'GAP-SCR-11'],
})

export const softwareVersionProducts = settingCalls({
  path: 'software_version_product',
  one: 'model that a software version is made for',
  schema: SoftwareVersionProduct,
  example: { version: 'set-1', product: 'LU-600' },
  rows: ['RT-PSG-23', 'ER-OTHER-16', 'GAP-SCR-11'],
})
