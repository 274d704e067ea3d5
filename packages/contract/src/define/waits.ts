/** The timeouts of a console for answers of core, in milliseconds (CO-ADMIN-34 to -37, GAP-PUSH-05). */
import type { AnyEndpoint } from './endpoint.ts'

export const waitsMs = {
  /** Longest wait for the answer to a call. */
  call: 20_000,
  /** Longest wait for the answer to a call that takes long. */
  longCall: 30_000,
  /** Silence on the push socket after which core is pinged. */
  ping: 12_000,
  /** Longest wait for the answer to a ping, and the interval between two checks whether a lost core is back. */
  probe: 5000,
} as const

export const answersWithinMs = ({ takesLong }: Pick<AnyEndpoint, 'takesLong'>): number =>
  takesLong ? waitsMs.longCall : waitsMs.call
