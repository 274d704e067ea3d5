/** Groups and inventories, as far as all users may read them, and how a new machine gets into a group. */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { exampleGroup } from '../examples/groups.ts'
import { Group } from '../nouns/groups.ts'

export const groups = {
  all: endpoint({
    method: 'GET',
    path: '/groups/fetch',
    summary: 'Groups of the caller with their members',
    permission: 'viewUnits',
    response: z.array(Group),
    example: [exampleGroup],
    rows: ['EP-GRP-01'],
  }),
  inventories: endpoint({
    method: 'GET',
    path: '/inventories/',
    summary: 'Inventories of the caller by name',
    permission: 'signedIn',
    query: z.object({
      name: z.string().max(255).optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(50),
    }),
    response: z.array(z.object({ id: z.string(), name: z.string() })),
    example: [{ id: 'inv-north', name: 'North Broadcasting' }],
    rows: ['EP-INV-09'],
  }),
  pairingCode: endpoint({
    method: 'POST',
    path: '/v2/groups/{id}/pairingCode',
    summary: 'Makes a code that admits one new unit to the group within 15 minutes',
    permission: 'operateUnits',
    params: z.object({ id: z.string().min(1).max(64) }),
    response: z.object({
      code: z
        .string()
        .describe('XXXX-XXXX; goes into registrationKey, in any case, with or without the hyphen'),
      expiresAt: IsoTime,
    }),
    errors: [404],
    example: { code: 'K7QM-3XHT', expiresAt: '2026-11-21T10:15:00.000Z' },
  }),
}
