// The places in core's sources of the checks that the mutants lack, one each.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { repository } from '../places.ts'
import { ownFeature, type Rule } from './mutant-rules.ts'

const core = 'apps/core/src'

export interface Mutant {
  /** Path below the repository, with the line of the check. */
  place: string
  file: string
  text: string
  without: string
  tests: readonly Trial[]
}

/** A test file, or a folder of them; with `titles`, the pattern of some tests in it. */
export interface Trial {
  path: string
  titles?: string
}

/** For a route, the tests of its own call come first: the whole table of calls takes long. */
function trialsOf(path: string, before: string, tests: readonly string[]): Trial[] {
  const trials = tests.flatMap((test): Trial[] => {
    if (test !== ownFeature) return [{ path: join(core, test) }]
    const folder = join(core, dirname(path))
    return holdsTests(folder) ? [{ path: folder }] : []
  })
  const call = before.match(/^ {2,4}(?:const |async )?\w+(?=: |\()/gm)?.at(-1)
  const [first] = trials
  if (!path.endsWith('-routes.ts') || call === undefined || first?.path.endsWith('.test.ts') !== true)
    return trials
  return [{ ...first, titles: `\\.${call.trim().replace(/^\w+ /, '')}\\b` }, ...trials.slice(1), first]
}

/** True for an existing test file and for a folder that contains one. */
export const holdsTests = (path: string): boolean =>
  path.endsWith('.test.ts')
    ? existsSync(join(repository, path))
    : readdirSync(join(repository, path), { recursive: true, encoding: 'utf8' }).some((name) =>
        name.endsWith('.test.ts'),
      )

/**
 * Every place of a rule's text. Throws when there is none or when the rest is not a valid program: then the list is out
 * of date.
 */
export function placesOf({ files, text, replacement, tests }: Rule): Mutant[] {
  const sources = readdirSync(join(repository, core), { recursive: true, encoding: 'utf8' }).filter(
    (path) => files.test(path) && /(?<!\.test)\.ts$/.test(path),
  )
  const found = sources.flatMap((path) => {
    const source = readFileSync(join(repository, core, path), 'utf8')
    const parts = source.split(text)
    return parts.slice(1).map((_, at): Mutant => {
      const before = parts.slice(0, at + 1).join(text)
      const without = before + replacement + parts.slice(at + 1).join(text)
      const place = `${core}/${path}:${before.split('\n').length}`
      return {
        place,
        file: join(core, path),
        text,
        without,
        tests: trialsOf(path, before, tests),
      }
    })
  })
  if (found.length === 0) throw new Error(`No file that matches ${files} has: ${text}`)
  // An invalid program fails every test, and proves nothing.
  for (const { place, without } of found) requireValid(without, `${place} without: ${text}`)
  return found
}

function requireValid(program: string, name: string): void {
  try {
    stripTypeScriptTypes(program)
  } catch (error) {
    throw new Error(`Not a valid program: ${name}`, { cause: error })
  }
}
