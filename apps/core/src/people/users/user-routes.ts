import type { client } from '@backhaul/contract/api/client'
import type { users as userEndpoints } from '@backhaul/contract/api/users'
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

export function administrationRoutes(users: Users): Handlers<Omit<typeof userEndpoints, 'changePassword'>> {
  const { administration } = users
  return {
    list: ({ caller, query }) => administration.list(caller, query),
    create: async ({ caller, body, note }) => {
      const { password: _, passwordConfirmation: __, ...details } = body
      note({ details, inventoryId: body.inventories[0] ?? null })
      const user = await administration.create(caller, body)
      note({ objectId: user.id })
      return user
    },
    one: ({ caller, params }) => administration.get(caller, params.id),
    change: async ({ caller, params, body, note }) => {
      note({ details: body })
      return await administration.change(caller, params.id, body)
    },
    remove: async ({ caller, params, note }) => {
      await administration.remove(caller, params.id, ({ username }, [inventoryId = null]) =>
        note({ details: { username }, inventoryId }),
      )
      return { done: true }
    },
    setPassword: async ({ caller, params, body }) => {
      await administration.setPassword(caller, params.id, body.password)
      return { done: true }
    },
    updateOwn: async ({ caller, body, note }) => {
      note({ objectId: caller.userId, details: body })
      await administration.updateOwn(caller, body)
      return await users.details(caller.userId)
    },
  }
}
