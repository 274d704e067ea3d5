// User details: what a user follows at this moment, the relays of their browser, and their audio room.
import type { UserDetails as Details } from '@backhaul/contract/nouns/user-details'
import { everything, readsInventory, type Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Previews } from '../../fleet/previews/previews.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Users } from '../../people/users/users.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { AudioRooms } from '../../programme/audio-rooms/audio-rooms.ts'

export interface UserDetails {
  /** Throws NotFound for a user outside the caller's scope. */
  of(caller: Caller, userId: string): Promise<Details>
}

interface Needs {
  users: Users
  groups: Groups
  inventories: Inventories
  audioRooms: AudioRooms
  previews: Previews
}

const all = 1_000_000

export function createUserDetails({ users, groups, inventories, audioRooms, previews }: Needs): UserDetails {
  /** The topics that the user may follow, within the caller's scope; none for a closed account. */
  async function subscriptions(caller: Scope, userId: string) {
    const person = await users.person(userId)
    if (!person?.active) return { groupSubscriptions: [], inventorySubscriptions: [] }
    const reach = await users.scopeOf(person)
    const [known, customers] = await Promise.all([
      groups.light(caller),
      inventories.list(caller.everything ? everything : caller, { limit: all }),
    ])
    return {
      groupSubscriptions: known.map(({ uid }) => uid).filter(reach.readsGroup),
      inventorySubscriptions: customers.map(({ id }) => id).filter((id) => readsInventory(reach, id)),
    }
  }

  return {
    async of(caller, userId) {
      await users.administration.get(caller, userId)
      const present = audioRooms.connect.presenceOf(userId)
      const isShown = present !== undefined && readsInventory(caller.scope, present.inventoryId)
      return {
        userId,
        ...(await subscriptions(caller.scope, userId)),
        stunTurnInfo: { iceServers: previews.external.iceServers() },
        IFBStatus: isShown ? present.status : 'off',
        audioRoom: isShown ? await audioRooms.nameOf(present.inventoryId, present.roomId) : null,
      }
    },
  }
}
