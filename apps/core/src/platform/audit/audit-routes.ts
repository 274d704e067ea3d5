import type { audit as endpoints } from '@backhaul/contract/api/audit'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Audit } from './audit.ts'

export function auditRoutes(audit: Audit): Handlers<typeof endpoints> {
  return {
    list: ({ caller, query: { limit, offset, ...filter } }) =>
      audit.list(caller.scope, filter, { limit, offset }),
    export: ({ caller, query }) => audit.export(caller.scope, query),
  }
}
