import type { ingest as endpoints } from '@backhaul/contract/api/ingest'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Newsroom } from './newsroom.ts'

export function newsroomRoutes(newsroom: Newsroom): Handlers<Pick<typeof endpoints, 'testMapping'>> {
  return {
    async testMapping({ caller, params, body, note }) {
      note({ inventoryId: params.id, details: { size: body.content.length } })
      return await newsroom.testMapping(caller.scope, params.id, body.content)
    },
  }
}
