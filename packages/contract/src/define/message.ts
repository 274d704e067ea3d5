/** A gateway message is one value: its type, its direction and its schema. */
import { z } from 'zod'

export type Message<T extends string = string, S extends z.ZodType = z.ZodType> = {
  readonly type: T
  readonly from: 'device' | 'core'
  readonly summary: string
  /** The whole message, `type` included. */
  readonly schema: S
}

export function message<T extends string, Shape extends z.ZodRawShape>(
  type: T,
  from: 'device' | 'core',
  summary: string,
  shape: Shape,
) {
  return {
    type,
    from,
    summary,
    schema: z.object({ type: z.literal(type), ...shape }),
  } as const satisfies Message<T>
}
