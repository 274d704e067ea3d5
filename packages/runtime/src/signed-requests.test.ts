import { expect, it } from 'vitest'
import { isSigned, signRequest } from './signed-requests.ts'

const request = { method: 'GET', path: '/channels/one/still.jpg' }
const atMs = 1_700_000_000_000
const signature = signRequest('key', request, atMs)

it('is good for its own request, with its key, for a minute', () => {
  expect(isSigned('key', request, atMs, signature)).toBe(true)
  expect(isSigned('key', request, atMs + 60_000, signature)).toBe(true)
  expect(isSigned('key', request, atMs - 60_000, signature)).toBe(true)
})

it.each([
  ['another key', 'other', request, atMs, signature],
  ['another path', 'key', { ...request, path: '/channels/two/still.jpg' }, atMs, signature],
  ['another method', 'key', { ...request, method: 'DELETE' }, atMs, signature],
  ['a later time', 'key', request, atMs + 60_001, signature],
  ['an earlier time', 'key', request, atMs - 60_001, signature],
  ['a time that it was not made for', 'key', request, atMs, signature.replace(/^\d+/, String(atMs + 1))],
  ['no signature', 'key', request, atMs, ''],
  ['half a signature', 'key', request, atMs, signature.slice(0, -1)],
  ['the bare key', 'key', request, atMs, 'key'],
] as const)('is refused with %s', (_, key, request, nowMs, given) => {
  expect(isSigned(key, request, nowMs, given)).toBe(false)
})

it('never holds the key', () => expect(signature).not.toContain('key'))
