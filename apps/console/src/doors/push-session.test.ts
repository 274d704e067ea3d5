import type { PushRequest } from '@backhaul/contract/define/topic'
import { expect, test, vi } from 'vitest'
import { createPushSession } from './push-session.ts'

function open(batchSize = 50) {
  const sent: PushRequest[] = []
  const soon: (() => void)[] = []
  const session = createPushSession({
    send: (request) => sent.push(request),
    batchSize: () => batchSize,
    onWelcome: () => {},
    onRefused: () => {},
    onBehind: () => {},
    soon: (run) => soon.push(run),
  })
  const settle = () => {
    for (const run of soon.splice(0)) run()
  }
  const welcome = (epoch = 'e1') => session.frame([{ kind: 'welcome', epoch, wsLibrary: '1', serverTime: 0 }])
  const change = (topic: string, from: number, seq: number, data: object = {}) => ({
    topic,
    kind: 'unitStatus',
    uid: topic.slice(5),
    ts: 0,
    from,
    seq,
    data,
  })
  return { session, sent, settle, welcome, change }
}

test('topics are requested in batches, only after the welcome, with the revisions already held', () => {
  const { session, sent, settle, welcome } = open(2)
  for (const id of ['a', 'b', 'c']) session.subscribe(`unit.${id}`, () => {}, id === 'b' ? 'e1:7' : undefined)
  settle()
  expect(sent).toEqual([])
  welcome()
  expect(sent).toEqual([
    { action: 'subscribe', topics: ['unit.a', 'unit.b'], since: { 'unit.b': 'e1:7' } },
    { action: 'subscribe', topics: ['unit.c'] },
  ])
})

test('several kinds of one change arrive with the same revisions and are all delivered', () => {
  const { session, welcome, change } = open()
  const got = vi.fn()
  session.subscribe('unit.a', got)
  welcome()
  session.frame([
    change('unit.a', 0, 4),
    change('unit.a', 0, 4),
    change('unit.a', 4, 6),
    change('unit.a', 4, 6),
  ])
  expect(got).toHaveBeenCalledTimes(4)
})

test('a gap is answered by one new subscription, and updates are ignored until its snapshot', () => {
  const { session, sent, settle, welcome, change } = open()
  const got = vi.fn()
  session.subscribe('unit.a', got)
  welcome()
  session.frame([change('unit.a', 0, 4)])
  session.frame([change('unit.a', 6, 7), change('unit.a', 7, 8)])
  settle()
  expect(got).toHaveBeenCalledTimes(1)
  expect(sent.slice(1)).toEqual([{ action: 'subscribe', topics: ['unit.a'] }])
  session.frame([change('unit.a', 0, 9), change('unit.a', 9, 10)])
  expect(got).toHaveBeenCalledTimes(3)
})

test('after a reconnect every topic is resumed from its revision', () => {
  const { session, sent, welcome, change } = open()
  session.subscribe('unit.a', () => {})
  welcome()
  session.frame([change('unit.a', 0, 4), change('unit.a', 3, 12)])
  session.closed()
  welcome()
  expect(sent.at(-1)).toEqual({ action: 'subscribe', topics: ['unit.a'], since: { 'unit.a': 'e1:12' } })
})

test('a read is older than what is held where a later revision of the same epoch was pushed', () => {
  const { session, welcome, change } = open()
  session.subscribe('unit.a', () => {})
  expect(session.isOlderThanHeld('unit.a', 'e1:1')).toBe(false)
  welcome()
  session.frame([change('unit.a', 0, 4)])
  expect(session.isOlderThanHeld('unit.a', 'e1:3')).toBe(true)
  expect(session.isOlderThanHeld('unit.a', 'e1:4')).toBe(false)
  expect(session.isOlderThanHeld('unit.a', 'e2:3')).toBe(false)
  expect(session.isOlderThanHeld('unit.b', 'e1:3')).toBe(false)
})

test('a topic dropped and wanted again at once is requested again, so its new reader gets a snapshot', () => {
  const { session, sent, settle, welcome, change } = open()
  const drop = session.subscribe('unit.a', () => {})
  welcome()
  session.frame([change('unit.a', 0, 4)])
  drop()
  session.subscribe('unit.a', () => {})
  settle()
  expect(sent.slice(1)).toEqual([{ action: 'subscribe', topics: ['unit.a'] }])
})

test('a second reader of a topic gets the snapshot too', () => {
  const { session, sent, settle, welcome, change } = open()
  session.subscribe('unit.a', () => {})
  welcome()
  session.frame([change('unit.a', 0, 4)])
  const got = vi.fn()
  session.subscribe('unit.a', got)
  settle()
  session.frame([change('unit.a', 4, 5), change('unit.a', 0, 5)])
  expect(sent.slice(1)).toEqual([{ action: 'subscribe', topics: ['unit.a'] }])
  expect(got).toHaveBeenCalledTimes(1)
})

test('messages for topics without a subscription are ignored', () => {
  const { session, sent, settle, welcome, change } = open()
  welcome()
  session.frame([change('unit.zzz', 3, 4)])
  settle()
  expect(sent).toEqual([])
})
