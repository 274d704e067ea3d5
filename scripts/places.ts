import { mkdirSync, readFileSync } from 'node:fs'
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
