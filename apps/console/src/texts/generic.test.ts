import i18next from 'i18next'
import { expect, test } from 'vitest'
import { spanish } from './es/es.ts'
import { generic, translated } from './generic.ts'

test('before the words of a language are there, a generic text is English', () => {
  expect(generic('selectAtMost', [3])).toBe('Select at most 3 items')
  expect(translated('Must be 3 or more')).toBe('Must be 3 or more')
})

test('what core answers in a generic text is read in the language of the person, with its figures', async () => {
  await i18next.init({ lng: 'es', resources: { es: { generic: spanish.generic } } })
  const said = {
    'Must be between 2 and 255 characters': 'Debe tener entre 2 y 255 caracteres',
    'Name is already taken. Please select a different name.': 'Ese nombre ya está en uso. Elija otro nombre.',
    'Feature disabled': 'Función desactivada',
    'Server is busy': 'Server is busy',
  }
  for (const [message, words] of Object.entries(said)) expect(translated(message)).toBe(words)
})
