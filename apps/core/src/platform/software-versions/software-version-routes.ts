import type { softwareVersions as endpoints } from '@backhaul/contract/api/software-versions'
import type { Handlers } from '../../doors/api/bind.ts'
import type { SoftwareVersions } from './software-versions.ts'

export function softwareVersionRoutes(versions: SoftwareVersions): Handlers<typeof endpoints> {
  return {
    list: ({ caller, query }) => versions.page(caller.scope, query),
    one: ({ caller, params }) => versions.get(caller.scope, params.id),
    async create({ caller, body, note }) {
      const made = await versions.create(caller.scope, body)
      note({ objectId: made.id, details: { ...body } })
      return made
    },
    async change({ caller, params, body, note }) {
      const changed = await versions.change(caller.scope, params.id, body)
      note({ details: { ...body } })
      return changed
    },
    async remove({ caller, params }) {
      await versions.remove(caller.scope, params.id)
      return { done: true }
    },
  }
}
