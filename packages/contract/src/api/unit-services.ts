/** Enabling and removing services of a unit: several by the body, one by the path (GAP-API-14). */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { UnitService, UnitServiceName, unitServiceNames } from '../nouns/unit-services.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const named = id.extend({ svc: UnitServiceName })
const path = '/v2/units/{id}/services'
const several = z.array(UnitServiceName).min(1).max(unitServiceNames.length)

const change = {
  permission: 'administerDevices',
  response: z.array(z.string()),
  errors: [404, 409] as number[],
  example: ['video', 'multiCamera', 'pro2'] as string[],
} as const

export const unitServices = {
  add: endpoint({
    ...change,
    method: 'POST',
    path,
    summary:
      'Enables services of a unit: licences from the stock of its customer, for which the caller needs the permission ODA; sla, pro2 and pro4 by vendor staff. Answers the services of the unit',
    params: id,
    body: several,
    rows: ['EP-UWRITE-02', 'GAP-SVC-04', 'CO-UNIT-33'],
  }),
  remove: endpoint({
    ...change,
    method: 'DELETE',
    path,
    summary: 'Removes services from a unit; its licences are in stock again',
    params: id,
    body: several,
    rows: ['EP-UWRITE-03', 'GAP-SVC-04', 'CO-UNIT-33'],
  }),
  one: endpoint({
    method: 'GET',
    path: `${path}/{svc}`,
    summary: 'Whether a unit has this service',
    permission: 'viewUnits',
    params: named,
    response: UnitService,
    errors: [404],
    example: { name: 'video', enabled: true },
    rows: ['EP-UWRITE-04'],
  }),
  enable: endpoint({
    ...change,
    method: 'POST',
    path: `${path}/{svc}`,
    summary: 'Enables one service of a unit',
    params: named,
    rows: ['EP-UWRITE-05', 'GAP-SVC-04'],
  }),
  disable: endpoint({
    ...change,
    method: 'DELETE',
    path: `${path}/{svc}`,
    summary: 'Removes one service from a unit',
    params: named,
    rows: ['EP-UWRITE-06', 'GAP-SVC-04'],
  }),
}
