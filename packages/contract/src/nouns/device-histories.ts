/** The history of a device: when it joined a group or a customer, and when it left (GAP-SCR-12). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'

export const HistoryKind = z.enum(['group', 'inventory'])
export type HistoryKind = z.infer<typeof HistoryKind>

export const HistoryAction = z.enum(['joined', 'left'])
export type HistoryAction = z.infer<typeof HistoryAction>

export const DeviceHistory = z.object({
  id: z.string(),
  device: z.string(),
  deviceName: z.string().describe('As it was called then'),
  target: z.string().describe('Id of the group or inventory'),
  targetName: z.string().describe('As it was called then'),
  action: HistoryAction,
  by: z
    .string()
    .nullable()
    .describe('User name; null: core itself, by a registration, an expiry or a rule of a group'),
  at: IsoTime,
})
export type DeviceHistory = z.infer<typeof DeviceHistory>
