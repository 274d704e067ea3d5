import { expect, test } from 'vitest'
import { english } from '../../texts/en/en.ts'
import { anything, changes, filterOf } from './audit.ts'

test('days are whole days of the clock here, the last one included, and what is empty is not requested', () => {
  expect(filterOf(anything)).toEqual({})
  expect(filterOf({ ...anything, search: ' lon ', from: '2026-11-30', until: '2026-11-30' })).toEqual({
    search: 'lon',
    from: new Date(2026, 10, 30).toISOString(),
    until: new Date(2026, 11, 1).toISOString(),
  })
})

test('every call that changes something can be searched for', () => {
  expect(changes).toContain('units.rename')
  expect(changes).not.toContain('units.one')
})

test('every change has words of its own, so that no name of the code is in the log', () => {
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = english.audit.actions
  const wordless = changes.filter((change) => {
    const [noun = '', name = ''] = change.split('.')
    return words[noun]?.[name] === undefined
  })
  expect(wordless).toEqual([])
})
