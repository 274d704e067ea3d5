// The parts of the product that are built before they run, console and programs: where they are, and which have changed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { superviseChild } from '@backhaul/runtime/child-process'
import { CannotStart } from '@backhaul/runtime/settings'
import { repository } from './places.ts'
import { isRelease } from './setup.mjs'

export const programs = ['core', 'hub', 'agent', 'simulator'] as const
export type ProgramName = (typeof programs)[number]

export const parts = ['console', ...programs] as const
export type Part = (typeof parts)[number]

export const isPart = (name: string): name is Part => parts.some((part) => part === name)
export const isProgram = (name: string): name is ProgramName => programs.some((program) => program === name)

/** As deep below the root as the sources, which find files of the repository by their own place. */
export const builtFolder = (root: string, part: Part): string => join(root, 'apps', part, 'dist')

/** The script that starts a program as built. */
export const builtMain = (root: string, program: ProgramName): string =>
  join(builtFolder(root, program), 'main.js')

/** The file in a built folder with the digest of its sources. */
export const builtFrom = '.sources'
const notSources = new Set(['dist', 'node_modules', 'coverage', 'published'])

function foldersOf(root: string, part: Part): string[] {
  if (part === 'console') return ['apps/console', 'packages/contract']
  const packages = readdirSync(join(root, 'packages')).sort()
  return [`apps/${part}/src`, ...packages.map((name) => `packages/${name}`)]
}

/** Digests of the names and contents of the sources and build tools of each part, without tests and generated files. */
export function digestsOf(root: string, wanted: readonly Part[]): Map<Part, string> {
  const known = new Map<string, string>()
  const ofFolder = (folder: string): string => {
    const digest = known.get(folder) ?? digestOfFolder(root, folder)
    known.set(folder, digest)
    return digest
  }
  return new Map(
    wanted.map((part) => {
      const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
      if (part !== 'console') hash.update(readFileSync(join(root, 'scripts', 'program-build.ts')))
      for (const folder of foldersOf(root, part)) hash.update(ofFolder(folder))
      return [part, hash.digest('hex')]
    }),
  )
}

function digestOfFolder(root: string, folder: string): string {
  const hash = createHash('sha256')
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
  add(join(root, folder))
  return hash.digest('hex')
}

/** The parts that are not built from the present sources. */
export const changedParts = (root: string, wanted: readonly Part[]): Part[] =>
  [...digestsOf(root, wanted)].flatMap(([part, digest]) => {
    const stamp = join(builtFolder(root, part), builtFrom)
    return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest ? [] : [part]
  })

/**
 * Builds those of the parts that have changed, in a process of its own, since the builder takes more memory than any
 * program. `onBuild` gets their names before. Throws CannotStart with the output of the builder. A release is built already.
 */
export async function buildChanged(
  wanted: readonly Part[] = parts,
  onBuild: (changed: readonly Part[]) => void = () => {},
): Promise<void> {
  const changed = isRelease ? [] : changedParts(repository, wanted)
  if (changed.length === 0) return
  onBuild(changed)
  const output: string[] = []
  const { code } = await superviseChild({
    command: process.execPath,
    args: [join(repository, 'scripts', 'build.ts'), ...changed],
    onStdoutLine: (line) => output.push(line),
    onStderrLine: (line) => output.push(line),
  }).exited
  if (code !== 0) throw new CannotStart(output.join('\n'))
}
