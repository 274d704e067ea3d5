import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MOST_EARLY_MS, ReorderBuffer } from './reorder-buffer.ts'

const payload = new Uint8Array(0)

function take(buffer: ReorderBuffer, sequence: number, nowMs: number, retransmitted = false) {
  return buffer.insert(buffer.unwrap(sequence), { mediaMs: nowMs, payload }, retransmitted, nowMs)
}

test('Any order within the window comes out whole and in order, across the wrap', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...Array(60).keys()], { minLength: 60, maxLength: 60 }), (order) => {
      const buffer = new ReorderBuffer()
      for (const step of order) {
        const sequence = (65_500 + step) & 0xffff
        const held = { mediaMs: step, payload: Uint8Array.of(step) }
        buffer.insert(buffer.unwrap(sequence), held, false, step)
      }
      const { payloads, lost } = buffer.release(() => 0, 1)
      expect(payloads.map((bytes) => bytes[0])).toEqual([...Array(60).keys()])
      expect(lost).toBe(0)
    }),
  )
})

test('Packets of more than a second are kept, also where earlier ones arrive last', () => {
  const buffer = new ReorderBuffer()
  const later = Array.from({ length: 900 }, (_, step) => 1700 + step)
  const earlier = Array.from({ length: 1700 - 400 }, (_, step) => 1699 - step)
  for (const index of [...later, ...earlier])
    expect(buffer.insert(index, { mediaMs: index, payload: Uint8Array.of(index & 0xff) }, false, 0)).not.toBe(
      'duplicate',
    )
  const { payloads, lost } = buffer.release(() => 0, 1)
  expect(payloads.map(([byte]) => byte)).toEqual(
    Array.from({ length: 2200 }, (_, step) => (400 + step) & 0xff),
  )
  expect(lost).toBe(0)
})

test('A gap is requested when every link has passed it, again after the retry time, and given up when due', () => {
  const buffer = new ReorderBuffer()
  take(buffer, 1, 0)
  take(buffer, 4, 0)
  const rules = { passed: buffer.unwrap(1), reorderMs: 50, retryMs: 100, limit: 100 }
  expect(buffer.takeRequests(rules, 20)).toEqual([])
  expect(
    buffer.takeRequests({ ...rules, passed: buffer.unwrap(4) }, 20).map((index) => index & 0xffff),
  ).toEqual([2, 3])
  expect(buffer.takeRequests(rules, 60)).toEqual([])
  expect(buffer.takeRequests(rules, 120)).toHaveLength(2)
  expect(take(buffer, 2, 130, true)).toBe('recovered')
  const dueMs = (mediaMs: number) => mediaMs + 500
  expect(buffer.release(dueMs, 500 - MOST_EARLY_MS - 1).payloads).toHaveLength(0)
  const { payloads, lost } = buffer.release(dueMs, 630)
  expect([payloads.length, lost]).toEqual([3, 1])
  expect(buffer.missingCount).toBe(0)
  expect(take(buffer, 3, 640, true)).toBe('late')
})

test('A packet leaves some milliseconds early where it is next, and where others are missing when it is due', () => {
  const buffer = new ReorderBuffer()
  for (const sequence of [1, 2, 4]) take(buffer, sequence, 0)
  const dueMs = () => 500
  expect(buffer.release(dueMs, 500 - MOST_EARLY_MS)).toMatchObject({ payloads: { length: 2 }, lost: 0 })
  expect(buffer.release(dueMs, 499)).toMatchObject({ payloads: { length: 0 }, lost: 0 })
  expect(buffer.release(dueMs, 500)).toMatchObject({ payloads: { length: 1 }, lost: 1 })
})

test('A packet that comes twice counts as duplicate', () => {
  const buffer = new ReorderBuffer()
  take(buffer, 1, 0)
  take(buffer, 2, 0)
  expect(take(buffer, 2, 0)).toBe('duplicate')
})

test('A sender that restarts at another number is followed after a silence, stray packets are not', () => {
  const buffer = new ReorderBuffer()
  for (let sequence = 1; sequence < 100; sequence++) take(buffer, sequence, sequence)
  buffer.release(() => 0, 100)
  for (let step = 0; step < 50; step++) expect(take(buffer, 40_000 + step, 200)).not.toBe('restart')
  const arrivals = Array.from({ length: 12 }, (_, step) => take(buffer, 30_000 + step, 1000))
  expect(arrivals).toContain('restart')
})
