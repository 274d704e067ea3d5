/** The databridge of a unit: its gateway and ports, start and stop. */
import { z } from 'zod'
import { accepted, Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { DatabridgeGateway, DatabridgePorts } from '../nouns/databridge.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const exampleGateway: DatabridgeGateway = { id: 's-gw-1', name: 'London gateway', address: '192.0.2.10' }

const examplePort = { protocol: 'tcp', port: 8021, host: 'ftp.studio.example', hostPort: 21 } as const

export const databridge = {
  set: endpoint({
    method: 'PUT',
    path: '/v2/units/{id}/databridge',
    summary:
      'Sets the gateway and the ports of a unit whose databridge is idle; what is not given is not changed',
    permission: 'operateUnits',
    params: id,
    body: z.strictObject({
      gateway: z.string().min(1).max(64).nullable().optional(),
      ports: DatabridgePorts.optional(),
    }),
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-USET-03', 'ER-UNIT-16'],
  }),
  start: endpoint({
    method: 'POST',
    path: '/v2/units/{id}/stream/databridge',
    summary: 'Connects the ports of the unit with the network of its gateway, over all links of the unit',
    permission: 'operateUnits',
    params: id,
    ...accepted,
    rows: ['EP-STRM-05', 'ER-UNIT-17', 'ER-UNIT-18', 'ER-UNIT-19', 'ER-UNIT-20'],
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/v2/units/{id}/stream/databridge',
    summary: 'Ends the databridge of the unit',
    permission: 'operateUnits',
    params: id,
    ...accepted,
    rows: ['EP-STRM-06'],
  }),
  selected: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/dbgateway/selected',
    summary: 'The gateway that the databridge of a unit uses, null when none is chosen, and its ports',
    permission: 'viewUnits',
    params: id,
    response: z.object({ gateway: DatabridgeGateway.nullable(), ports: DatabridgePorts }),
    errors: [404],
    example: { gateway: exampleGateway, ports: [examplePort] },
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
