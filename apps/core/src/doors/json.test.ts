import { expect, it } from 'vitest'
import { parseJson, TooDeep } from './json.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

it('parses what is nested up to the limit, and counts no bracket within a text', () => {
  expect(() => parseJson(nested(32))).not.toThrow()
  expect(() => parseJson(nested(33))).toThrow(TooDeep)
  expect(() => parseJson(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)).toThrow(TooDeep)
  const texts = Array.from({ length: 100 }, (_, at) => `${'[{'.repeat(at)}\\"`)
  const side = JSON.stringify(texts.map((text) => ({ [text]: [text] })))
  expect(parseJson(side)).toEqual(JSON.parse(side))
  expect(() => parseJson('{"a"')).toThrow(SyntaxError)
  expect(() => parseJson(`"${'\\'.repeat(99)}`)).toThrow(SyntaxError)
})
