/** Remote actions of vendor staff: find a device by serial number or name, and act on it. */
import { z } from 'zod'
import { accepted, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { RemoteActionRequest, RemoteDevice } from '../nouns/remote-actions.ts'

const permission = 'actRemotely' as const
const rows = ['GAP-SCR-07', 'SC-PSG-21'] as const

const example: z.input<typeof RemoteDevice> = {
  device: 'u-lon-03',
  kind: 'unit',
  name: 'LON-3',
  serialNumber: 'LON-0003',
  type: 'Field unit',
  inventoryId: 'inv-north',
  inventoryName: 'North Broadcasting',
  swVersion: '8.5.0',
  offline: false,
  busy: false,
  accessUntil: '2026-11-21T18:00:00.000Z',
  actions: [{ name: 'reboot', refusal: null }],
}

export const remoteActions = {
  list: endpoint({
    method: 'GET',
    path: '/v2/remoteActions',
    summary:
      'Devices within reach whose name or serial number contains the text, with the actions that the caller may perform now',
    permission,
    query: z.object({
      search: z.string().max(255).default(''),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    response: page(RemoteDevice),
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows,
  }),
  act: endpoint({
    method: 'POST',
    path: '/v2/remoteActions',
    summary:
      'Performs an action on a device; contractors and partners need an active access approval of its customer',
    permission,
    // It can void the token by which core knows a device.
    closedToKeys: true,
    body: RemoteActionRequest,
    ...accepted,
    rows,
  }),
}
