/** Vendor support access to a device: granted and revoked by customers, looked up by vendor staff. */
import { z } from 'zod'
import { PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { AccessApproval } from '../nouns/access-approvals.ts'

const example: z.input<typeof AccessApproval> = {
  id: 'aa-1',
  device: 'u-lon-03',
  deviceName: 'LON-3',
  inventoryId: 'inv-north',
  inventoryName: 'North Broadcasting',
  grantedBy: 'nora',
  start: '2026-11-21T10:00:00.000Z',
  end: '2026-11-21T18:00:00.000Z',
  state: 'active',
  usedBy: null,
  usedOn: null,
}

export const accessApprovals = {
  list: endpoint({
    method: 'GET',
    path: '/v2/accessApprovals',
    summary: 'Support access to devices within reach, or to one of them, the newest first',
    permission: 'operateUnits',
    query: PageQuery.pick({ limit: true, offset: true }).extend({
      device: z.string().min(1).max(64).optional(),
    }),
    response: page(AccessApproval),
    errors: [404],
    example: { items: [example], total: 1, offset: 0, limit: 50 },
    rows: ['GAP-SCR-08', 'ST-ACCESS-01', 'ST-ACCESS-02', 'ST-ACCESS-03'],
  }),
  grant: endpoint({
    method: 'POST',
    path: '/v2/accessApprovals',
    summary: 'Grants the vendor access to a device for eight hours',
    permission: 'grantSupportAccess',
    body: z.strictObject({ device: z.string().min(1).max(64) }),
    response: AccessApproval,
    errors: [404, 409],
    example,
    rows: ['RO-PERM-36', 'CO-ADMIN-06', 'ST-ACCESS-04', 'GAP-SCR-08'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/v2/accessApprovals/{id}',
    summary: 'Revokes the access immediately',
    permission: 'grantSupportAccess',
    params: z.object({ id: z.string().min(1).max(64) }),
    response: AccessApproval,
    errors: [404, 409],
    example: { ...example, state: 'expired', end: '2026-11-21T11:00:00.000Z' },
    rows: ['GAP-SCR-08'],
  }),
}
