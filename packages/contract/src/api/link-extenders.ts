/** Link extenders of a field unit: which are paired, pairing by serial number, and removing. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { LinkExtender, NewLinkExtender } from '../nouns/link-extenders.ts'

const Id = z.string().min(1).max(64)
const id = z.object({ id: Id })
const permission = 'administerDevices' as const
const rows = ['SC-DEVS-06', 'GAP-SRV-03', 'RO-PERM-39', 'ER-TIP-06']
const response = z.array(LinkExtender)
const example: LinkExtender[] = [
  {
    serialNumber: 'LX-0042',
    state: 'connected',
    pairedAt: '2026-11-21T09:00:00.000Z',
    pairedBy: 'nora',
  },
]

export const linkExtenders = {
  ofUnit: endpoint({
    method: 'GET',
    path: '/v2/admin/units/{id}/linkextenders',
    summary: 'Link extenders paired to a field unit, and the report of the unit about each',
    permission,
    params: id,
    response,
    errors: [404],
    example,
    rows,
  }),
  pair: endpoint({
    method: 'POST',
    path: '/v2/admin/units/{id}/linkextenders',
    summary: 'Pairs a link extender by its serial number; the unit must be under SLA',
    permission,
    params: id,
    body: NewLinkExtender,
    response,
    errors: [404, 409],
    example,
    rows,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/admin/units/{id}/linkextenders/{serial}',
    summary: 'Removes a link extender from a unit, under SLA or not',
    permission,
    params: id.extend({ serial: Id }),
    response,
    errors: [404],
    example: [],
    rows,
  }),
}
