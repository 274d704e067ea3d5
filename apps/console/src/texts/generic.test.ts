import { because } from '@backhaul/contract/define/refusals'
import i18next from 'i18next'
import { expect, test } from 'vitest'
import { refusals } from './es/first-texts.ts'
import { givenReason, reasonText } from './generic.ts'

test('before the words of a language are there, a reason is English', () => {
  expect(reasonText(because('list.atMost', { most: 3 }))).toBe('Select at most 3 items.')
  expect(reasonText('unit.busy')).toBe('Unit is busy.')
})

test('a reason is read in the language of the user, with its figures; what has no code, as it came', async () => {
  await i18next.init({ lng: 'es', resources: { es: { refusals } }, interpolation: { escapeValue: false } })
  expect(reasonText(because('text.between', { least: 2, most: 255 }))).toBe(
    'Debe tener entre 2 y 255 caracteres',
  )
  expect(reasonText('feature.disabled')).toBe('Función desactivada')
  const wire = { code: 'overlay.inUse', params: { channel: 'A & B' } }
  expect(reasonText({ message: 'The graphic is on channel A & B.', cause: wire })).toBe(
    refusals['overlay.inUse'].replace('{{channel}}', 'A & B'),
  )
  expect(reasonText({ message: 'Server is busy' })).toBe('Server is busy')
  expect(givenReason({ reason: 'The graphic is on channel A & B.', cause: wire })).toBe(
    refusals['overlay.inUse'].replace('{{channel}}', 'A & B'),
  )
  expect(givenReason({ reason: null })).toBe('')
  const newer = { code: 'unit.underWater', params: {} }
  expect(reasonText({ message: 'The unit is under water', cause: newer })).toBe('The unit is under water')
})
