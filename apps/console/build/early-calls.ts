// The script of the early calls is built by itself, so that it waits for no other file, and named in the page ahead of them.
import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { contractForBrowser } from './contract-for-browser.ts'

const source = join(import.meta.dirname, '../src/app/early-calls.ts')

/** Entries of the first screen after the sign-in in addition to the page's own; the chunk of the list comes with them. */
const entered = ['app/signed-in.ts', 'fleet/units/UnitsPage.tsx', 'texts/en/list-texts.ts']

const isBehind = ({ name, facadeModuleId }: Rolldown.OutputChunk): boolean =>
  name === 'list' || entered.some((path) => facadeModuleId?.endsWith(`/src/${path}`))

const filesBehind = (bundle: Rolldown.OutputBundle): string[] => {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const styles = chunks.filter(isBehind).flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  return [...chunks.filter(isBehind).map(({ fileName }) => fileName), ...new Set(styles)]
}

export function earlyCalls(): Plugin {
  let script = ''
  return {
    name: 'early-calls',
    apply: 'build',
    async generateBundle() {
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        plugins: [contractForBrowser()],
        build: { write: false, target: 'es2022', rolldownOptions: { input: source } },
      })
      const [chunk] = 'output' in built ? built.output : []
      if (chunk?.type !== 'chunk') throw new Error('the early calls were not built')
      script = this.getFileName(this.emitFile({ type: 'asset', name: 'early-calls.js', source: chunk.code }))
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) => [
        {
          tag: 'script',
          attrs: {
            type: 'module',
            // A module without it waits for the styles of the page.
            async: true,
            src: `/${script}`,
            'data-behind': filesBehind(bundle ?? {})
              .map((name) => `/${name}`)
              .join(' '),
          },
          injectTo: 'head-prepend',
        },
      ],
    },
  }
}
