// Files that servers receive from units now, shown with their channels (EN-CHAN-40).
import { fileIdOf } from '@backhaul/contract/nouns/files'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Events } from '../../world/events.ts'

interface Needs {
  events: Events
  channels: Channels
}

export function showFileTransfers({ events, channels }: Needs): void {
  const show = channels.provide('fileTransfer')
  /** The names of the files in transfer to each channel, by channel and id. */
  const coming = new Map<string, Map<string, string>>()

  function note(channelId: string, fileId: string, name: string | undefined): void {
    const files = coming.get(channelId) ?? new Map<string, string>()
    if (name === undefined ? !files.delete(fileId) : files.get(fileId) === name) return
    if (name !== undefined) files.set(fileId, name)
    coming.set(channelId, files)
    const [first] = files.values()
    show(channelId, { fileTransfer: first === undefined ? null : { name: first, state: 'transferring' } })
  }

  function forget(serverId: string): void {
    for (const { uniqueId } of channels.ofServer(serverId)) {
      if (coming.delete(uniqueId)) show(uniqueId, { fileTransfer: null })
    }
  }

  events.on('device:files', ({ deviceId, message: { begins, files, removed } }) => {
    if (begins) forget(deviceId)
    for (const file of files) {
      // A server reports for its own channels only.
      if (channels.serverOf(file.channelId) !== deviceId) continue
      const isComing = file.rootDirectory === 'uploads' && file.isTransferring
      note(file.channelId, fileIdOf(file), isComing ? file.fileName : undefined)
    }
    for (const file of removed)
      if (channels.serverOf(file.channelId) === deviceId) note(file.channelId, fileIdOf(file), undefined)
  })
  events.on('deviceDisconnected', ({ deviceId }) => forget(deviceId))
}
