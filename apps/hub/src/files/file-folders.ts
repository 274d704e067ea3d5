// Where files are on the hub's disk: one folder for each root, channel and unit.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileName, NO_UNIT, RootDirectory } from '@backhaul/contract/nouns/files'

export interface FoundFile {
  readonly rootDirectory: RootDirectory
  readonly channelId: string
  readonly unitId: string
  readonly fileName: string
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
}

/** An id as the name of a folder; ids of core are such names already. */
export const folderName = (text: string): string => text.replaceAll(/[^\w-]/g, '_').slice(0, 64) || NO_UNIT

/** All files below the roots; files that are removed during the scan are left out. */
export async function findFiles(dataFolder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const rootDirectory of RootDirectory.options) {
    const root = join(dataFolder, rootDirectory)
    for (const channelId of await namesIn(root))
      for (const unitId of await namesIn(join(root, channelId)))
        for (const fileName of await namesIn(join(root, channelId, unitId))) {
          const path = join(root, channelId, unitId, fileName)
          const facts = await stat(path).catch(() => undefined)
          if (!facts?.isFile() || !FileName.safeParse(fileName).success) continue
          const { size: sizeBytes, mtimeMs } = facts
          const modifiedMs = Math.round(mtimeMs)
          found.push({ rootDirectory, channelId, unitId, fileName, path, sizeBytes, modifiedMs })
        }
  }
  return found
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
