import { statfs } from 'node:fs/promises'
import type { Storage } from '@backhaul/contract/nouns/units'

/** The disk that holds the unit's data folder; none while the folder cannot be reached. */
export async function readStorages(dataFolder: string): Promise<Storage[]> {
  try {
    const { bsize, blocks, bavail } = await statfs(dataFolder)
    return [{ path: dataFolder, totalBytes: blocks * bsize, freeBytes: bavail * bsize }]
  } catch {
    return []
  }
}
