import type { Files } from '@backhaul/contract/gateway/gateway'
import type { StoredFile } from '@backhaul/contract/gateway/servers'
import { NO_UNIT } from '@backhaul/contract/nouns/files'

/** All files that a server has: recordings of one channel, of no unit unless one is named. */
export const filesOf = (
  channelId: string,
  names: readonly string[],
  more: Partial<StoredFile> = {},
): Files => ({
  type: 'files',
  begins: true,
  ends: true,
  removed: [],
  files: names.map((fileName) => ({
    channelId,
    unitId: NO_UNIT,
    fileName,
    rootDirectory: 'recordings' as const,
    sizeBytes: 1000,
    modifiedMs: 1_795_000_000_000,
    isTransferring: false,
    media: null,
    ...more,
  })),
})
