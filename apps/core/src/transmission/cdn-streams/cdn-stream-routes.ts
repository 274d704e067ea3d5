import type { cdnStreams as endpoints } from '@backhaul/contract/api/cdn-streams'
import type { Handlers } from '../../doors/api/bind.ts'
import type { CdnStreams } from './cdn-streams.ts'

export function cdnStreamRoutes(cdnStreams: CdnStreams): Handlers<typeof endpoints> {
  return {
    async start({ caller, params: { id }, body: names, note }) {
      const streams = await cdnStreams.start(caller.scope, id, names)
      note({ objectKind: 'units', objectId: id, details: { names } })
      return streams
    },
    async stop({ caller, params: { id }, note }) {
      const streams = await cdnStreams.stop(caller.scope, id)
      note({ objectKind: 'units', objectId: id })
      return streams
    },
  }
}
