import { verify } from '@node-rs/argon2'
import { expect, it, vi } from 'vitest'
import { createPasswords } from './passwords.ts'

it('does the same work for an account that does not exist', async () => {
  const compare = vi.fn(verify)
  const passwords = createPasswords({ memoryKib: 8, passes: 1 }, compare)
  const stored = await passwords.hash('Correct-horse-7')
  expect(await passwords.matches(stored, 'Correct-horse-7')).toBe(true)
  expect(await passwords.matches(stored, 'wrong')).toBe(false)
  expect(await passwords.matches(undefined, 'wrong')).toBe(false)
  const works = compare.mock.calls.map(([hashed]) => {
    const [, algorithm, version, cost, salt = '', result = ''] = String(hashed).split('$')
    return [algorithm, version, cost, salt.length, result.length]
  })
  expect(works).toEqual([works[0], works[0], works[0]])
})
