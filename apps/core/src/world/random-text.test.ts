import { expect, it } from 'vitest'
import { randomText } from './random-text.ts'

it('gives texts of as many bytes as requested, each another one', () => {
  const texts = Array.from({ length: 1000 }, (_, at) => randomText(at % 2 === 0 ? 9 : 32))
  expect(new Set(texts).size).toBe(1000)
  expect(texts.map((text) => Buffer.from(text, 'base64url').length)).toEqual(
    texts.map((_, at) => (at % 2 === 0 ? 9 : 32)),
  )
})
