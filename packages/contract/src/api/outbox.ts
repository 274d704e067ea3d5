/** E-mail and SMS of the system, for administrators: waiting, sent and refused ones. */
import { z } from 'zod'
import { Done, PageQuery } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { MailState, Outbox } from '../nouns/outbox.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const permission = 'administerPeople' as const

export const outbox = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/outbox',
    summary: "E-mail and SMS of the caller's customers, newest first; searched by recipient, subject or text",
    permission,
    query: PageQuery.pick({ limit: true, offset: true, search: true }).extend({
      state: MailState.optional(),
    }),
    response: Outbox,
    example: {
      isConnected: false,
      isSmsConnected: false,
      items: [
        {
          id: 'ma-1',
          kind: 'email' as const,
          recipient: 'crew@north.example',
          subject: 'Invitation to London-News',
          text: 'https://console.north.example/join/…',
          state: 'waiting' as const,
          tries: 0,
          fault: '',
          createdOn: '2026-11-21T03:00:00.000Z',
          sentOn: null,
        },
      ],
      total: 1,
      offset: 0,
      limit: 50,
    },
  }),
  retry: endpoint({
    method: 'POST',
    path: '/v2/admin/outbox/{id}/retry',
    summary: 'Sends an e-mail again immediately; refused for one that was sent',
    permission,
    params: id,
    response: Done,
    errors: [404, 409],
    example: { done: true },
  }),
  discard: endpoint({
    method: 'DELETE',
    path: '/v2/admin/outbox/{id}',
    summary: 'Removes an e-mail; one that still waits is then never sent',
    permission,
    params: id,
    response: Done,
    errors: [404],
    example: { done: true },
  }),
}
