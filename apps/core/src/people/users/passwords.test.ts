import { verify } from '@node-rs/argon2'
import { expect, it, vi } from 'vitest'
import { createPasswords } from './passwords.ts'

vi.mock(import('@node-rs/argon2'), async (original) => {
  const library = await original()
  return { ...library, verify: vi.fn(library.verify) }
})

it('does the same work for an account that does not exist', async () => {
  const passwords = createPasswords({ memoryKib: 8, passes: 1 })
  const stored = await passwords.hash('Correct-horse-7')
  expect(await passwords.matches(stored, 'Correct-horse-7')).toBe(true)
  expect(await passwords.matches(stored, 'wrong')).toBe(false)
  expect(await passwords.matches(undefined, 'wrong')).toBe(false)
  const costs = vi
    .mocked(verify)
    .mock.calls.map(([hashed]) => String(hashed).split('$').slice(1, 4).join('$'))
  expect(costs).toEqual([costs[0], costs[0], costs[0]])
})
