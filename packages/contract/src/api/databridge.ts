/** The databridge gateway of a unit. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { DatabridgeGateway } from '../nouns/databridge.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const exampleGateway: DatabridgeGateway = { id: 's-gw-1', name: 'London gateway', address: '192.0.2.10' }

export const databridge = {
  selected: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/dbgateway/selected',
    summary: 'The gateway that the databridge of a unit uses; null when none is chosen',
    permission: 'viewUnits',
    params: id,
    response: z.object({ gateway: DatabridgeGateway.nullable() }),
    errors: [404],
    example: { gateway: exampleGateway },
    rows: ['EP-USET-45'],
  }),
  options: endpoint({
    method: 'GET',
    path: '/v2/admin/units/{id}/dbgateway/options',
    summary: 'Gateways that can be chosen for a unit: those of its customer that the caller may know',
    permission: 'administerDevices',
    params: id,
    response: z.array(DatabridgeGateway),
    errors: [404],
    example: [exampleGateway],
    rows: ['EP-USET-47'],
  }),
  select: endpoint({
    method: 'PUT',
    path: '/v2/admin/units/{id}/dbgateway/selected',
    summary: 'Chooses the gateway of a unit whose databridge is idle; null chooses none',
    permission: 'administerDevices',
    params: id,
    body: z.strictObject({ gateway: z.string().min(1).max(64).nullable() }),
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-USET-46', 'ER-UNIT-16'],
  }),
}
