import { expect, test } from 'vitest'
import { english } from './en/en.ts'
import { spanish } from './es/es.ts'
import { type Words, withMany } from './plurals.ts'

const flat = (words: Words, path = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${key}`, value]] : flat(value, `${path}${key}.`),
  )

const ours = new Map(flat(english))
const theirs = new Map(flat(spanish))

const variables = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

test('every text is there in both languages, and only there', () => {
  expect([...theirs.keys()].sort()).toEqual([...ours.keys()].sort())
})

test('a text takes the same values in both languages', () => {
  const different = [...ours].filter(
    ([key, text]) => `${variables(text)}` !== `${variables(theirs.get(key) ?? '')}`,
  )
  expect(different).toEqual([])
})

test('no text of a sentence was left in English', () => {
  const same = [...ours].filter(([key, text]) => text.includes(' ') && theirs.get(key) === text)
  expect(same.filter(([, text]) => /[A-Za-z]{2} [A-Za-z]{2}/.test(text.replace(/\{\{\w+\}\}/g, '')))).toEqual(
    [],
  )
})

test('Spanish counts a whole million in the words of every other number', () => {
  const words = withMany({ unit_one: 'una', unit_other: 'varias', deeper: { line_other: 'líneas' } })
  expect(words).toEqual({
    unit_one: 'una',
    unit_other: 'varias',
    unit_many: 'varias',
    deeper: { line_other: 'líneas', line_many: 'líneas' },
  })
  expect(new Intl.PluralRules('es').resolvedOptions().pluralCategories.sort()).toEqual([
    'many',
    'one',
    'other',
  ])
})
