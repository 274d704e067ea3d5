import { mkdir, open, readdir, realpath, rm, stat, statfs } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Storage } from '@backhaul/contract/nouns/units'
import { Refused } from '@backhaul/device/refused'
import type { UnitFiles } from '@backhaul/device/unit-hardware'

/** The disk that holds the unit's media folder; none while the folder cannot be reached. */
export async function readStorages(folder: string): Promise<Storage[]> {
  try {
    const { bsize, blocks, bavail } = await statfs(folder)
    return [{ path: folder, totalBytes: blocks * bsize, freeBytes: bavail * bsize }]
  } catch {
    return []
  }
}

/** The files below one folder, and nothing that a link in it leads to elsewhere. */
export function filesBelow(folder: string): UnitFiles {
  async function placeOf(path: string): Promise<string> {
    const [root, place] = [
      await realpath(folder),
      await realpath(path).catch(() => {
        throw new Refused('file.missing')
      }),
    ]
    if (place !== root && !place.startsWith(`${root}${sep}`)) throw new Refused('file.missing')
    return place
  }

  return {
    async list(path) {
      await mkdir(folder, { recursive: true })
      const place = await placeOf(path)
      const found = await readdir(place, { withFileTypes: true })
      // Hidden ones are the agent's own.
      const shown = found.filter((one) => !one.name.startsWith('.') && (one.isFile() || one.isDirectory()))
      return await Promise.all(
        shown.map(async (one) => {
          const { size, mtimeMs } = await stat(join(place, one.name))
          const isFolder = one.isDirectory()
          return { name: one.name, isFolder, sizeBytes: isFolder ? 0 : size, modifiedMs: Math.round(mtimeMs) }
        }),
      )
    },
    async open(path) {
      const file = await open(await placeOf(path))
      const facts = await file.stat()
      if (!facts.isFile()) {
        await file.close()
        throw new Refused('file.onlyFilesSent')
      }
      return {
        sizeBytes: facts.size,
        modifiedMs: Math.round(facts.mtimeMs),
        async read(from, length) {
          const bytes = new Uint8Array(length)
          const { bytesRead } = await file.read(bytes, 0, length, from)
          return bytes.subarray(0, bytesRead)
        },
        close: () => file.close(),
      }
    },
    async remove(path) {
      const place = await placeOf(path)
      if (!(await stat(place)).isFile()) throw new Refused('file.onlyFilesDeleted')
      await rm(place)
    },
  }
}
