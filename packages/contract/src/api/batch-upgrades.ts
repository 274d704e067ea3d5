/** Batch upgrades of vendor staff: a file is checked line by line, then run, and its report read. */
import { z } from 'zod'
import { page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { BatchUpgrade, ListedBatch } from '../nouns/batch-upgrades.ts'

const permission = 'administerSystem' as const
const params = z.object({ id: z.string().min(1).max(64) })
const rows = ['RT-PSG-34', 'SC-PSG-18', 'VA-STREAM-25', 'CO-ADMIN-11', 'GAP-SCR-10'] as const

const example: z.input<typeof BatchUpgrade> = {
  id: 'batch-1',
  by: 'root',
  createdAt: '2026-11-21T10:00:00.000Z',
  startedAt: null,
  rows: [
    {
      line: 2,
      serialNumber: 'LON-0003',
      targetVersion: '10.0.3',
      device: 'u-lon-03',
      name: 'LU600-LON-03',
      swVersion: '9.2.6',
      state: 'waits',
      reason: 'Unit is busy.',
      warnings: [],
    },
  ],
}

export const batchUpgrades = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/batchUpgrade',
    summary: 'Batches that were run, and those checked within the last day, the newest first',
    permission,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(50),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    response: page(ListedBatch),
    example: {
      items: [{ id: 'batch-1', by: 'root', createdAt: example.createdAt, startedAt: null, devices: 1 }],
      total: 1,
      offset: 0,
      limit: 50,
    },
    rows,
  }),
  check: endpoint({
    method: 'POST',
    path: '/v2/admin/batchUpgrade',
    summary:
      'Checks a CSV file with the columns serialNumber and targetVersion, a header and at most 500 devices: a verdict on each line, and nothing is upgraded',
    takesLong: true,
    permission,
    body: z.strictObject({ csv: z.string().min(1).max(200_000).describe('The text of the file') }),
    response: BatchUpgrade,
    example,
    rows,
  }),
  one: endpoint({
    method: 'GET',
    path: '/v2/admin/batchUpgrade/{id}',
    summary: 'The verdicts of a batch, or the report of its run',
    permission,
    params,
    response: BatchUpgrade,
    errors: [404],
    example,
    rows,
  }),
  run: endpoint({
    method: 'POST',
    path: '/v2/admin/batchUpgrade/{id}/run',
    summary: 'Sets the target of each device that is not refused; each is upgraded when it is idle',
    takesLong: true,
    permission,
    params,
    response: BatchUpgrade,
    errors: [404, 409],
    example: { ...example, startedAt: '2026-11-21T10:01:00.000Z' },
    rows,
  }),
}
