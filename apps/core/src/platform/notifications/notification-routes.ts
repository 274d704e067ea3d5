import type { client as clientEndpoints } from '@backhaul/contract/api/client'
import type { notifications as endpoints } from '@backhaul/contract/api/notifications'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Notifications } from './notifications.ts'

/** The calls for all users who have signed in. */
export const notificationReaderRoutes = (
  notifications: Notifications,
): Handlers<Pick<typeof clientEndpoints, 'notifications'>> => ({
  notifications: ({ caller }) => notifications.current(caller.scope),
})

export function notificationRoutes(notifications: Notifications): Handlers<typeof endpoints> {
  return {
    list: ({ query }) => notifications.page(query),
    async create({ body, note }) {
      note({ details: body })
      const written = await notifications.create(body)
      note({ objectId: written.id, inventoryId: written.inventory })
      return written
    },
    async change({ params, body, note }) {
      note({ details: body })
      return await notifications.change(params.id, body)
    },
    async remove({ params }) {
      await notifications.remove(params.id)
      return { done: true }
    },
  }
}
