// The page gets the same code of the contract wherever the console is built.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractForBrowser } from './contract-for-browser.ts'

const repository = join(import.meta.dirname, '../../..')

test('a file of endpoints is given without the folder in which the console is built', async () => {
  const { load } = contractForBrowser() as unknown as { load(id: string): Promise<string> }
  const text = await load(join(repository, 'packages/contract/src/api/api.ts'))
  expect(text).toContain("export { allEndpoints } from './api.ts?as-written'")
  expect(text).not.toContain(repository)
})
