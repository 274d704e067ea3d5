import type { audioRooms as endpoints } from '@backhaul/contract/api/audio-rooms'
import { PageQuery } from '@backhaul/contract/define/answers'
import type { Handlers } from '../../doors/api/bind.ts'
import type { AudioRooms } from './audio-rooms.ts'

export function audioRoomRoutes(rooms: AudioRooms): Handlers<typeof endpoints> {
  return {
    list: ({ caller, params, query }) => rooms.page(caller.scope, params.id, PageQuery.parse(query)),
    count: async ({ caller, params }) => ({ count: await rooms.count(caller.scope, params.id) }),
    async create({ caller, params, body, note }) {
      note({ details: body })
      const room = await rooms.create(caller.scope, params.id, body)
      note({ objectId: room.id, inventoryId: room.inventory })
      return room
    },
    async change({ caller, params, body, note }) {
      note({ details: body })
      const room = await rooms.change(caller.scope, params.id, params.room, body)
      note({ objectId: room.id, inventoryId: room.inventory })
      return room
    },
    async remove({ caller, params, note }) {
      note({ objectId: params.room, inventoryId: params.id })
      const { name } = await rooms.remove(caller.scope, params.id, params.room)
      note({ details: { name } })
      return { done: true }
    },
    async join({ caller, params, body, note }) {
      note({ details: { echo: body.echo } })
      const room = await rooms.get(caller.scope, params.id, params.room)
      const session = await rooms.connect.join(caller, room, body)
      note({ objectId: room.id, inventoryId: room.inventory })
      return session
    },
    async leave({ caller, params, query, note }) {
      const room = await rooms.get(caller.scope, params.id, params.room)
      await rooms.connect.leave(caller, room.id, query.session)
      note({ objectId: room.id, inventoryId: room.inventory })
      return { done: true }
    },
  }
}
