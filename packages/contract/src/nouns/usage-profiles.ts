/** Usage profiles: how much a unit may use in a month, and on which day its count starts again (EN-UPROF rows). */
import { z } from 'zod'
import { NAME_MAX } from './names.ts'

export const UsageType = z.enum(['data', 'hours'])
export type UsageType = z.infer<typeof UsageType>

/** VA-SHARE-04, CO-ADMIN-46. */
export const resetDays = { first: 1, last: 31 } as const

/** A thousand terabytes: more is a typing error. */
const LIMIT_MAX = 1_000_000_000

const fields = {
  name: z.string().trim().min(1).max(NAME_MAX),
  type: UsageType,
  monthlyLimit: z.number().int().min(1).max(LIMIT_MAX).describe('MBytes for data, else hours'),
  resetDay: z
    .number()
    .int()
    .min(resetDays.first)
    .max(resetDays.last)
    .describe('The last day in months that are shorter'),
  isDefault: z.boolean().describe('Applies to units of the inventory without a profile of their own'),
  units: z.array(z.string().min(1).max(64)).max(10_000).describe('The units that have it'),
}

export const UsageProfile = z.object({ id: z.string(), inventoryId: z.string(), ...fields })
export type UsageProfile = z.infer<typeof UsageProfile>

export const NewUsageProfile = z.strictObject({
  ...fields,
  inventory: z.string().min(1).max(64),
  isDefault: fields.isDefault.default(false),
  units: fields.units.default([]),
})
export type NewUsageProfile = z.infer<typeof NewUsageProfile>

/** Fields that are not given keep their value. A unit that is named leaves its previous profile. */
export const UsageProfileChange = z.strictObject(fields).partial()
export type UsageProfileChange = z.infer<typeof UsageProfileChange>

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/**
 * The newest midnight (UTC) of a reset day that is not after `nowMs`. A month that is too short for the day has its last
 * day instead (GAP-PROF-01).
 */
export function periodStart(nowMs: number, resetDay: number): number {
  const now = new Date(nowMs)
  const year = now.getUTCFullYear()
  const inMonth = (month: number) => Date.UTC(year, month, Math.min(resetDay, daysIn(year, month)))
  const thisMonth = inMonth(now.getUTCMonth())
  return thisMonth <= nowMs ? thisMonth : inMonth(now.getUTCMonth() - 1)
}
