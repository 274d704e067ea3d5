import { expect, test, vi } from 'vitest'
import { createKeyedStore, joinedStore } from './keyed-store.ts'

function withFrames() {
  const frames: (() => void)[] = []
  const store = createKeyedStore<{ n: number }>((run) => frames.push(run))
  return { store, frames, frame: () => frames.splice(0).forEach((run) => void run()) }
}

test('many changes within a frame are applied once and only touched ids are notified', () => {
  const { store, frames, frame } = withFrames()
  store.replaceAll([
    ['a', { n: 1 }],
    ['b', { n: 1 }],
  ])
  frame()
  const onA = vi.fn()
  const onB = vi.fn()
  const onList = vi.fn()
  store.subscribeItem('a', onA)
  store.subscribeItem('b', onB)
  store.subscribeList(onList)
  for (let n = 2; n < 50; n += 1) store.put('a', { n })
  expect(frames.length).toBe(1)
  expect(store.get('a')).toEqual({ n: 1 })
  expect(store.latest('a')).toEqual({ n: 49 })
  frame()
  expect(store.get('a')).toEqual({ n: 49 })
  expect([onA.mock.calls.length, onB.mock.calls.length, onList.mock.calls.length]).toEqual([1, 0, 1])
  expect(store.version()).toBe(2)
})

test('replacing everything keeps identical items silent and drops the rest', () => {
  const { store, frame } = withFrames()
  const kept = { n: 1 }
  store.replaceAll([
    ['a', kept],
    ['b', { n: 2 }],
  ])
  frame()
  const onA = vi.fn()
  store.subscribeItem('a', onA)
  store.put('late', { n: 9 })
  store.replaceAll([
    ['a', kept],
    ['c', { n: 3 }],
  ])
  frame()
  expect(store.ids()).toEqual(['a', 'c'])
  expect(onA).not.toHaveBeenCalled()
})

test('a removed item is gone for the next change as well', () => {
  const { store, frame } = withFrames()
  store.put('a', { n: 1 })
  frame()
  store.remove('a')
  expect(store.latest('a')).toBeUndefined()
  frame()
  expect(store.ids()).toEqual([])
})

test('two stores are read as one, and each change of either is notified', () => {
  const [units, servers] = [withFrames(), withFrames()]
  const both = joinedStore(units.store, servers.store)
  const [onB, onList] = [vi.fn(), vi.fn()]
  const stop = both.subscribeList(onList)
  both.subscribeItem('b', onB)
  units.store.put('a', { n: 1 })
  units.frame()
  servers.store.put('b', { n: 2 })
  servers.frame()
  expect([both.ids(), both.size(), both.version()]).toEqual([['a', 'b'], 2, 2])
  expect([both.get('a'), both.get('b'), both.get('c')]).toEqual([{ n: 1 }, { n: 2 }, undefined])
  expect([onB.mock.calls.length, onList.mock.calls.length]).toEqual([1, 2])
  stop()
  units.store.remove('a')
  units.frame()
  expect(onList).toHaveBeenCalledTimes(2)
})
