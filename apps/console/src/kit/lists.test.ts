import { Refusal } from '@backhaul/contract/define/errors'
import { expect, test } from 'vitest'
import { createWholeList, wholePage } from './lists.ts'

/** A list whose answers come when the test gives them. */
function slowList() {
  const asked: PromiseWithResolvers<string[]>[] = []
  const list = createWholeList<string>(
    async () => {
      const answer = Promise.withResolvers<string[]>()
      asked.push(answer)
      return wholePage(await answer.promise)
    },
    (name) => name,
  )
  return { list, asked }
}

test('an answer that comes late does not take the place of a newer one', async () => {
  const { list, asked } = slowList()
  const before = list.load()
  const after = list.change(async () => {})
  await Promise.resolve()
  asked[1]?.resolve(['new'])
  await after
  expect(list.store.ids()).toEqual(['new'])
  asked[0]?.resolve(['old'])
  await before
  expect(list.store.ids()).toEqual(['new'])

  const refused = list.load()
  const read = list.load()
  asked[3]?.resolve(['newest'])
  await read
  asked[2]?.reject(new Refusal(503, 'down'))
  await refused
  expect(list.state.get()).toEqual({ state: 'ready' })
  expect(list.store.ids()).toEqual(['newest'])
})

test('what is answered in order is shown as it comes', async () => {
  const { list, asked } = slowList()
  const first = list.load()
  const second = list.load()
  asked[0]?.resolve(['one'])
  await first
  expect(list.store.ids()).toEqual(['one'])
  asked[1]?.resolve(['two'])
  await second
  expect(list.store.ids()).toEqual(['two'])
})
