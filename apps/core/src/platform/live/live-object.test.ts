import { channelTopic } from '@backhaul/contract/push/channels'
import { describe, expect, it } from 'vitest'
import { fieldTable, LiveObject } from './live-object.ts'
import { same } from './same.ts'

interface Message {
  kind: string
  from: number
  seq: number
  data: Record<string, unknown>
}

const table = fieldTable(channelTopic)

function channel() {
  const changes: unknown[] = []
  const object = new LiveObject({
    topic: 'channel.c',
    uid: 'c',
    table,
    initial: { status: 'idle', name: 'One', allocatedTo: null as string | null, levels: [] as object[] },
    nowMs: () => 5,
    onChange: (one) => changes.push(one),
    readableBy: () => true,
  })
  const since = (from: number) => JSON.parse(`[${object.messagesSince(from)}]`) as Message[]
  return { object, changes, since }
}

describe('a live object', () => {
  it('sends a new reader everything, by kinds, from 0', () => {
    const { since } = channel()
    const messages = since(0)
    expect(messages.map(({ kind }) => kind).sort()).toEqual([
      'channelAllocation',
      'channelConfig',
      'channelStatus',
      'multipoint',
    ])
    expect(messages.every(({ from, seq }) => from === 0 && seq === 1)).toBe(true)
    expect(Object.assign({}, ...messages.map(({ data }) => data))).toEqual({
      status: 'idle',
      name: 'One',
      allocatedTo: null,
      levels: [],
    })
  })

  it('counts only real changes, and signals once until they are delivered', () => {
    const { object, changes, since } = channel()
    expect(object.set({ status: 'idle', levels: [] })).toBe(false)
    expect(object.set({ status: 'collecting', name: 'One' })).toBe(true)
    expect(object.set({ status: 'collecting' })).toBe(false)
    object.set({ allocatedTo: 'LON-01' })
    expect(changes).toHaveLength(1)
    expect(object.seq).toBe(3)
    expect(since(1)).toMatchObject([
      { kind: 'channelStatus', from: 1, seq: 3, data: { status: 'collecting' } },
      { kind: 'channelAllocation', from: 1, seq: 3, data: { allocatedTo: 'LON-01' } },
    ])
    expect(since(2)).toMatchObject([{ kind: 'channelAllocation', from: 2, seq: 3 }])
    expect(object.messagesSince(3)).toBe('')
    object.delivered()
    object.set({ name: 'Two' })
    expect(changes).toHaveLength(2)
  })

  it('renders a change once for all readers with the same revision', () => {
    const { object } = channel()
    object.set({ status: 'collecting' })
    const values = object.values as { status: string }
    const first = object.messagesSince(1)
    // A second rendering would show this.
    values.status = 'forged'
    expect(object.messagesSince(1)).toBe(first)
  })
})

it.each([
  [1, 1, true],
  [1, '1', false],
  [null, undefined, false],
  [null, {}, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: [{ b: null }] }, { a: [{ b: null }] }, true],
  [[], {}, false],
  [Number.NaN, Number.NaN, true],
])('compares %j with %j', (a, b, expected) => {
  expect(same(a, b)).toBe(expected)
  expect(same(b, a)).toBe(expected)
})
