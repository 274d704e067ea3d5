import { remoteActionRoutes } from './remote-action-routes.ts'
import { createRemoteActions } from './remote-actions.ts'

export function remoteActionsFeature(needs: Parameters<typeof createRemoteActions>[0]) {
  const remoteActions = createRemoteActions(needs)
  return { face: remoteActions, routes: { remoteActions: remoteActionRoutes(remoteActions) } }
}
