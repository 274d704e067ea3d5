/** The schema of an absent part of a request: anything is accepted and dropped. */
import { z } from 'zod'

export const nothing = z.unknown().transform((): undefined => undefined)
