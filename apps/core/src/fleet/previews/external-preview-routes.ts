import type { channels as endpoints } from '@backhaul/contract/api/channels'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Previews } from './previews.ts'

export function externalPreviewRoutes({
  external,
}: Previews): Handlers<Pick<typeof endpoints, 'accessibility' | 'stunTurn'>> {
  return {
    accessibility: ({ caller, params }) => external.accessibility(caller, params.group, params.id),
    stunTurn: ({ caller, query }) => external.stunTurn(caller, query.identifier, query.turnExpiration),
  }
}
