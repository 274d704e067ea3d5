import { refusals } from '@backhaul/contract/define/refusals/all'
import { wordingFault } from '@backhaul/contract/define/refusals/wording'
import { expect, test } from 'vitest'
import { refusals as spanish } from './es/first-texts.ts'

const places = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()
const codes = Object.keys(refusals) as (keyof typeof refusals)[]

test('every reason has its Spanish words, and none is left from before', () => {
  expect(Object.keys(spanish).sort()).toEqual([...codes].sort())
})

test('a Spanish reason takes the parameters of the English one', () => {
  const other = codes.filter((code) => `${places(refusals[code])}` !== `${places(spanish[code])}`)
  expect(other).toEqual([])
})

test('no reason was left in English', () => {
  const ownWords = (text: string) => /\p{L}{2}/u.test(text.replace(/\{\{\w+\}\}/g, ''))
  expect(codes.filter((code) => ownWords(refusals[code]) && refusals[code] === spanish[code])).toEqual([])
})

test('a Spanish reason is worded by the rule of the English ones', () => {
  expect(codes.flatMap((code) => wordingFault(code, spanish[code]) ?? [])).toEqual([])
  expect(wordingFault('unit.busy', 'la unidad está ocupada')).toBe('unit.busy: must begin with a capital')
})
