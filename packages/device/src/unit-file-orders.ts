/** Orders about files on a unit: list a folder, send a file, delete files. */
import type { Folder, Order } from '@backhaul/contract/gateway/gateway'
import { ENTRIES_PER_MESSAGE, unitFileOrders } from '@backhaul/contract/gateway/units'
import { ENTRIES_AT_MOST } from '@backhaul/contract/nouns/unit-files'
import { Refused } from './refused.ts'
import type { UnitFiles } from './unit-hardware.ts'
import type { UploadSending } from './upload-sending.ts'

export interface FileOrdersNeeds {
  files: UnitFiles | undefined
  uploads: UploadSending | undefined
  send: (message: Folder) => boolean
}

/** False for an order about something else; rejects with the reason why it cannot be done. */
export async function carryOutFileOrder(needs: FileOrdersNeeds, { name, args }: Order): Promise<boolean> {
  if (name !== 'list_folder' && name !== 'upload_file' && name !== 'delete_files') return false
  const { files, uploads } = needs
  if (!files || !uploads) throw new Refused('upload.cannot')
  if (name === 'list_folder') await tellFolder(files, needs.send, unitFileOrders[name].parse(args))
  if (name === 'delete_files')
    for (const path of unitFileOrders[name].parse(args).paths) await files.remove(path)
  if (name === 'upload_file') {
    const { uploadId, path, tunnel } = unitFileOrders[name].parse(args)
    await uploads.send(uploadId, path, tunnel)
  }
  return true
}

/** Folders first, then what is newest; one more than the limit means that there are more. */
async function tellFolder(
  files: UnitFiles,
  send: FileOrdersNeeds['send'],
  { listId, path }: { listId: string; path: string },
): Promise<void> {
  const entries = [...(await files.list(path))]
    .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || b.modifiedMs - a.modifiedMs)
    .slice(0, ENTRIES_AT_MOST + 1)
  for (let at = 0; at < entries.length; at += ENTRIES_PER_MESSAGE)
    send({ type: 'folder', listId, entries: entries.slice(at, at + ENTRIES_PER_MESSAGE) })
}
