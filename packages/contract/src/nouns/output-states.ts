/** How a destination of a channel does, as its server says it. */
import { z } from 'zod'

export const OutputState = z.enum(['connecting', 'sending', 'failed'])
export type OutputState = z.infer<typeof OutputState>

/** Why a destination fails, where the server knows; else it is what the server's program said. */
export const outputTexts = {
  refused: 'Connection refused',
  unreachable: 'The destination cannot be reached',
  unknownHost: 'The name of the destination is not known',
  timedOut: 'The destination does not answer',
  denied: 'The destination does not accept the user name, password or key',
  closed: 'The destination closed the connection',
  stuck: 'The destination takes nothing',
  portTaken: 'The source port is in use',
  unsuitable: 'The address does not suit the type of stream',
  ownNetwork: 'The operator of the server allows no destinations in its own network',
  ended: 'The program that sends has ended',
} as const

export const OutputStatus = z.object({
  id: z.string().max(64).describe('Of the destination; with -2 at its end for the second address'),
  state: OutputState,
  reason: z.string().max(200).nullable().describe('Why it fails, without secrets'),
  since: z.number().describe('When the state began, by the clock of the server'),
  tries: z.number().int().min(1).describe('Starts since it last sent'),
})
export type OutputStatus = z.infer<typeof OutputStatus>
