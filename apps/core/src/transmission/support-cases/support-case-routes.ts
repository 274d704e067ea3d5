import type { supportCases as endpoints } from '@backhaul/contract/api/support-cases'
import type { Handlers } from '../../doors/api/bind.ts'
import type { SupportCases } from './support-cases.ts'

export function supportCaseRoutes(cases: SupportCases): Handlers<typeof endpoints> {
  return {
    async open({ caller, body, note }) {
      const opened = await cases.open(caller, body)
      note({ objectKind: 'units', objectId: body.unit, details: { case: opened.id, logs: body.logs } })
      return opened
    },
    ofUnit: ({ caller, params }) => cases.ofUnit(caller.scope, params.id),
  }
}
