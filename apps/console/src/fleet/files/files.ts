// Files of the group's channels, as the files screen shows and changes them.
import { channelFiles as calls } from '@backhaul/contract/api/files'
import {
  type ChannelFile,
  downloadPath,
  FILE_PROBE_MS,
  FilePeriod,
  periodBounds,
} from '@backhaul/contract/nouns/files'
import type { FilterState } from '@backhaul/contract/nouns/preferences'
import { call, type Fault } from '../../doors/api.ts'
import { createList } from '../../kit/lists.ts'

/** Older ones are found by a period or by their name. */
export const shownAtMost = 1000

export const files = createList(
  'files',
  async (search: string, groupId: string, period: FilePeriod) => {
    const query = { groupId, search, limit: shownAtMost, ...periodBounds(period, new Date()) }
    const { items, total } = await call(calls.list, { query })
    return { items, total, asked: `${period} ${search}` }
  },
  ({ fileId }) => fileId,
)

export const removeFile = (fileId: string): Promise<Fault | undefined> =>
  files.change(() => call(calls.remove, { body: { fileId } }))

export const renameFile = (fileId: string, newFileName: string): Promise<Fault | undefined> =>
  files.change(() => call(calls.rename, { body: { fileId, newFileName } }))

export const playFile = ({ fileId, rootDirectory }: ChannelFile, channel: string): Promise<unknown> =>
  call(calls.play, { body: { fileId, broadcastingMmhId: channel, rootDirectory } })

export const publishFile = (fileId: string): Promise<Fault | undefined> =>
  files.change(() => call(calls.publish, { body: { fileId } }))

export const stopFile = ({ fileId }: ChannelFile, channel: string): Promise<unknown> =>
  call(calls.stop, { body: { fileId, broadcastingMmhId: channel } })

/** Returns whether the file can be had now (GAP-SRV-12). */
export async function probeDownload(fileId: string): Promise<boolean> {
  const signal = AbortSignal.timeout(FILE_PROBE_MS)
  return await fetch(downloadPath(fileId), { method: 'HEAD', signal }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The period that a user has chosen; anything else that was remembered is ignored. */
export const periodOf = ({ chosen }: FilterState): FilePeriod =>
  FilePeriod.safeParse(chosen.period?.[0]).data ?? 'all'
