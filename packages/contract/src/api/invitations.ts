/** Invitations of units into a group. */
import { z } from 'zod'
import { Done, IsoTime } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import {
  InvitationLetter,
  InvitationMessage,
  InvitationPeriod,
  SeenInvitation,
} from '../nouns/invitations.ts'

const params = z.object({ currentGroup: z.string().min(1).max(64) })
const permission = 'administerPeople' as const
const letter = {
  method: 'POST',
  permission,
  params,
  response: Done.extend({
    isConnected: z
      .boolean()
      .describe('False: they wait in the outbox, because nothing that takes them is set'),
  }),
  errors: [404] as number[],
  example: { done: true, isConnected: true },
} as const

export const invitations = {
  create: endpoint({
    method: 'POST',
    path: '/groups/{currentGroup}/invitation',
    summary: 'Makes a code, and a link that tells it, which admits one unit to the group within the period',
    permission,
    params,
    body: z.strictObject({ period: InvitationPeriod }),
    response: z.object({ code: z.string(), expiresAt: IsoTime, link: z.string() }),
    errors: [404],
    example: {
      code: 'K7QM-3XHT',
      expiresAt: '2026-11-28T10:00:00.000Z',
      link: 'https://console.north.example/join#K7QM-3XHT',
    },
    rows: ['EP-GRP-29', 'CO-ADMIN-04'],
  }),
  email: endpoint({
    ...letter,
    path: '/groups/{currentGroup}/email',
    summary: 'Sends each recipient a code of his own; the letters wait in the outbox for a mail server',
    body: InvitationLetter,
    rows: ['EP-GRP-27', 'GAP-GROUP-05'],
  }),
  sms: endpoint({
    ...letter,
    path: '/groups/{currentGroup}/sms',
    summary: 'Sends each phone number a code of its own; the messages wait in the outbox for an SMS gateway',
    body: InvitationMessage,
    rows: ['EP-GRP-28', 'GAP-GROUP-05'],
  }),
  look: endpoint({
    method: 'POST',
    path: '/v2/public/invitation',
    summary: 'What the holder of a code may know of it; in the body, so that no log keeps the code',
    permission: 'anyone',
    body: z.strictObject({ code: z.string().min(1).max(64) }),
    response: SeenInvitation,
    errors: [404, 429],
    example: { group: 'London-News', state: 'open', expiresAt: '2026-11-28T10:00:00.000Z' },
  }),
}
