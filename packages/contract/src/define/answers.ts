/** Shapes of answers and lists (GAP-API-01, GAP-API-03). */
import { z } from 'zod'

/** `{ code: 200, data }`: the answer of every JSON call. */
export const answer = <T extends z.ZodType>(data: T) => z.object({ code: z.literal(200), data })

/** One page of a list. `total` counts all items that match, not only this page. */
export const page = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    total: z.number().int(),
    offset: z.number().int(),
    limit: z.number().int(),
  })

export type Page<T> = { items: T[]; total: number; offset: number; limit: number }

/** Both paging styles of the specification; `search` is searchValue with searchKey name, `sort` is `field,dir`. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  offset: z.coerce.number().int().min(0).default(0),
  searchKey: z.string().max(64).default('name'),
  searchValue: z.string().max(255).optional(),
  sortBy: z.string().max(64).optional(),
  sortDir: z.enum(['asc', 'desc']).optional(),
  search: z.string().max(255).optional(),
  sort: z.string().max(80).optional(),
})
export type PageQuery = z.infer<typeof PageQuery>

/** The answer to a device command: it was accepted, the result comes by push (GAP-API-07). */
export const Accepted = z.object({
  accepted: z.literal(true),
  commandId: z.string().optional().describe('Follow it on the topic unit.{uid}, kind command'),
})
export type Accepted = z.infer<typeof Accepted>

/** The parts of an endpoint whose call is accepted like every command: the unit's own report confirms it. */
export const accepted = {
  response: Accepted,
  errors: [404, 409],
  example: { accepted: true, commandId: 'co-1' },
} as const

export const Done = z.object({ done: z.literal(true) })

/** An ISO 8601 time in UTC (GAP-GEN-04). */
export const IsoTime = z.iso.datetime()
