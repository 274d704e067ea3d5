import type { client } from '@backhaul/contract/api/client'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Users } from './users.ts'

type Bound = 'currentUser' | 'contact' | 'saveContact'

export function userRoutes(users: Users): Handlers<Pick<typeof client, Bound>> {
  return {
    currentUser: ({ caller }) => users.details(caller.userId),
    contact: async ({ caller }) => (await users.details(caller.userId)).contact,
    saveContact: async ({ caller, body, note }) => {
      note({ objectKind: 'users', objectId: caller.userId, details: body })
      return await users.saveContact(caller.userId, body)
    },
  }
}
