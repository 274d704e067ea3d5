/**
 * The expiry of a unit's membership of a group. The rule, for core and console: when it expires, the unit leaves the
 * group, and users who only saw it through this group no longer see it; a transmitting unit remains until it has stopped.
 * The unit itself, its customer and its other groups are not affected.
 */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'

const hourMs = 60 * 60_000
const unitMs = { hour: hourMs, hours: hourMs, day: 24 * hourMs, days: 24 * hourMs } as const

/** The most hours or days that a duration may have. */
export const DURATION_AT_MOST = 999

/** A duration as text: `1 hour`, `6 hours`, `1 day`, `14 days`, `unlimited` (CO-ADMIN-05, GAP-GROUP-02). */
export const MembershipDuration = z
  .string()
  .regex(/^(unlimited|1 (hour|day)|([2-9]|[1-9][0-9]{1,2}) (hours|days))$/, {
    message: rule('membership.duration', { hours: DURATION_AT_MOST, days: DURATION_AT_MOST }),
  })
export type MembershipDuration = z.infer<typeof MembershipDuration>

/** The end of a membership that begins to count at `nowMs`, in ms since 1970; null for one without an end. */
export function membershipEndMs(duration: MembershipDuration, nowMs: number): number | null {
  const [count, unit] = duration.split(' ')
  if (count === 'unlimited') return null
  return nowMs + Number(count) * unitMs[unit as keyof typeof unitMs]
}

export const MembershipEnd = z.object({
  expiresAt: z.iso.datetime().nullable().describe('Null: the membership does not end by itself'),
})
export type MembershipEnd = z.infer<typeof MembershipEnd>
