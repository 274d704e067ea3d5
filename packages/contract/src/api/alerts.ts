/** Active alerts. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { Alert } from '../nouns/alerts.ts'

export const alerts = {
  active: endpoint({
    method: 'GET',
    path: '/v2/alerts/active',
    summary: 'Active alerts of a group, critical first',
    permission: 'viewUnits',
    query: z.object({ groupId: z.string().min(1).max(64) }),
    response: z.array(Alert),
    errors: [404],
    example: [
      {
        id: 'al-1',
        uid: 'u-lon-03',
        name: 'LU600-LON-03',
        severity: 'critical',
        type: 'battery',
        since: 1_795_000_000_000,
        value: 8,
      },
    ],
    rows: ['EP-ALERT-01'],
  }),
}
