// The page gets the same code of the contract wherever the console is built.
import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { contractForBrowser } from './contract-for-browser.ts'

const repository = join(import.meta.dirname, '../../..')

test('a file of endpoints is given without the folder in which the console is built', async () => {
  const { load } = contractForBrowser() as unknown as { load(id: string): Promise<string> }
  const text = await load(join(repository, 'packages/contract/src/api/api.ts'))
  expect(text).toContain("export { allEndpoints } from './api.ts?as-written'")
  expect(text).not.toContain(repository)
})

/** The module as a page gets it that imports these names of unit-files.ts. */
async function builtWith(names: string) {
  const entry = `export { ${names} } from '${join(repository, 'packages/contract/src/nouns/unit-files.ts')}'`
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      contractForBrowser(),
      {
        name: 'entry',
        enforce: 'pre' as const,
        resolveId: (id) => (id.endsWith('page-entry') ? '\0page-entry' : null),
        load: (id) => (id === '\0page-entry' ? entry : null),
      },
    ],
    build: {
      write: false,
      minify: false,
      lib: { entry: 'page-entry', formats: ['es'] },
    },
  })
  const [chunk] = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  if (chunk?.type !== 'chunk') throw new Error('nothing was built')
  const module: unknown = await import(`data:text/javascript,${encodeURIComponent(chunk.code)}`)
  return { code: chunk.code, module }
}

test('a page with a rule gets it without the schemas of its file, and one with a schema gets both', async () => {
  const rule = await builtWith('uploadStateOf')
  const { uploadStateOf } = rule.module as { uploadStateOf: (word: string) => string | undefined }
  expect(uploadStateOf('completed')).toBe('success')
  expect(rule.code).not.toContain('ZodType')
  const schema = await builtWith('UploadState')
  const { UploadState } = schema.module as {
    UploadState: { safeParse(value: unknown): { success: boolean } }
  }
  expect([UploadState.safeParse('failed').success, UploadState.safeParse('lost').success]).toEqual([
    true,
    false,
  ])
})
