/** What holds for a user at this moment beside the account: what they are told of, and by which ways they speak (EN-USER rows). */
import { z } from 'zod'
import { StunTurnInfo } from './previews.ts'

/**
 * 1. off: they are in no audio room;
 * 2. connecting: they were admitted, and its server does not hear them yet;
 * 3. connected: they speak and listen.
 */
export const IfbStatus = z.enum(['off', 'connecting', 'connected'])
export type IfbStatus = z.infer<typeof IfbStatus>

export const UserDetails = z.object({
  userId: z.string(),
  groupSubscriptions: z
    .array(z.string())
    .describe('Groups whose live news reach them, of those the caller knows'),
  inventorySubscriptions: z.array(z.string()).describe('Customers of whom that holds'),
  stunTurnInfo: StunTurnInfo.pick({ iceServers: true }).describe(
    'What their browser is told to use; its secrets are told to that browser alone',
  ),
  IFBStatus: IfbStatus,
  audioRoom: z.string().nullable().describe('Name of the room that they are in'),
})
export type UserDetails = z.infer<typeof UserDetails>
