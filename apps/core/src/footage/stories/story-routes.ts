import type { stories as endpoints } from '@backhaul/contract/api/stories'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Stories } from './stories.ts'

export function storyRoutes(stories: Stories): Handlers<typeof endpoints> {
  return {
    list: ({ caller, params, query }) => stories.page(caller.scope, params.id, query),
    count: async ({ caller, params }) => ({ count: await stories.count(caller.scope, params.id) }),
    ofUnit: ({ caller, params }) => stories.ofUnit(caller.scope, params.id, params.unit),
    async create({ caller, params, body, note }) {
      const story = await stories.create(caller.scope, params.id, body)
      note({ objectId: story.storyId, inventoryId: story.inventoryId, details: body })
      return story
    },
    async change({ caller, params, body, note }) {
      const story = await stories.change(caller.scope, params.id, params.storyId, body)
      note({ objectId: story.storyId, inventoryId: story.inventoryId, details: body })
      return story
    },
    async remove({ caller, params, note }) {
      await stories.remove(caller.scope, params.id, params.storyId)
      note({ objectId: params.storyId, inventoryId: params.id })
      return { done: true }
    },
    async assign({ caller, params, note }) {
      const { id, unit, storyId } = params
      const left = await stories.assign(caller.scope, id, unit, storyId)
      note({ objectKind: 'units', objectId: unit, inventoryId: id, details: { storyId } })
      return left
    },
    async setPrompt({ caller, params, body, note }) {
      const { id, unit } = params
      await stories.setPrompt(caller.scope, id, unit, body.promptMetadata)
      note({ objectKind: 'units', objectId: unit, inventoryId: id, details: body })
      return { done: true }
    },
    async unassign({ caller, params, note }) {
      const { id, unit, storyId } = params
      const left = await stories.unassign(caller.scope, id, unit, storyId)
      note({ objectKind: 'units', objectId: unit, inventoryId: id, details: { storyId } })
      return left
    },
  }
}
