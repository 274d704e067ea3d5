import { expect, test } from 'vitest'
import { firstLanguage } from './language-of-browser.ts'

test('the language chosen in this browser goes before those that the browser prefers', () => {
  expect(firstLanguage('es', ['en-GB'])).toBe('es')
})

test('the first preferred language that is available counts, regardless of its country', () => {
  expect(firstLanguage(null, ['fr-FR', 'es-MX', 'en'])).toBe('es')
})

test('where no preferred language is available the console is in English', () => {
  expect(firstLanguage('tlh', ['fr', 'de-AT'])).toBe('en')
})
