/** A group's permanent registration key: its holders add devices to the group, until a new key replaces it. */
import { z } from 'zod'

const dayMs = 24 * 60 * 60_000

/** The validity of a key in milliseconds, by the schedule of its group (ST-KEY-01). */
export const keyPeriodMs = { daily: dayMs, weekly: 7 * dayMs, monthly: 30 * dayMs } as const

export const KeySchedule = z.enum(['never', 'daily', 'weekly', 'monthly'])
export type KeySchedule = z.infer<typeof KeySchedule>

/** The time at which a key made at `madeMs` expires, in ms since 1970; undefined when it never does. */
export const keyEndsMs = (schedule: KeySchedule, madeMs: number): number | undefined =>
  schedule === 'never' ? undefined : madeMs + keyPeriodMs[schedule]

export const RegistrationKey = z.object({
  key: z.string(),
  regenerate: KeySchedule,
  madeAt: z.iso.datetime(),
  endsAt: z.iso.datetime().nullable().describe('When the next key replaces it by the schedule'),
})
export type RegistrationKey = z.infer<typeof RegistrationKey>
