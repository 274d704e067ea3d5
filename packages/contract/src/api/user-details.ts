/** Present state of a user, for their administrators. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { UserDetails } from '../nouns/user-details.ts'

export const userDetails = {
  ofUser: endpoint({
    method: 'GET',
    path: '/v2/admin/users/{id}/details',
    summary: 'Subscriptions of a user, the relays of their browser, and their audio room',
    permission: 'administerPeople',
    params: z.object({ id: z.string().min(1).max(64) }),
    response: UserDetails,
    errors: [404],
    example: {
      userId: 'us-2',
      groupSubscriptions: ['gr-london'],
      inventorySubscriptions: ['inv-north'],
      stunTurnInfo: { iceServers: [{ urls: ['stun:stun.north.example:3478'] }] },
      IFBStatus: 'connected',
      audioRoom: 'Studio 1',
    },
    rows: ['EN-USER-17', 'EN-USER-19', 'EN-USER-20', 'EN-USER-21', 'EN-USER-22'],
  }),
}
