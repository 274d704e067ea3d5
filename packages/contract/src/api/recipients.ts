/** Verification of the addresses that get a group's alerts. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { EmailRecipient } from '../nouns/recipients.ts'

const email = z.string().min(1).max(254)

export const recipients = {
  sendVerification: endpoint({
    method: 'POST',
    path: '/v2/groups/{id}/recipients/{email}/verification',
    summary: 'Sends an unverified recipient a new link; the previous one becomes invalid',
    permission: 'administerPeople',
    params: z.object({ id: z.string().min(1).max(64), email }),
    response: EmailRecipient.extend({
      isConnected: z
        .boolean()
        .describe('False: it waits in the outbox, because no mail server is configured'),
    }),
    errors: [404, 409, 429],
    example: {
      email: 'desk@north.example',
      verified: false,
      linkEndsAt: '2026-11-24T10:00:00.000Z',
      isConnected: true,
    },
    rows: ['GAP-GROUP-07', 'CO-ADMIN-07', 'ST-KEY-02'],
  }),
  verify: endpoint({
    method: 'GET',
    path: '/v2/public/verify/{token}',
    summary: 'Verifies the address of the link; repeating it has no effect',
    permission: 'anyone',
    params: z.object({ token: z.string().min(1).max(64) }),
    response: z.object({ email: z.string(), group: z.string().describe('Name of the group') }),
    errors: [404, 409],
    example: { email: 'desk@north.example', group: 'London-News' },
    rows: ['GAP-GROUP-07'],
  }),
}
