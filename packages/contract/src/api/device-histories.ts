/** Histories of devices in groups and inventories, for vendor staff. */
import { z } from 'zod'
import { page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { DeviceHistory, HistoryAction } from '../nouns/device-histories.ts'

const example: DeviceHistory = {
  id: 'hi-1',
  device: 'u-lon-03',
  deviceName: 'LU600-LON-03',
  target: 'gr-london',
  targetName: 'London-News',
  action: 'joined',
  by: 'nora',
  at: '2026-11-21T10:00:00.000Z',
}

const history = {
  method: 'GET',
  permission: 'administerSystem',
  query: z.object({
    search: z
      .string()
      .max(255)
      .default('')
      .describe('In the name of the device, the group or inventory, or the user'),
    action: HistoryAction.optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(50),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  response: page(DeviceHistory),
} as const

export const deviceHistories = {
  ofGroups: endpoint({
    ...history,
    path: '/v2/admin/settings/history_device_group',
    summary: 'When units joined and left groups, the newest first',
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows: ['RT-PSG-28', 'SC-PSG-14', 'GAP-SCR-12'],
  }),
  ofInventories: endpoint({
    ...history,
    path: '/v2/admin/settings/history_device_inventory',
    summary: 'When units and servers came to inventories and left them, the newest first',
    example: {
      items: [{ ...example, target: 'inv-north', targetName: 'North Broadcasting' }],
      total: 1,
      offset: 0,
      limit: 50,
    },
    rows: ['RT-PSG-29', 'SC-PSG-14', 'GAP-SCR-12'],
  }),
}
