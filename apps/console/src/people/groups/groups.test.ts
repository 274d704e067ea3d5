import { expect, test } from 'vitest'
import { chooseGroup } from './groups.ts'

const group = (uid: string, name: string) => ({ uid, name, inventoryId: 'i', inventoryName: 'I' })

test('the remembered group is entered while the user has it, else the first by name, their own before others', () => {
  const groups = [group('g2', 'Paris'), group('g1', 'London'), group('g3', 'Oslo')]
  expect(chooseGroup(groups, 'g2', ['g3'])?.uid).toBe('g2')
  expect(chooseGroup(groups, 'gone', [])?.uid).toBe('g1')
  expect(chooseGroup(groups, null, ['g2', 'g3'])?.uid).toBe('g3')
  expect(chooseGroup([], null, ['g1'])).toBeNull()
})
