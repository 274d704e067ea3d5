import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { type Browser, createTestCore, type TestCore } from '../../testing.ts'

const { current, list, create, change, remove } = api.whatsNew
const dayMs = 86_400_000

describe.each(enginesOfNight)("[STAFF-010] what's new on %s", (engine) => {
  let test: TestCore
  let root: Browser
  beforeEach(async () => {
    test = await createTestCore(engine)
    root = await test.signedIn('root')
  })
  afterEach(() => test.remove())

  const dayIn = (days: number) => new Date(test.clock.nowMs() + days * dayMs).toISOString().slice(0, 10)
  const write = (title: string, days: number) =>
    root.call(create, { body: { date: dayIn(days), title, text: `${title}.` } })
  const titles = async (browser: Browser) => (await browser.call(current, {})).map(({ title }) => title)

  it('is shown to all users from its date on, the newest first, and to its writers before', async () => {
    await write('Old', -2)
    test.clock.advance(1000)
    await write('Today', 0)
    const { publishedOn } = await write('Tomorrow', 1)
    expect(publishedOn).toBe(`${dayIn(1)}T00:00:00.000Z`)
    for (const username of ['olivia', 'vera', 'sam'])
      expect(await titles(await test.signedIn(username))).toEqual(['Today', 'Old'])
    const page = await root.call(list, { query: { sort: 'date,desc' } })
    expect([page.total, page.items.map(({ title }) => title)]).toEqual([3, ['Tomorrow', 'Today', 'Old']])
    test.clock.advance(Date.parse(publishedOn) - test.clock.nowMs() - 1)
    expect(await titles(root)).toEqual(['Today', 'Old'])
    test.clock.advance(1)
    expect(await titles(root)).toEqual(['Tomorrow', 'Today', 'Old'])
  })

  it('is changed, removed, and found by its title', async () => {
    const { id, ...made } = await write('Draft', 0)
    const changed = await root.call(change, { params: { id }, body: { title: 'Four cameras' } })
    expect(changed).toEqual({ id, ...made, title: 'Four cameras' })
    const found = async (search: string) => (await root.call(list, { query: { search } })).total
    expect([await found('CAMERA'), await found('draft')]).toEqual([1, 0])
    await root.call(remove, { params: { id } })
    expect(await titles(root)).toEqual([])
    const missing = { code: 404, message: 'Note not found.' }
    await expect(root.call(remove, { params: { id } })).rejects.toMatchObject(missing)
    await expect(root.call(change, { params: { id }, body: { title: 'X' } })).rejects.toMatchObject(missing)
  })

  it('is written by super users only, with a date and a title', async () => {
    const nora = await test.signedIn('nora')
    const body = { date: dayIn(0), title: 'Mine', text: 'mine' }
    await expect(nora.call(create, { body })).rejects.toMatchObject({ code: 403 })
    await expect(nora.call(list, { query: {} })).rejects.toMatchObject({ code: 403 })
    for (const [field, value] of [
      ['date', '21.11.2026'],
      ['title', ' '],
      ['text', ''],
    ] as const)
      await expect(root.call(create, { body: { ...body, [field]: value } })).rejects.toMatchObject({
        code: 400,
        fields: [{ field }],
      })
  })
})
