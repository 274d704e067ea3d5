/** API keys of the caller's customers; only users make, list or revoke them, never a key. */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { ApiKey, MadeApiKey, NewApiKey } from '../nouns/api-keys.ts'

const example: z.input<typeof ApiKey> = {
  id: 'key-1',
  name: 'Newsroom planner',
  prefix: 'bk_4fT0aZ',
  inventoryId: 'inv-north',
  role: 'luc_read',
  username: 'nora',
  createdOn: '2026-11-21T10:00:00.000Z',
  expiresOn: '2027-11-21T10:00:00.000Z',
  lastUsedOn: null,
}

export const apiKeys = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/apiKeys',
    summary: "API keys of the caller's inventories, with who made them and when they were last used",
    permission: 'administerPeople',
    closedToKeys: true,
    query: PageQuery,
    response: page(ApiKey),
    example: { items: [example], total: 1, offset: 0, limit: 50 },
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/admin/apiKeys',
    summary: 'Makes an API key with a role that the caller may give; the key itself is only shown here',
    permission: 'administerPeople',
    closedToKeys: true,
    body: NewApiKey,
    response: MadeApiKey,
    errors: [404, 409],
    example: { ...example, key: 'bk_4fT0aZ…' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/admin/apiKeys/{id}',
    summary: 'Revokes an API key immediately, also one of another user of the customer',
    permission: 'administerPeople',
    closedToKeys: true,
    params: z.object({ id: z.string().min(1).max(64) }),
    response: Done,
    errors: [404],
    example: { done: true },
  }),
}
