import { expect, test } from 'vitest'
import { type Command, findCommands } from './palette-search.ts'

const command = (group: string, label: string, hint?: string): Command => ({
  id: label,
  group,
  label,
  ...(hint && { hint }),
  run: () => {},
})
const all = [
  command('Screens', 'Units'),
  command('Screens', 'Multiview'),
  command('Units', 'Córdoba-Van-2', 'Live'),
  command('Units', 'Van-Units-1', 'Ready'),
  command('Groups', 'Unit crews'),
]
const found = (typed: string, limit = 9) => findCommands(all, typed, limit).map(({ label }) => label)

test('every typed word must be found, in label or hint, accents and case aside', () => {
  expect(found('cordoba')).toEqual(['Córdoba-Van-2'])
  expect(found('VAN live')).toEqual(['Córdoba-Van-2'])
  expect(found('van nothing')).toEqual([])
})

test('a beginning comes before a middle, and groups are kept together', () => {
  expect(found('unit')).toEqual(['Units', 'Unit crews', 'Van-Units-1'])
  expect(found('view')).toEqual(['Multiview'])
})

test('what ends the work is never the first that a beginning finds', () => {
  const quit: Command = { ...command('Console', 'Van log out'), isLast: true }
  const labels = findCommands([quit, ...all], 'van', 9).map(({ label }) => label)
  expect(labels).toEqual(['Van-Units-1', 'Córdoba-Van-2', 'Van log out'])
  expect(findCommands([quit, ...all], 'van', 2)).not.toContain(quit)
})

test('nothing typed shows the first of all', () => {
  expect(found('', 2)).toEqual(['Units', 'Multiview'])
})
