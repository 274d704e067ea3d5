import type { unitFiles as endpoints } from '@backhaul/contract/api/unit-files'
import type { Handlers } from '../../doors/api/bind.ts'
import type { UnitFiles } from './unit-files.ts'

export function unitFileRoutes(files: UnitFiles): Handlers<typeof endpoints> {
  return {
    storages: ({ caller, params }) => files.storages(caller.scope, params.id),
    folder: ({ caller, params, query }) => files.folder(caller.scope, params.id, query.path),
    async upload({ caller, params, body, note }) {
      const uploads = await files.upload(caller, params.id, body.paths, body.metadata)
      note({ objectKind: 'units', objectId: params.id, details: body })
      return { uploads }
    },
    async remove({ caller, params, body, note }) {
      await files.remove(caller, params.id, body.paths)
      note({ objectKind: 'units', objectId: params.id, details: body })
      return { done: true }
    },
    async cancel({ caller, params, body, note }) {
      await files.cancel(caller, params.id, body.files)
      note({ objectKind: 'units', objectId: params.id, details: body })
      return { done: true }
    },
  }
}
