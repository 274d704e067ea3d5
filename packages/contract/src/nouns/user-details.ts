/** What holds for a user at this moment beside his account: what he is told of, and by which ways he speaks (EN-USER rows). */
import { z } from 'zod'
import { StunTurnInfo } from './previews.ts'

/**
 * 1. off: he is in no audio room;
 * 2. connecting: he was let in, and its server does not hear him yet;
 * 3. connected: he speaks and listens.
 */
export const IfbStatus = z.enum(['off', 'connecting', 'connected'])
export type IfbStatus = z.infer<typeof IfbStatus>

export const UserDetails = z.object({
  userId: z.string(),
  groupSubscriptions: z
    .array(z.string())
    .describe('Groups whose live news reach him, of those the caller knows'),
  inventorySubscriptions: z.array(z.string()).describe('Customers of whom that holds'),
  stunTurnInfo: StunTurnInfo.pick({ iceServers: true }).describe(
    'What his browser is told to use; its secrets are told to that browser alone',
  ),
  IFBStatus: IfbStatus,
  audioRoom: z.string().nullable().describe('Name of the room that he is in'),
})
export type UserDetails = z.infer<typeof UserDetails>
