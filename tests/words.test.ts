// Expressions that this repository has left behind. Each entry was removed everywhere once; a later pass adds its own.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

interface Banned {
  words: RegExp
  /** The wording to use instead. */
  instead: string
}

const banned: readonly Banned[] = [
  { words: /\b(he|his|him|himself)\b/i, instead: 'they, their, or the name of the role' },
  { words: /\b(she|hers|herself)\b/i, instead: 'they, their, or the name of the role' },
  {
    words:
      /\bletters? (about|that (is|was) sent|with a link|from|to the)\b|\bthe letter (that|shall)\b|\bLetter\b/,
    instead: 'e-mail or message',
  },
  { words: /\bunheard\b(?! of|-of|')/i, instead: 'what happened: unhandled, unanswered' },
  { words: /\bcommand truth\b/i, instead: 'command state' },
  { words: /\bstays? for now\b/i, instead: 'what failed, and on which object' },
  { words: /\bwritten down\b/i, instead: 'stored, recorded' },
  { words: /\b(anew|once more)\b/i, instead: 'again' },
  { words: /\ball the same\b/i, instead: 'still, nevertheless' },
  { words: /\b(may|might) (not )?know of\b/i, instead: "in, or outside, the caller's scope" },
  { words: /\bwhat else\b/i, instead: 'other, further' },
  { words: /\bput off\b/i, instead: 'postponed' },
  { words: /\bbears?\b(?! =|,|\()/i, instead: 'carries, has, contains' },
  { words: /\bwhoever\b/i, instead: 'users who, callers that, or the passive' },
  {
    words: /\bnobody\b(?!['`])/i,
    instead: 'no user, cannot, only, or the passive',
  },
  {
    words: /\b(told|tell|tells|telling)\b(?! \S+ apart| apart)/i,
    instead: 'reported, sent, notified, shows',
  },
  { words: /\bwish(es)?\b/i, instead: 'request, wanted state, preference' },
  { words: /\bpretended\b/i, instead: 'simulated' },
  {
    words: /\b(shelf|shelves)\b|\w(Shelf|Book)\b|\b(link|order|token)-book\b/,
    instead: 'store, cache',
  },
  {
    words: /\bbeside\b/i,
    instead: 'next to, in addition to, together with',
  },
  {
    words: /\b(asked|asks|asking) (for|of|to|whether)\b/i,
    instead: 'requested, required, queried',
  },
  {
    words: /\b(stands|lies) (in|on|at|there|beside|for|over|within|between)\b/i,
    instead: 'is, is in',
  },
  {
    words: /\bstands? (back|before|after|as long|together|outside)\b/i,
    instead: 'is, has a lower priority, is active',
  },
  {
    words: /(?<!\.\.\.)\bstays?\b(?! =|\)|\[|\.\w)/i,
    instead: 'is kept, remains, continues',
  },
  {
    words: /\bsays? (so|why|that|whether|which|what|how|when|where)\b|\b(is|are|was|were) said\b/i,
    instead: 'states, shows, reports, contains',
  },
  {
    words:
      /\bgo(es)? on (calling|sending|without|after|where|from|over|through|meanwhile|until|when|with)\b|\b(picture|unit|session|transmissions?|files?|uploads?|page) (goes|go|went) on\b/i,
    instead: 'continues',
  },
  {
    words: /\bfor good\b/i,
    instead: 'permanently',
  },
  { words: /\bcomes? about\b/i, instead: 'happens, is made, or what failed' },
  {
    words: /\bcounts? for nothing\b/i,
    instead: 'is not counted',
  },
  {
    words: /\bso many\b(?! as)/i,
    instead: 'this many, at most',
  },
  {
    words: /\bso long\b(?! as)/i,
    instead: 'this long, at most',
  },
  {
    words: /\b(takes?|took) in\b/i,
    instead: 'receives, ingests',
  },
  {
    words: /\b(let|lets|letting) in\b/i,
    instead: 'admitted, admits',
  },
  {
    words: /\b(somebody|someone|everybody)\b/i,
    instead: 'a user, users, or the role',
  },
  {
    words: /\b(a|the) person\b(?! =)/i,
    instead: 'a user, the user',
  },
  {
    words: /\bwhatever\b/i,
    instead: 'regardless of, any',
  },
  {
    words: /\blook(s|ed) at\b/i,
    instead: 'checks, views, reads',
  },
  {
    words: /(\/\*\*|\/\/) Of (?!course)/,
    instead: 'a sentence that names the object',
  },
  {
    words: /(\/\*\*|\/\/|^ *\*) What (?!')/m,
    instead: 'a noun phrase, or a verb phrase for a function',
  },
  {
    words: /(\/\*\*|\/\/) (Which|Since when|How (long|often|many|far|much)) /,
    instead: 'the time, the number, the interval: a noun phrase',
  },
]

const repository = dirname(import.meta.dirname)
/** Other languages, what others wrote, generated files, and the places that name the words themselves. */
const notRead =
  /\/texts\/es\/|^package-lock\.json$|\/published\/|^bench\/results\/|^docs\/(glossary|benchmarks)\.md$|^tests\/words\.test\.ts$/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|tsx|jsx|mjs|css|html|json|md|service)$/.test(path) && !notRead.test(path))

const texts = files.map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }))

test.for(banned)('$words is not written any more, but $instead', ({ words }) => {
  const found = texts
    .filter(({ text }) => words.test(text))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .map((line, index) => ({ line, number: index + 1 }))
        .filter(({ line }) => words.test(line))
        .map(({ line, number }) => `${path}:${number}: ${line.trim()}`),
    )
  expect(found).toEqual([])
})
