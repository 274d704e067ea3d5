import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { compressFiles } from './compress-files.ts'

test('texts get both compressed forms; fonts, source maps and tiny files do not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-compress-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'assets'))
  const text = 'unit '.repeat(1000)
  for (const name of ['list.js', 'list.js.map', 'list.css', 'inter.woff2'])
    writeFileSync(join(folder, 'assets', name), text)
  writeFileSync(join(folder, 'assets', 'tiny.js'), 'start()')
  await compressFiles(folder)
  const made = readdirSync(join(folder, 'assets')).filter((name) => /\.(br|gz)$/.test(name))
  expect(made.sort()).toEqual(['list.css.br', 'list.css.gz', 'list.js.br', 'list.js.gz'])
  const read = (name: string) => readFileSync(join(folder, 'assets', name))
  expect(brotliDecompressSync(read('list.js.br')).toString()).toBe(text)
  expect(gunzipSync(read('list.css.gz')).toString()).toBe(text)
})
