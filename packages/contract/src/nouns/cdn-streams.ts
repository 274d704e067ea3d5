/** Streaming destinations of the channel that a unit transmits to, as the unit starts and stops them (EP-STRM-17, -18). */
import { z } from 'zod'
import { ReasonCause, rule } from '../define/refusals.ts'
import { OutputState, OutputStatus } from './output-states.ts'

/**
 * 1. off: nothing is sent, until it is started; a destination on demand begins here, and all others after a stop;
 * 2. waiting: it is started, and the server has nothing to send yet;
 * 3. connecting, sending, failed: as the server reports.
 */
export const CdnState = z.enum(['off', 'waiting', ...OutputState.options])
export type CdnState = z.infer<typeof CdnState>

export const CdnStream = z.object({
  name: z.string().describe('Of the destination'),
  state: CdnState,
  reason: z.string().nullable().describe('Why it fails'),
  cause: ReasonCause,
  kbps: OutputStatus.shape.kbps,
})
export type CdnStream = z.infer<typeof CdnStream>

export const CDN_STREAMS_MAX = 16

/** Names of destinations of the channel. */
export const CdnStart = z
  .array(z.string().trim().min(1, rule('field.required')).max(255))
  .min(1, rule('field.required'))
  .max(CDN_STREAMS_MAX, rule('list.atMost', { most: CDN_STREAMS_MAX }))

export const isOn = ({ state }: CdnStream): boolean => state !== 'off'
