import type { reports as endpoints } from '@backhaul/contract/api/reports'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Reports } from './reports.ts'

export function reportRoutes(reports: Reports): Handlers<typeof endpoints> {
  return { usage: ({ caller, params, query }) => reports.usage(caller.scope, params.id, query) }
}
