import type { fileTargets as endpoints } from '@backhaul/contract/api/file-targets'
import { fileKeyOf } from '@backhaul/contract/nouns/files'
import type { Handlers } from '../../doors/api/bind.ts'
import type { FileTargets } from './file-targets.ts'

export function fileTargetRoutes(targets: FileTargets): Handlers<typeof endpoints> {
  return {
    list: ({ caller, params }) => targets.ofInventory(caller.scope, params.id),
    async create({ caller, params, body, note }) {
      const target = await targets.create(caller.scope, params.id, body)
      const { secret: _, ...details } = body
      note({ objectId: target.id, inventoryId: params.id, details })
      return target
    },
    async change({ caller, params, body: { secret, ...details }, note }) {
      const change = { ...details, ...(secret !== undefined && { secret }) }
      const target = await targets.change(caller.scope, params.id, params.targetId, change)
      note({
        objectId: target.id,
        inventoryId: params.id,
        details: { name: target.name, ...details, ...(secret !== undefined && { isSecretNew: true }) },
      })
      return target
    },
    async remove({ caller, params, note }) {
      const { id, name } = await targets.remove(caller.scope, params.id, params.targetId)
      note({ objectId: id, inventoryId: params.id, details: { name } })
      return { done: true }
    },
    async check({ caller, params }) {
      await targets.check(caller.scope, params.id, params.targetId)
      return { done: true }
    },
    async send({ caller, body, note }) {
      const sending = await targets.send(caller.scope, body.fileId, body.targetId, caller.username)
      const channelId = fileKeyOf(body.fileId)?.channelId ?? ''
      const details = { fileId: body.fileId, target: sending.targetName }
      note({ objectKind: 'channels', objectId: channelId, details })
      return sending
    },
    sendings: ({ caller, query }) => targets.sendings(caller.scope, query.fileId),
    async cancel({ caller, params, note }) {
      const sending = await targets.cancel(caller.scope, params.sendingId)
      const channelId = fileKeyOf(sending.fileId)?.channelId ?? ''
      const details = { fileId: sending.fileId, target: sending.targetName }
      note({ objectKind: 'channels', objectId: channelId, details })
      return sending
    },
  }
}
