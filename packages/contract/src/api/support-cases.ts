/** Support cases: opened about a unit, stored, and sent to the support of the installation. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { rule } from '../define/refusals.ts'
import { CASE_TEXT_MAX, SupportCase } from '../nouns/support-cases.ts'

const example: SupportCase = {
  id: 'case-20261121-7Q2M',
  unit: 'u-lon-03',
  unitName: 'LU600-LON-03',
  description: 'Picture froze at the stadium',
  by: 'olivia',
  email: 'olivia@north.example',
  withLogs: true,
  openedAt: '2026-11-21T10:00:00.000Z',
}
const rows = ['SC-MODAL-02', 'RO-PERM-42', 'GAP-SCR-20'] as const

export const supportCases = {
  open: endpoint({
    method: 'POST',
    path: '/v2/support/cases',
    summary:
      'Opens a case about a unit that is online and idle; requires an e-mail address of the caller, and requests the logs of the unit if that is wanted',
    permission: 'operateUnits',
    body: z.strictObject({
      unit: z.string().min(1).max(64),
      description: z.string().trim().min(1, rule('field.required')).max(CASE_TEXT_MAX),
      logs: z.boolean().default(false),
    }),
    response: SupportCase,
    errors: [404, 409],
    example,
    rows,
  }),
  ofUnit: endpoint({
    method: 'GET',
    path: '/v2/units/{id}/support/cases',
    summary: 'Cases about a unit, the newest first',
    permission: 'operateUnits',
    params: z.object({ id: z.string().min(1).max(64) }),
    response: z.array(SupportCase),
    errors: [404],
    example: [example],
    rows,
  }),
}
