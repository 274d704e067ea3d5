/** Usage reports: the transmissions of an inventory in a period (GAP-SVC-03). */

import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { rule } from '../define/refusals.ts'
import { TimeZone } from './time-zones.ts'

/** The meaning of the rows of a report. */
export const UsageBy = z.enum(['unit', 'channel', 'user', 'day'])
export type UsageBy = z.infer<typeof UsageBy>

/** A year and the rest of its last month. */
export const REPORT_DAYS_MAX = 400

/** Data are kept for each quarter of an hour, so that days begin at a whole one in every time zone. */
export const USAGE_SLICE_MS = 900_000

export const UsageQuery = z
  .object({
    from: IsoTime,
    to: IsoTime.describe('The first moment that is not counted'),
    by: UsageBy.default('unit'),
    timeZone: TimeZone.default('UTC').describe('In which the days of `by=day` begin'),
  })
  .refine(({ from, to }) => Date.parse(to) > Date.parse(from), {
    path: ['to'],
    message: rule('report.periodEmpty'),
  })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= REPORT_DAYS_MAX * 86_400_000, {
    path: ['to'],
    message: rule('report.periodTooLong', { days: REPORT_DAYS_MAX }),
  })
export type UsageQuery = z.infer<typeof UsageQuery>

const figures = {
  streamingMs: z.number().int().describe('From the first picture at the server until the stop'),
  dataBytes: z
    .number()
    .int()
    .nullable()
    .describe('Sent over all links, repairs included; null when nothing was measured'),
  videoReturnMs: z.number().int().describe('From the first picture at the unit until the end of the return'),
  storeAndForwardFiles: z
    .number()
    .int()
    .describe('Files of units that arrived completely at a server; by user: their requester'),
}

export const UsageRow = z.object({
  id: z.string().nullable().describe('Of the unit, the channel, the user name, the date; null when unknown'),
  name: z.string().describe('"" when it no longer exists'),
  ...figures,
  transmissions: z.number().int().describe('Transmissions in the period, whole or in part'),
  running: z.number().int().describe('Those of them that still run'),
})
export type UsageRow = z.infer<typeof UsageRow>

/** Only the part of a transmission within the period counts; a running one counts until now. */
export const UsageReport = z.object({
  inventory: z.object({ id: z.string(), name: z.string() }),
  from: IsoTime,
  to: IsoTime,
  countedUntil: IsoTime.describe('Now, while the period is not over'),
  by: UsageBy,
  timeZone: z.string(),
  items: z.array(UsageRow),
  total: z.object(figures),
})
export type UsageReport = z.infer<typeof UsageReport>
