/** The log of changes, for administrators. */
import { PageQuery, page } from '../define/answers.ts'
import { CsvText } from '../define/csv.ts'
import { endpoint } from '../define/endpoint.ts'
import { AuditEntry, AuditFilter } from '../nouns/audit.ts'

const permission = 'administerPeople' as const

export const audit = {
  list: endpoint({
    method: 'GET',
    path: '/v2/admin/audit',
    summary: "Changes by users of the caller's customers and to their objects, newest first",
    permission,
    query: AuditFilter.extend(PageQuery.pick({ limit: true, offset: true }).shape),
    response: page(AuditEntry),
    example: {
      items: [
        {
          id: 'au-1',
          at: '2026-11-21T10:00:00.000Z',
          userId: 'us-1',
          username: 'olivia',
          apiKey: null,
          action: 'units.rename',
          objectKind: 'units',
          objectId: 'u-lon-03',
          objectName: 'LON-3',
          address: '192.0.2.7',
          result: 'done',
          details: { name: 'LON-3' },
        },
      ],
      total: 1,
      offset: 0,
      limit: 50,
    },
  }),
  export: endpoint({
    method: 'GET',
    path: '/v2/admin/audit/export',
    summary: 'All lines that match, as CSV, newest first',
    takesLong: true,
    permission,
    query: AuditFilter,
    response: CsvText,
    type: 'csv',
    example:
      'Time,User,Action,Kind,ID,Name,Result,Address,Details,API key\r\n2026-11-21T10:00:00.000Z,olivia,units.rename,units,u-lon-03,LON-3,done,192.0.2.7,"{""name"":""LON-3""}",\r\n',
  }),
}
