/** Many upgrades by one file of serial numbers and target versions (UPG-006, GAP-SCR-10). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { ReasonCause } from '../define/refusals.ts'
import { UpgradeWarning } from './upgrades.ts'

/** CO-ADMIN-11, VA-STREAM-25. */
export const BATCH_DEVICES_MAX = 500
/** The first line of the file. */
export const batchColumns = ['serialNumber', 'targetVersion'] as const

/**
 * Before the run, the verdict on a line: 1. ready: the device can be upgraded now; 2. waits: once it is connected and
 * idle; 3. refused: not at all. After it, the state of its upgrade, or refused; cleared and replaced: another request
 * ended it while it was pending.
 */
export const BatchRowState = z.enum([
  'ready',
  'waits',
  'refused',
  'pending',
  'upgrading',
  'succeeded',
  'failed',
  'rejected',
  'cleared',
  'replaced',
])
export type BatchRowState = z.infer<typeof BatchRowState>

/** States in which something may still happen after the run. */
export const isBatchRowOpen = (state: BatchRowState): boolean => state === 'pending' || state === 'upgrading'

export const BatchRow = z.object({
  line: z.number().int().describe('In the file; the first device is in line 2'),
  serialNumber: z.string(),
  targetVersion: z.string(),
  device: z.string().nullable(),
  name: z.string().describe('Of the device; empty where there is none of the serial number'),
  swVersion: z.string().describe('That it had before the run'),
  state: BatchRowState,
  reason: z.string().nullable().describe('Why it waits, was refused or has failed'),
  cause: ReasonCause,
  warnings: z.array(UpgradeWarning).describe('What must be known before the run; none after it'),
})
export type BatchRow = z.infer<typeof BatchRow>

export const BatchUpgrade = z.object({
  id: z.string(),
  by: z.string(),
  createdAt: IsoTime,
  startedAt: IsoTime.nullable().describe('null: it was only checked'),
  rows: z.array(BatchRow),
})
export type BatchUpgrade = z.infer<typeof BatchUpgrade>

export const ListedBatch = BatchUpgrade.omit({ rows: true }).extend({ devices: z.number().int() })
export type ListedBatch = z.infer<typeof ListedBatch>
