import { expect, test } from 'vitest'
import { languageOf, pageTexts } from './page-texts.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['es', 'es'],
  ['es-MX,es;q=0.9,en;q=0.8', 'es'],
  ['en-GB,es;q=0.9', 'en'],
  ['en;q=0.3, es;q=0.7', 'es'],
  ['de-DE, fr;q=0.9, es;q=0.1', 'es'],
  ['es;q=0, en;q=0.1', 'en'],
  ['de, fr', 'en'],
  [';;q=,es;q=x', 'es'],
] as const)('a browser with %s gets %s', (accepted, language) => {
  expect(languageOf(accepted)).toBe(language)
})

test('both languages have every text, with the same values in it', () => {
  const valuesIn = (words: object): unknown =>
    Object.entries(words).map(([name, text]) =>
      typeof text === 'string' ? [name, text !== '', text.match(/\{\w+\}/g)] : [name, valuesIn(text)],
    )
  expect(valuesIn(pageTexts.es)).toEqual(valuesIn(pageTexts.en))
})
