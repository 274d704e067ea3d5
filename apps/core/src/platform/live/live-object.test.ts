import { channelTopic } from '@backhaul/contract/push/channels'
import { describe, expect, it } from 'vitest'
import { same } from '../../world/same.ts'
import { fieldTable, LiveObject } from './live-object.ts'

interface Message {
  kind: string
  from: number
  seq: number
  data: Record<string, unknown>
}

const table = fieldTable(channelTopic)

function channel() {
  const changes: unknown[] = []
  const renewals = { count: 0 }
  const object = new LiveObject({
    topic: 'channel.c',
    uid: 'c',
    table,
    initial: { status: 'idle', name: 'One', allocatedTo: null as string | null, levels: [] as object[] },
    nowMs: () => 5,
    onChange: (one) => changes.push(one),
    readableBy: () => true,
    renew: () => {
      renewals.count++
      object.set({ levels: [{ db: renewals.count }] })
    },
  })
  const since = (from: number) => JSON.parse(`[${object.messagesSince(from)}]`) as Message[]
  return { object, changes, renewals, since }
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

  it('renews what was left stale once it is read, and signals the change once', () => {
    const { object, changes, renewals, since } = channel()
    object.leaveStale()
    object.leaveStale()
    expect(object.kept.levels).toEqual([])
    expect([changes.length, renewals.count]).toEqual([1, 0])
    object.delivered()
    expect(since(1)).toMatchObject([{ from: 1, seq: 2, data: { levels: [{ db: 1 }] } }])
    expect(object.values.levels).toEqual([{ db: 1 }])
    expect([object.seq, changes.length, renewals.count]).toEqual([2, 1, 1])
    object.leaveStale()
    expect(object.seq).toBe(3)
    expect([changes.length, renewals.count]).toEqual([2, 2])
  })

  it('has the lists of others that mean the same, also where they change between two', () => {
    const [one, other] = Array.from({ length: 2 }, () => {
      const { object } = channel()
      object.set({ levels: [{ db: 1 }] })
      return object
    })
    expect(other?.values.levels).toBe(one?.values.levels)
    expect(other?.values.levels).toEqual([{ db: 1 }])
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
