import type { shares as endpoints } from '@backhaul/contract/api/shares'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Shares } from './shares.ts'

export function shareRoutes({ publishers, subscribers, folders }: Shares): Handlers<typeof endpoints> {
  return {
    publishers: ({ caller, query }) => publishers.page(caller.scope, query),
    publisher: ({ caller, params }) => publishers.get(caller.scope, params.id),
    async createPublisher({ caller, body, note }) {
      note({ details: body })
      const publisher = await publishers.create(caller, body)
      note({ objectId: publisher.id, inventoryId: publisher.inventoryId })
      return publisher
    },
    async changePublisher({ caller, params, body, note }) {
      note({ details: body })
      const publisher = await publishers.change(caller.scope, params.id, body)
      note({ inventoryId: publisher.inventoryId })
      return publisher
    },
    async removePublisher({ caller, params, found }) {
      await publishers.remove(caller.scope, params.id, found)
      return { done: true }
    },
    async startSession({ caller, params, body, note }) {
      note({ details: body })
      const publisher = await publishers.start(caller.scope, params.id, body.channel)
      note({ inventoryId: publisher.inventoryId })
      return publisher
    },
    async endSession({ caller, params, query, note }) {
      note({ details: query })
      const publisher = await publishers.end(caller.scope, params.id, query.channel)
      note({ inventoryId: publisher.inventoryId })
      return publisher
    },
    subscribers: ({ caller, query }) => subscribers.page(caller.scope, query),
    subscriber: ({ caller, params }) => subscribers.get(caller.scope, params.id),
    async createSubscriber({ caller, body, note }) {
      const { shareKey: _, ...details } = body
      note({ details })
      const subscriber = await subscribers.create(caller.scope, body)
      note({ objectId: subscriber.id, inventoryId: subscriber.inventoryId })
      return subscriber
    },
    async changeSubscriber({ caller, params, body, note }) {
      const { shareKey: _, ...details } = body
      note({ details })
      const subscriber = await subscribers.change(caller.scope, params.id, body)
      note({ inventoryId: subscriber.inventoryId })
      return subscriber
    },
    async removeSubscriber({ caller, params, found }) {
      await subscribers.remove(caller.scope, params.id, found)
      return { done: true }
    },
    folders: ({ caller, query }) => folders.page(caller.scope, query),
    folder: ({ caller, params }) => folders.get(caller.scope, params.id),
    async createFolder({ caller, body, note }) {
      note({ details: body })
      const folder = await folders.create(caller.scope, body)
      note({ objectId: folder.id, inventoryId: folder.inventoryId })
      return folder
    },
    async changeFolder({ caller, params, body, note }) {
      note({ details: body })
      const folder = await folders.rename(caller.scope, params.id, body.name)
      note({ inventoryId: folder.inventoryId })
      return folder
    },
    async removeFolder({ caller, params, found }) {
      await folders.remove(caller.scope, params.id, found)
      return { done: true }
    },
  }
}
