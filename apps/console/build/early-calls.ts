// The script of the early calls is built by itself, so that it waits for no other file, and named in the page ahead of them.
import { join } from 'node:path'
import { languages } from '@backhaul/contract/nouns/preference-defaults'
import { build, type Plugin, type Rolldown } from 'vite'
import { contractForBrowser } from './contract-for-browser.ts'

const source = join(import.meta.dirname, '../src/app/early-calls.ts')

/** The chunks that a page waits for in addition to its own scripts: see chunks in vite.config.ts. */
type Page = 'list' | 'sign-in'

/** Scripts and styles of the chunks of a page, as addresses. */
function filesOf(page: Page, bundle: Rolldown.OutputBundle): string {
  const chunks = Object.values(bundle).filter(
    (one) => one.type === 'chunk' && one.name === page,
  ) as Rolldown.OutputChunk[]
  const styles = chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  return [...chunks.map(({ fileName }) => fileName), ...new Set(styles)].map((name) => `/${name}`).join(' ')
}

/** The files of the first words of a page in each language but English, as attributes of the script that fetches them. */
function wordsOf(page: Page, bundle: Rolldown.OutputBundle): Record<string, string> {
  const fileOf = (language: string, words: string): string => {
    const path = `/src/texts/${language}/${words}-texts.ts`
    const chunk = Object.values(bundle).find(
      (one) => one.type === 'chunk' && one.facadeModuleId?.endsWith(path) === true,
    )
    if (!chunk) throw new Error(`${path} is in no file of its own`)
    return `/${chunk.fileName}`
  }
  return Object.fromEntries(
    languages
      .filter((language) => language !== 'en')
      .map((language) => [
        `data-files-of-${page}-${language}`,
        `${fileOf(language, 'first')} ${fileOf(language, page)}`,
      ]),
  )
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
      handler: (_, { bundle = {} }) => [
        {
          tag: 'script',
          attrs: {
            type: 'module',
            // A module without it waits for the styles of the page.
            async: true,
            src: `/${script}`,
            'data-files-of-list': filesOf('list', bundle),
            'data-files-of-sign-in': filesOf('sign-in', bundle),
            ...wordsOf('list', bundle),
            ...wordsOf('sign-in', bundle),
          },
          injectTo: 'head-prepend',
        },
      ],
    },
  }
}
