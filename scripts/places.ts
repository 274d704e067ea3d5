import { accessSync, constants, mkdirSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder of this repository. */
export const repository = dirname(import.meta.dirname)

/** The version of the product: the root's package.json is its one place. */
export function productVersion(): string {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }
  return manifest.version
}

/** The folder for what the scripts fetch and make, which git ignores; made when it is not there. */
export function tools(root: string): string {
  const path = join(root, '.tools')
  mkdirSync(path, { recursive: true })
  return path
}

/** The largest size of the databases of a run of tests, with a margin. */
const testDatabasesBytes = 2e9

/** A folder in memory for databases that are to be quick and not to last, where the machine has one with room enough. */
export function quickFolder(): string {
  const inMemory = '/dev/shm'
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize > testDatabasesBytes ? inMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}
