/** The timeouts of a console for answers of core, in milliseconds (CO-ADMIN-34 to -37, GAP-PUSH-05). */
import type { AnyEndpoint } from './endpoint.ts'

export const waitsMs = {
  /** For the answer to a call. */
  call: 20_000,
  /** The same for a call that takes long. */
  longCall: 30_000,
  /** For a frame on the push socket, before core is pinged. */
  ping: 12_000,
  /** For the answer to a ping; and from one look whether a lost core is there again to the next. */
  probe: 5000,
} as const

export const answersWithinMs = ({ takesLong }: Pick<AnyEndpoint, 'takesLong'>): number =>
  takesLong ? waitsMs.longCall : waitsMs.call
