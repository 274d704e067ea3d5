/** The state of a destination of a channel, as its server reports it. */
import { z } from 'zod'
import { DeviceCause } from '../define/refusals.ts'

export const OutputState = z.enum(['connecting', 'sending', 'failed'])
export type OutputState = z.infer<typeof OutputState>

export const OutputStatus = z.object({
  id: z.string().max(64).describe('Of the destination; with -2 at its end for the second address'),
  state: OutputState,
  reason: z.string().max(200).nullable().describe('Why it fails, without secrets'),
  cause: DeviceCause.optional().describe('The code of the reason, where it has one'),
  since: z.number().describe('When the state began, by the clock of the server'),
  tries: z.number().int().min(1).describe('Attempts since it last sent'),
  kbps: z.number().int().min(0).optional().describe('Sent over the last seconds, where the server knows it'),
  readers: z.number().int().min(0).optional().describe('How many fetch it now, of one that others fetch'),
})
export type OutputStatus = z.infer<typeof OutputStatus>

/** A destination with a second address has two outputs. */
export const isOutputOf = (destinationId: string, outputId: string): boolean =>
  outputId === destinationId || outputId === `${destinationId}-2`
