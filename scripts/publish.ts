/** Writes packages/contract/published/openapi.json; with --check it only says whether the file is current. */
import { readFileSync, writeFileSync } from 'node:fs'
import { publishedText } from '@backhaul/contract/define/published'
import { productVersion } from './places.ts'

const file = new URL('../packages/contract/published/openapi.json', import.meta.url)
const text = publishedText(productVersion())
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('published/openapi.json is out of date: run node scripts/publish.ts')
  process.exit(1)
}
