/** Managed services of customers: the list, trials, and changes by the vendor. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import {
  type ManagedService as Example,
  ManagedService,
  NamedServiceChange,
  ServiceChange,
  ServiceName,
  ServiceStatusAnswer,
  serviceNames,
} from '../nouns/services.ts'

const Id = z.string().min(1).max(64)
const id = z.object({ id: Id })
const current = z.object({ current: Id })

const example: Example = {
  inventoryId: 'inv-north',
  inventoryName: 'North Broadcasting',
  name: 'go_plan',
  plan: 'PERMANENT',
  status: 'purchasedService',
  expiration: '2027-01-01T00:00:00.000Z',
  renewal: 'yearly',
  instanceLimit: 20,
  usageType: 'data',
  packageSize: 500,
  usedData: 212.5,
  state: 'purchased',
  trial: false,
  trialStarted: null,
  overUsage: false,
  measured: true,
}

const vendor = { permission: 'administerSystem', params: id } as const
const path = '/v2/admin/inventories/{id}/managed-services'
const named = id.extend({ service: ServiceName })

export const services = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/inventoryService',
    summary: "Services of the caller's customers with their usage, expiry and limit",
    permission: 'administerServices',
    query: PageQuery,
    response: page(ManagedService),
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows: ['EP-INV-39', 'RT-SERVICES-01', 'SC-SVCS-01'],
  }),
  ofInventory: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/managed-services',
    summary: 'All services with their status for this customer',
    permission: 'viewUnits',
    params: id,
    response: z.array(ManagedService),
    errors: [404],
    example: [example],
    rows: ['EP-INV-05'],
  }),
  ofInventoryForVendor: endpoint({
    ...vendor,
    method: 'GET',
    path,
    summary: 'The same for vendor staff',
    response: z.array(ManagedService),
    errors: [404],
    example: [example],
    rows: ['EP-INV-06'],
  }),
  status: endpoint({
    method: 'GET',
    path: '/v2/inventories/{current}/services_status',
    summary: 'Which of the named services are in force for this customer',
    permission: 'viewUnits',
    params: current,
    query: z.object({
      serviceName: z
        .union([z.array(ServiceName).max(100), ServiceName.transform((name) => [name])])
        .default(() => [...serviceNames])
        .describe('May be repeated; every known service when left out'),
    }),
    response: z.array(ServiceStatusAnswer),
    errors: [404],
    example: [{ serviceName: 'ingest', status: 'ENABLED' }],
    rows: ['EP-INV-07', 'EN-MSVC-13', 'GAP-SVC-01'],
  }),
  startTrial: endpoint({
    method: 'POST',
    path: '/v0/inventories/{current}/managed-services/trial',
    summary: 'Starts the one trial that a customer has of a service: 30 days, of graphics 10 hours of use',
    permission: 'administerServices',
    params: current,
    body: z.strictObject({ serviceName: z.enum(serviceNames) }),
    response: ManagedService,
    errors: [404, 409],
    example: {
      ...example,
      name: 'ingest',
      status: 'enabledTrial',
      state: 'onTrial',
      trial: true,
      trialStarted: '2026-11-21T10:00:00.000Z',
    },
    rows: ['EP-INV-08', 'CO-ADMIN-02', 'CO-ADMIN-03', 'SC-SVCS-02', 'GAP-SVC-02'],
  }),
  add: endpoint({
    ...vendor,
    method: 'POST',
    path,
    summary: 'Gives a customer a service',
    body: NamedServiceChange,
    response: ManagedService,
    errors: [404, 409],
    example,
    rows: ['EP-INV-40'],
  }),
  addNamed: endpoint({
    ...vendor,
    method: 'POST',
    path: `${path}/{service}`,
    summary: 'The same with its name in the path',
    params: named,
    body: ServiceChange,
    response: ManagedService,
    errors: [404, 409],
    example,
    rows: ['EP-INV-43'],
  }),
  change: endpoint({
    ...vendor,
    method: 'PUT',
    path,
    summary: 'Changes the given fields of a service',
    body: NamedServiceChange,
    response: ManagedService,
    errors: [404],
    example,
    rows: ['EP-INV-41'],
  }),
  changeNamed: endpoint({
    ...vendor,
    method: 'PUT',
    path: `${path}/{service}`,
    summary: 'The same with its name in the path',
    params: named,
    body: ServiceChange,
    response: ManagedService,
    errors: [404],
    example,
    rows: ['EP-INV-44'],
  }),
  remove: endpoint({
    ...vendor,
    method: 'DELETE',
    path,
    summary: 'Removes a service from a customer; a used trial is remembered',
    query: z.object({ serviceName: ServiceName }),
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['EP-INV-42'],
  }),
  removeNamed: endpoint({
    ...vendor,
    method: 'DELETE',
    path: `${path}/{service}`,
    summary: 'The same with its name in the path',
    params: named,
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['EP-INV-45'],
  }),
}
