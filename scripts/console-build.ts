// Builds the console for core to serve, only when its sources have changed since the last build.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { superviseChild } from '@backhaul/runtime/child-process'
import { compressFiles } from './compress-files.ts'
import { tools } from './places.ts'

/** The file in the built folder with the digest of its sources. */
export const builtFrom = '.sources'
const notSources = new Set(['dist', 'node_modules', 'coverage'])

/** Digest of names and contents of everything the console is made of, without tests and generated files. */
export const digestSources = (root: string): string => digestOf(root, ['apps/console', 'packages/contract'])

export function digestOf(root: string, folders: readonly string[]): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  const add = (path: string): void => {
    const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const inside = join(path, entry.name)
      if (entry.isDirectory() && !notSources.has(entry.name)) add(inside)
      if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) {
        hash.update(relative(root, inside)).update(readFileSync(inside))
      }
    }
  }
  for (const folder of folders) add(join(root, folder))
  return hash.digest('hex')
}

/** Whether `apps/console/dist` below the root matches the sources. */
export function isConsoleCurrent(root: string): boolean {
  const stamp = join(root, 'apps', 'console', 'dist', builtFrom)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digestSources(root)
}

/**
 * Builds into another folder and replaces the old one in one step, so that a core that is serving, or another build at
 * the same time, never sees half a console. Throws with the output of the builder when it fails.
 */
export async function buildConsole(root: string): Promise<void> {
  const digest = digestSources(root)
  const folder = mkdtempSync(join(tools(root), 'console-'))
  const built = join(folder, 'dist')
  try {
    const output: string[] = []
    const { code } = await superviseChild({
      command: process.execPath,
      args: [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', built, '--logLevel', 'warn'],
      cwd: join(root, 'apps', 'console'),
      onStdoutLine: (line) => output.push(line),
      onStderrLine: (line) => output.push(line),
    }).exited
    if (code !== 0) throw new Error(`The console could not be built:\n${output.join('\n')}`)
    await compressFiles(built)
    writeFileSync(join(built, builtFrom), digest)
    const place = join(root, 'apps', 'console', 'dist')
    if (existsSync(place)) renameSync(place, join(folder, 'old'))
    renameSync(built, place)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
