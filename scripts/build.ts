// `npm run build [-- console core hub agent simulator]`: builds those of the named parts, or of all, that have changed.
import { buildPart } from './build-part.ts'
import { changedParts, isPart, type Part, parts } from './parts.ts'
import { repository } from './places.ts'
import { alone } from './setup.mjs'

const named = process.argv.slice(2)
const unknown = named.filter((name) => !isPart(name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${parts.join(', ')}.`)
  process.exit(2)
}

// Another build meanwhile leaves nothing to do here.
await alone(async () => {
  const changed = changedParts(repository, named.length > 0 ? named.filter(isPart) : parts)
  const programs = changed.filter((part) => part !== 'console')
  await Promise.all([build(changed.filter((part) => part === 'console')), build(programs)])
})

/** One after another; the others are built where one fails. */
async function build(wanted: readonly Part[]): Promise<void> {
  for (const part of wanted) {
    try {
      await buildPart(repository, part)
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      process.exitCode = 1
    }
  }
}
