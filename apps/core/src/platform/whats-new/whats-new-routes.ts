import type { whatsNew as endpoints } from '@backhaul/contract/api/whats-new'
import type { Handlers } from '../../doors/api/bind.ts'
import type { WhatsNew } from './whats-new.ts'

export function whatsNewRoutes(whatsNew: WhatsNew): Handlers<typeof endpoints> {
  return {
    current: () => whatsNew.current(),
    list: ({ query }) => whatsNew.page(query),
    async create({ body, note }) {
      const made = await whatsNew.create(body)
      note({ objectId: made.id, details: body })
      return made
    },
    async change({ params, body, note }) {
      const changed = await whatsNew.change(params.id, body)
      note({ details: body })
      return changed
    },
    async remove({ params }) {
      await whatsNew.remove(params.id)
      return { done: true }
    },
  }
}
