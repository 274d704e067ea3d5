/** System messages of vendor staff to all users, or to the users of one inventory (EN-CNOT rows). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'

/** The console requests messages and the user's configuration at this interval (PU-TIME-05, CO-UNIT-53, CO-ADMIN-33). */
export const REFRESH_PERIOD_MS = 300_000
/** Its first request comes after a random time between these, so that many consoles do not request together (CO-UNIT-54). */
export const refreshDelayS = { least: 1, most: 300 } as const

const hourMs = 3_600_000

const fields = {
  body: z.string().trim().min(1).max(2000).describe('Plain text'),
  expiration: IsoTime.describe('Until then it is shown'),
  global: z.boolean().describe('For all users; else for those of the inventory'),
  inventory: z.string().min(1).max(64).nullable(),
  intervals: z
    .array(z.number().int().min(1).max(720))
    .max(10)
    .describe('Hours before the expiration at which it is shown again to users who have read it'),
}

/** A notification as its readers receive it. */
export const ClientNotification = z.object({
  id: z.string(),
  body: z.string(),
  expiration: z.string(),
  global: z.boolean(),
  intervals: z.array(z.number()),
  expiresWithin2Hours: z.boolean(),
  expiresWithin24Hours: z.boolean(),
})
export type ClientNotification = z.infer<typeof ClientNotification>

/** A notification as its authors receive it. */
export const WrittenNotification = ClientNotification.extend({
  inventory: z.string().nullable(),
  inventoryName: z.string().nullable(),
  createdOn: z.string(),
})
export type WrittenNotification = z.infer<typeof WrittenNotification>

export const NewNotification = z.strictObject({
  ...fields,
  global: fields.global.default(true),
  inventory: fields.inventory.default(null),
  intervals: fields.intervals.default([24, 2]),
})
export type NewNotification = z.infer<typeof NewNotification>

/** Fields that are not given keep their value. */
export const NotificationChange = z.strictObject(fields).partial()
export type NotificationChange = z.infer<typeof NotificationChange>

/** EN-CNOT-05, EN-CNOT-06. */
export function expiryFlags(
  expirationMs: number,
  nowMs: number,
): Pick<ClientNotification, 'expiresWithin2Hours' | 'expiresWithin24Hours'> {
  const leftMs = expirationMs - nowMs
  return { expiresWithin2Hours: leftMs <= 2 * hourMs, expiresWithin24Hours: leftMs <= 24 * hourMs }
}

/** The number of times that a message was due: when it was written, and at each of its intervals that has begun. */
export function occasionOf(
  { expiration, intervals }: Pick<ClientNotification, 'expiration' | 'intervals'>,
  nowMs: number,
): number {
  const expirationMs = Date.parse(expiration)
  return 1 + intervals.filter((hours) => expirationMs - hours * hourMs <= nowMs).length
}
