/** Invitations of units into a group. */
import { z } from 'zod'
import { Done, IsoTime } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { InvitationLetter, InvitationPeriod } from '../nouns/invitations.ts'

const params = z.object({ currentGroup: z.string().min(1).max(64) })
const permission = 'administerPeople' as const

export const invitations = {
  create: endpoint({
    method: 'POST',
    path: '/groups/{currentGroup}/invitation',
    summary: 'Makes a code that admits one unit to the group within the period',
    permission,
    params,
    body: z.strictObject({ period: InvitationPeriod }),
    response: z.object({ code: z.string(), expiresAt: IsoTime }),
    errors: [404],
    example: { code: 'K7QM-3XHT', expiresAt: '2026-11-28T10:00:00.000Z' },
    rows: ['EP-GRP-29', 'CO-ADMIN-04'],
  }),
  email: endpoint({
    method: 'POST',
    path: '/groups/{currentGroup}/email',
    summary: 'Sends each recipient a code of his own; the letters wait in the outbox for a mail server',
    permission,
    params,
    body: InvitationLetter,
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['EP-GRP-27'],
  }),
}
