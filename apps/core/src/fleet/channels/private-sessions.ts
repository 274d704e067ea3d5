// Access to a channel during a private session.

import { mayDo } from '@backhaul/contract/define/actions'
import { NotAllowed } from '@backhaul/contract/define/errors'
import { type Channel, sessionRefusal } from '@backhaul/contract/nouns/channels'
import { readsInventory } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'

type Joining = Pick<Caller, 'roles' | 'scope'>
type Joined = Pick<Channel, 'privateSession' | 'inventoryId'>

export interface PrivateSessions {
  /** Whether the caller may see the channel's picture, and send units to it (EN-CHAN-16). */
  mayJoin(caller: Joining, channel: Joined): boolean
  /** Throws NotAllowed for a caller who may not. */
  requireJoin(caller: Joining, channel: Joined): void
}

const mayJoin = ({ roles, scope }: Joining, channel: Joined): boolean => {
  const mayAdminister = mayDo(roles, 'administerDevices') && readsInventory(scope, channel.inventoryId)
  return sessionRefusal(channel, mayAdminister) === undefined
}

export const privateSessions: PrivateSessions = {
  mayJoin,
  requireJoin(caller, channel) {
    if (!mayJoin(caller, channel)) throw new NotAllowed('channel.private')
  },
}
