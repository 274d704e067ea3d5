/** Present state of a user in addition to the account: their subscriptions, and their audio connection (EN-USER rows). */
import { z } from 'zod'
import { StunTurnInfo } from './previews.ts'

/**
 * 1. off: they are in no audio room;
 * 2. connecting: they were admitted, and the server does not receive their sound yet;
 * 3. connected: they speak and listen.
 */
export const IfbStatus = z.enum(['off', 'connecting', 'connected'])
export type IfbStatus = z.infer<typeof IfbStatus>

export const UserDetails = z.object({
  userId: z.string(),
  groupSubscriptions: z
    .array(z.string())
    .describe('Groups whose live data they get, as far as the caller knows them'),
  inventorySubscriptions: z.array(z.string()).describe('Customers whose live data they get'),
  stunTurnInfo: StunTurnInfo.pick({ iceServers: true }).describe(
    'The servers for their browser; the secrets are only sent to that browser',
  ),
  IFBStatus: IfbStatus,
  audioRoom: z.string().nullable().describe('Name of the room that they are in'),
})
export type UserDetails = z.infer<typeof UserDetails>
