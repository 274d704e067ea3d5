/** Streaming destinations of the channel that a unit transmits to: start and stop, for this transmission. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { CdnStart, CdnStream } from '../nouns/cdn-streams.ts'

const ofUnit = {
  path: '/v2/units/{id}/stream/cdn',
  permission: 'transmit',
  params: z.object({ id: z.string().min(1).max(64) }),
  response: z.array(CdnStream).describe('All destinations of the channel'),
  errors: [404, 409] as number[],
} as const

export const cdnStreams = {
  start: endpoint({
    ...ofUnit,
    method: 'POST',
    summary:
      'Starts the named destinations of the channel that the unit transmits to, until the transmission ends; those that run continue',
    body: CdnStart,
    example: [
      { name: 'Newsroom web', state: 'failed', reason: 'Connection refused.' },
      { name: 'Partner', state: 'off', reason: null },
    ] as z.input<typeof CdnStream>[],
    rows: ['EP-STRM-18'],
  }),
  stop: endpoint({
    ...ofUnit,
    method: 'DELETE',
    summary:
      'Stops all destinations of the channel that the unit transmits to; the transmission continues, and with the next one they are as before',
    example: [
      { name: 'Newsroom web', state: 'off', reason: null },
      { name: 'Partner', state: 'off', reason: null },
    ] as z.input<typeof CdnStream>[],
    rows: ['EP-STRM-17'],
  }),
}
