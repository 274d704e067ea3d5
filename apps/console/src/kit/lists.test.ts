import { Refusal } from '@backhaul/contract/define/errors'
import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { queries } from '../doors/reads.ts'
import { createList, readAll } from './lists.ts'

/** A list whose answers come when the test gives them, on a screen. */
function slowList(name: string) {
  const asked: PromiseWithResolvers<string[]>[] = []
  const list = createList(
    name,
    async () => {
      const answer = Promise.withResolvers<string[]>()
      asked.push(answer)
      return { items: await answer.promise }
    },
    (item) => item,
  )
  const shown = new QueryObserver(queries, { queryKey: list.keyOf([]), queryFn: () => list.read() })
  shown.subscribe(() => {})
  return { list, asked, items: () => shown.getCurrentResult().data?.items }
}

test('an answer that was requested before a change does not take the place of the one after it', async () => {
  const { list, asked, items } = slowList('changed')
  const changed = list.change(async () => {})
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.resolve(['new'])
  expect(await changed).toBeUndefined()
  expect(items()).toEqual(['new'])
  asked[0]?.resolve(['old'])
  await asked[0]?.promise
  expect(items()).toEqual(['new'])
})

test('a refused change returns the reason, and the list is read again', async () => {
  const { list, asked, items } = slowList('refused')
  asked[0]?.resolve(['one'])
  await expect.poll(items).toEqual(['one'])
  const refused = list.change(() => Promise.reject(new Refusal(409, { message: 'It is in use' })))
  expect(await refused).toMatchObject({ title: 'It is in use' })
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.resolve(['two'])
  await expect.poll(items).toEqual(['two'])
})

test('every page is read', async () => {
  const all = Array.from({ length: 1001 }, (_, at) => at)
  const { items } = await readAll(async ({ limit, offset }) => ({
    items: all.slice(offset, offset + limit),
    total: all.length,
    offset,
    limit,
  }))
  expect(items).toEqual(all)
})
