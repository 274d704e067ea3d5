/** Invitations of units into a group. */
import { z } from 'zod'
import { Done, IsoTime } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import {
  AdhocMode,
  InvitationEmail,
  InvitationMessage,
  InvitationPeriod,
  SeenInvitation,
} from '../nouns/invitations.ts'
import { KeySchedule, RegistrationKey } from '../nouns/registration-keys.ts'

const params = z.object({ currentGroup: z.string().min(1).max(64) })
const permission = 'administerPeople' as const
const invitation = {
  method: 'POST',
  permission,
  params,
  response: Done.extend({
    isConnected: z
      .boolean()
      .describe('False: they wait in the outbox, because no server for them is configured'),
  }),
  errors: [404, 409] as number[],
  example: { done: true, isConnected: true },
} as const

const adhoc = {
  path: '/groups/{currentGroup}/adhoc',
  permission,
  params,
  errors: [404] as number[],
  response: z.object({
    mode: AdhocMode,
    isConnected: z.boolean().describe('Whether a server is configured for the requested mode'),
  }),
  example: { mode: 'email', isConnected: false },
} as const
const permanent = {
  path: '/groups/{currentGroup}/permanent',
  permission,
  // A reader of it could admit devices long after the API key has expired.
  closedToKeys: true,
  params,
  errors: [404] as number[],
  response: RegistrationKey,
  example: {
    key: 'b7Jq0sVYp2Zk4mXcT1dR',
    regenerate: 'weekly',
    madeAt: '2026-11-21T10:00:00.000Z',
    endsAt: '2026-11-28T10:00:00.000Z',
  },
} as const
/** `true` makes a new key immediately, a schedule sets when the next ones follow. */
const Regenerate = z.union([z.literal(true), KeySchedule])

export const invitations = {
  adhoc: endpoint({
    ...adhoc,
    method: 'GET',
    summary: 'How the group invites, and whether that mode, or the requested one, is configured',
    query: z.object({ mode: AdhocMode.optional() }),
    rows: ['EP-GRP-23'],
  }),
  setAdhoc: endpoint({
    ...adhoc,
    method: 'PUT',
    summary: 'Sets how the group invites; off refuses every invitation. The mode may be in query or body',
    query: z.object({ mode: AdhocMode.optional() }),
    body: z.strictObject({ mode: AdhocMode }).partial().default({}),
    rows: ['EP-GRP-24', 'GAP-GROUP-01'],
  }),
  permanent: endpoint({
    ...permanent,
    method: 'GET',
    summary: "The group's registration key and its schedule; reading does not renew it",
    query: z.object({ regenerate: z.literal('false').optional() }),
    rows: ['EP-GRP-25', 'ST-KEY-01'],
  }),
  setPermanent: endpoint({
    ...permanent,
    method: 'PUT',
    summary:
      'A new registration key immediately, or another schedule. The previous key admits no device any more',
    query: z.object({ regenerate: z.enum(['true', ...KeySchedule.options]).optional() }),
    body: z.strictObject({ regenerate: Regenerate }).partial().default({}),
    rows: ['EP-GRP-26', 'GAP-GROUP-01'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/groups/{currentGroup}/invitation',
    summary: 'Makes a code, and a link to it, which admits one unit to the group within the period',
    permission,
    params,
    body: z.strictObject({ period: InvitationPeriod }),
    response: z.object({ code: z.string(), expiresAt: IsoTime, link: z.string() }),
    errors: [404, 409],
    example: {
      code: 'K7QM-3XHT',
      expiresAt: '2026-11-28T10:00:00.000Z',
      link: 'https://console.north.example/join#K7QM-3XHT',
    },
    rows: ['EP-GRP-29', 'CO-ADMIN-04'],
  }),
  email: endpoint({
    ...invitation,
    path: '/groups/{currentGroup}/email',
    summary: 'Sends each recipient a code of their own; the e-mails wait in the outbox for a mail server',
    body: InvitationEmail,
    rows: ['EP-GRP-27', 'GAP-GROUP-05'],
  }),
  sms: endpoint({
    ...invitation,
    path: '/groups/{currentGroup}/sms',
    summary: 'Sends each phone number a code of its own; the messages wait in the outbox for an SMS gateway',
    body: InvitationMessage,
    rows: ['EP-GRP-28', 'GAP-GROUP-05'],
  }),
  removeUnit: endpoint({
    method: 'DELETE',
    path: '/groups/{group}/adhoc/units/{id}',
    summary:
      'Removes an ad hoc smart unit from the group, unless it is busy. Where it is in no other group, its machine is unknown from then on',
    permission,
    params: z.object({ group: z.string().min(1).max(64), id: z.string().min(1).max(64) }),
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-UWRITE-07'],
  }),
  look: endpoint({
    method: 'POST',
    path: '/v2/public/invitation',
    summary: 'Information for the holder of a code; in the body, so that the code is not logged',
    permission: 'anyone',
    body: z.strictObject({ code: z.string().min(1).max(64) }),
    response: SeenInvitation,
    errors: [404, 429],
    example: { group: 'London-News', state: 'open', expiresAt: '2026-11-28T10:00:00.000Z' },
  }),
}
