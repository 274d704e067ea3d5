import { expect, test } from 'vitest'
import { firstLanguage } from './language.ts'

test('the language chosen in this browser goes before those that the browser wishes', () => {
  expect(firstLanguage('es', ['en-GB'])).toBe('es')
})

test('the best wish that is spoken here counts, whatever its country', () => {
  expect(firstLanguage(null, ['fr-FR', 'es-MX', 'en'])).toBe('es')
})

test('whoever wishes nothing spoken here reads English', () => {
  expect(firstLanguage('tlh', ['fr', 'de-AT'])).toBe('en')
})
