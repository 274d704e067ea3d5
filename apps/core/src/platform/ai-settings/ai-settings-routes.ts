import type { aiSettings as endpoints } from '@backhaul/contract/api/ai-settings'
import type { Handlers } from '../../doors/api/bind.ts'
import type { AiSettings } from './ai-settings.ts'

export function aiSettingsRoutes(settings: AiSettings): Handlers<typeof endpoints> {
  return {
    list: ({ query }) => settings.page(query),
    async create({ body: { secret, ...details }, note }) {
      const made = await settings.create({ secret, ...details })
      note({ objectId: made.id, details })
      return made
    },
    async change({ params, body: { secret, ...details }, note }) {
      const changed = await settings.change(params.id, {
        ...details,
        ...(secret !== undefined && { secret }),
      })
      note({ details: { ...details, ...(secret !== undefined && { isSecretNew: true }) } })
      return changed
    },
    async remove({ params }) {
      await settings.remove(params.id)
      return { done: true }
    },
  }
}
