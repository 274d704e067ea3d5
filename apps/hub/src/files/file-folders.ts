// The folders of files on the hub's disk: one folder for each root, channel and unit.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileName, NO_UNIT, RootDirectory } from '@backhaul/contract/nouns/files'
import { documentName, MetadataFormat } from '@backhaul/contract/nouns/metadata-formats'

export interface FoundFile {
  readonly rootDirectory: RootDirectory
  readonly channelId: string
  readonly unitId: string
  readonly fileName: string
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** The format of the document next to it. */
  readonly document?: MetadataFormat | null | undefined
}

/** An id as the name of a folder; ids of core are such names already. */
export const folderName = (text: string): string => text.replaceAll(/[^\w-]/g, '_').slice(0, 64) || NO_UNIT

/** All files below the roots, without documents about others of them; files that are removed during the scan are left out. */
export async function findFiles(dataFolder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const rootDirectory of RootDirectory.options) {
    const root = join(dataFolder, rootDirectory)
    for (const channelId of await namesIn(root))
      for (const unitId of await namesIn(join(root, channelId))) {
        const names = await namesIn(join(root, channelId, unitId))
        const documents = documentsIn(names)
        for (const fileName of names) {
          const path = join(root, channelId, unitId, fileName)
          const facts = await stat(path).catch(() => undefined)
          if (!facts?.isFile() || documents.about.has(fileName) || !FileName.safeParse(fileName).success)
            continue
          const { size: sizeBytes, mtimeMs } = facts
          const modifiedMs = Math.round(mtimeMs)
          const document = documents.of.get(fileName) ?? null
          found.push({ rootDirectory, channelId, unitId, fileName, path, sizeBytes, modifiedMs, document })
        }
      }
  }
  return found
}

/** The names that are documents about another one, and the format of the document of each file that has one. */
function documentsIn(names: readonly string[]) {
  const all = new Set(names)
  const [about, of] = [new Set<string>(), new Map<string, MetadataFormat>()]
  for (const name of names)
    for (const format of MetadataFormat.options) {
      const document = documentName(name, format)
      if (!all.has(document)) continue
      about.add(document)
      of.set(name, format)
    }
  return { about, of }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
