import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The sum of the sizes of the files below a folder; a file that is moved away meanwhile is none. */
export function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
}
