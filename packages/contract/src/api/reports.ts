/** Usage reports for administrators of a customer. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { UsageQuery, UsageReport } from '../nouns/reports.ts'

export const reports = {
  usage: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/reports/usage',
    summary: 'Hours, data and files of an inventory in a period, by unit, channel, user or day',
    takesLong: true,
    permission: 'administerServices',
    params: z.object({ id: z.string().min(1).max(64) }),
    query: UsageQuery,
    response: UsageReport,
    errors: [404],
    example: {
      inventory: { id: 'inv-north', name: 'North Broadcasting' },
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-12-01T00:00:00.000Z',
      countedUntil: '2026-11-21T16:00:00.000Z',
      by: 'unit',
      timeZone: 'UTC',
      items: [
        {
          id: 'u-lon-03',
          name: 'LU600-LON_03',
          streamingMs: 36_000_000,
          dataBytes: 22_500_000_000,
          videoReturnMs: 1_800_000,
          storeAndForwardFiles: 4,
          transmissions: 9,
          running: 1,
        },
      ],
      total: {
        streamingMs: 36_000_000,
        dataBytes: 22_500_000_000,
        videoReturnMs: 1_800_000,
        storeAndForwardFiles: 4,
      },
    },
    rows: ['RT-SERVICES-03', 'SC-SVCS-04', 'GAP-SVC-03'],
  }),
}
