/** Writes packages/contract/published; with --check it only lists what is not current. Published codes are kept. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  brokenPromises,
  publishedGateway,
  publishedRefusals,
  publishedText,
} from '@backhaul/contract/openapi/published'
import { productVersion } from './places.ts'

const fileOf = (name: string) => new URL(`../packages/contract/published/${name}`, import.meta.url)
const textOf = (name: string) => (existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : '{}')

const broken = brokenPromises(JSON.parse(textOf('refusals.json')))
if (broken.length > 0) {
  console.error(`published codes and their parameters must be kept: ${broken.join(', ')}`)
  process.exit(1)
}
const published = {
  'openapi.json': publishedText(productVersion()),
  'gateway.json': publishedGateway(productVersion()),
  'refusals.json': publishedRefusals(),
}
for (const [name, text] of Object.entries(published)) {
  if (!process.argv.includes('--check')) writeFileSync(fileOf(name), text)
  else if (textOf(name) !== text) {
    console.error(`published/${name} is out of date: run node scripts/publish.ts`)
    process.exitCode = 1
  }
}
