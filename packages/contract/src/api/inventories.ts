/** Inventories: the customers, their properties, and what belongs to one. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { exampleChannel } from '../examples/channels.ts'
import { exampleUnit } from '../examples/units.ts'
import { DeviceKind } from '../gateway/shared.ts'
import { Channel } from '../nouns/channels.ts'
import {
  defaultProperties,
  EnhancedInventory,
  Inventory,
  InventoryChange,
  InventoryProperties,
  InventoryProperty,
  NewInventory,
} from '../nouns/inventories.ts'
import { Unit } from '../nouns/units.ts'

const id = z.object({ id: z.string().min(1).max(64) })

const exampleInventory: Inventory = {
  id: 'inv-north',
  name: 'North Broadcasting',
  region: 'Europe',
  parent: null,
  customerId: 'C-1044',
  sipServer: 'sip.north.example',
  cloudProvider: null,
  properties: defaultProperties,
}

/** One page, as the newer lists request it. */
const ListQuery = PageQuery.pick({ offset: true, limit: true, search: true, sort: true })

export const inventories = {
  all: endpoint({
    method: 'GET',
    path: '/v2/admin/inventories/',
    summary: 'Inventories of the caller: their own and the secondaries of these, or all for vendor staff',
    permission: 'administerDevices',
    query: PageQuery,
    response: page(Inventory),
    example: { items: [exampleInventory], total: 1, offset: 0, limit: 50 },
    rows: ['EP-INV-11', 'CO-ADMIN-21'],
  }),
  enhanced: endpoint({
    method: 'GET',
    path: '/v2/admin/inventories/enhanced',
    summary: 'The same with the name of the parent and the numbers of their objects',
    permission: 'administerDevices',
    query: PageQuery,
    response: page(EnhancedInventory),
    example: {
      items: [
        {
          ...exampleInventory,
          parentName: null,
          units: 40,
          channels: 24,
          groups: 3,
          users: 12,
          secondaries: 2,
        },
      ],
      total: 1,
      offset: 0,
      limit: 50,
    },
    rows: ['EP-INV-10', 'CO-ADMIN-21'],
  }),
  count: endpoint({
    method: 'GET',
    path: '/v2/admin/inventories/count',
    summary: 'Number of inventories of the caller',
    permission: 'administerDevices',
    response: z.object({ count: z.number().int() }),
    example: { count: 3 },
    rows: ['EP-INV-15'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/admin/inventories/',
    summary: 'Adds an inventory; its name is unique',
    permission: 'administerSystem',
    body: NewInventory,
    response: Inventory,
    errors: [409],
    example: exampleInventory,
    rows: ['EP-INV-12', 'VA-UPG-11', 'CO-ADMIN-13'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v2/admin/inventories/{id}',
    summary: 'Changes an inventory and its properties together; its parent must not have a parent itself',
    permission: 'administerSystem',
    params: id,
    body: InventoryChange,
    response: Inventory,
    errors: [404, 409],
    example: exampleInventory,
    rows: ['EP-INV-13', 'VA-MSG-17', 'VA-UPG-11', 'CO-ADMIN-13'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/admin/inventories/{id}',
    summary: 'Removes an empty inventory',
    permission: 'administerSystem',
    params: id,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-INV-14'],
  }),
  properties: endpoint({
    method: 'GET',
    path: '/v2/admin/inventories/{id}/properties',
    summary: 'Features of the customer',
    permission: 'administerDevices',
    params: id,
    response: InventoryProperties,
    errors: [404],
    example: defaultProperties,
    rows: ['EP-INV-16'],
  }),
  setProperty: endpoint({
    method: 'PUT',
    path: '/v2/admin/inventories/{id}/properties/{name}',
    summary: 'Switches one feature of the customer; returns all of them',
    permission: 'administerSystem',
    params: id.extend({ name: InventoryProperty }),
    body: z.strictObject({ value: z.boolean() }),
    response: InventoryProperties,
    errors: [404],
    example: defaultProperties,
    rows: ['EP-INV-17'],
  }),
  serviceable: endpoint({
    method: 'GET',
    path: '/v2/admin/inventories/{id}/devices,serviceable',
    summary: 'Devices of the customer that can get a service: every registered unit and server, by name',
    permission: 'administerDevices',
    params: id,
    response: z.array(
      z.object({
        uid: z.string(),
        name: z.string(),
        kind: DeviceKind,
        type: z.string().describe('Product type'),
        serialNumber: z.string(),
        swVersion: z.string(),
        services: z.array(z.string()),
      }),
    ),
    errors: [404],
    example: [
      {
        uid: 'u-lon-03',
        name: 'LU600-LON-03',
        kind: 'unit',
        type: 'LU-600',
        serialNumber: '600-1234',
        swVersion: '7.3.0',
        services: ['video'],
      },
    ],
    rows: ['EP-INV-18', 'GAP-API-15'],
  }),
  units: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/units',
    summary: 'Units of the customer that the caller may see, page by page',
    permission: 'viewUnits',
    params: id,
    query: ListQuery.extend({
      majorSwVersion: z.coerce.number().int().min(0).max(999).optional(),
      excludeProducts: z.string().max(1000).optional().describe('Product types, separated by commas'),
      audioRoom: z
        .enum(['true', 'false'])
        .optional()
        .describe('Only units in an audio room, or only the others'),
    }),
    response: page(Unit),
    errors: [404],
    example: { items: [exampleUnit], total: 1, offset: 0, limit: 50 },
    rows: ['EP-INV-22', 'EN-INV-17', 'CO-ADMIN-21'],
  }),
  channels: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/channels',
    summary: 'Channels of the customer that the caller may see, page by page',
    permission: 'viewUnits',
    params: id,
    query: ListQuery,
    response: page(Channel),
    errors: [404],
    example: { items: [exampleChannel], total: 1, offset: 0, limit: 50 },
    rows: ['EP-INV-46', 'EN-INV-18', 'CO-ADMIN-21'],
  }),
}
