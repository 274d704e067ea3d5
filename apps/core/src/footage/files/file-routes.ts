import type { channelFiles as endpoints } from '@backhaul/contract/api/files'
import { fileKeyOf } from '@backhaul/contract/nouns/files'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Files } from './files.ts'

/** The channel of a file: the object of its changes in the audit log. */
const channelOf = (fileId: string): string => fileKeyOf(fileId)?.channelId ?? ''

export function fileRoutes(files: Files): Handlers<typeof endpoints> {
  return {
    list: ({ caller, query }) => files.ofGroup(caller.scope, query),
    async remove({ caller, body, note }) {
      await files.remove(caller.scope, body.fileId)
      note({ objectKind: 'channels', objectId: channelOf(body.fileId), details: body })
      return { done: true }
    },
    async rename({ caller, body, note }) {
      const fileId = await files.rename(caller.scope, body.fileId, body.newFileName)
      note({ objectKind: 'channels', objectId: channelOf(fileId), details: body })
      return { fileId }
    },
    async play({ caller, body, note }) {
      await files.play(caller.scope, body.fileId, body.broadcastingMmhId, body.rootDirectory)
      note({ objectKind: 'channels', objectId: body.broadcastingMmhId, details: body })
      return { done: true }
    },
    async stop({ caller, body, note }) {
      await files.stop(caller.scope, body.fileId, body.broadcastingMmhId)
      note({ objectKind: 'channels', objectId: body.broadcastingMmhId, details: body })
      return { done: true }
    },
    async publish({ caller, body, note }) {
      await files.publish(caller.scope, body.fileId)
      note({ objectKind: 'channels', objectId: channelOf(body.fileId), details: body })
      return { done: true }
    },
    chunks: ({ caller, body }) => files.chunks(caller.scope, body.fileId),
    metadata: ({ caller, query }) => files.metadata(caller.scope, `${query.channelId}/${query.filePath}`),
    downloads: ({ caller, params }) => files.ofChannel(caller.scope, params.id),
  }
}
