// Builds one part of the product into its folder.
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildConsole } from './console-build.ts'
import { builtFolder, builtFrom, digestsOf, type Part } from './parts.ts'
import { tools } from './places.ts'
import { buildProgram } from './program-build.ts'

/**
 * Builds into another folder and replaces the old one in one step, so that a core that is serving, or another build at
 * the same time, never sees half a part. Throws with the part and the reason when it cannot be built; the old one is kept.
 */
export async function buildPart(root: string, part: Part): Promise<void> {
  const digest = digestsOf(root, [part]).get(part) ?? ''
  const folder = mkdtempSync(join(tools(root), `${part}-`))
  const built = join(folder, 'dist')
  try {
    await (part === 'console' ? buildConsole(root, built) : buildProgram(root, part, built))
    writeFileSync(join(built, builtFrom), digest)
    const place = builtFolder(root, part)
    if (existsSync(place)) renameSync(place, join(folder, 'old'))
    renameSync(built, place)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${part} could not be built:\n${reason}`, { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
