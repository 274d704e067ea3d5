import { api as contract } from '@backhaul/contract/api/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { type Browser, createTestCore, type TestCore } from '../../testing.ts'

const { notifications: calls, client } = contract
const hourMs = 3_600_000

describe.each(engines)('system messages on %s', (engine) => {
  let test: TestCore
  let root: Browser
  beforeAll(async () => {
    test = await createTestCore(engine)
    root = await test.signedIn('root')
  })
  afterAll(() => test.remove())

  const inHours = (hours: number) => new Date(test.clock.nowMs() + hours * hourMs).toISOString()
  const create = (body: string, more: object = {}) =>
    root.call(calls.create, { body: { body, expiration: inHours(48), ...more } })
  const change = (id: string, body: object) => root.call(calls.change, { params: { id }, body })
  const remove = (id: string) => root.call(calls.remove, { params: { id } })
  const readBy = async (username: string) =>
    (await (await test.signedIn(username)).call(client.notifications, {})).map(({ body }) => body)
  const fault = (field: string, message: string) => ({ code: 400, fields: [{ field, message }] })

  it('[SHELL-031] [STAFF-005] a message has its fields, and its flags of expiry follow the clock', async () => {
    const written = await create('  Maintenance tonight ', { expiration: inHours(24.5), intervals: [12] })
    expect(written).toEqual({
      id: expect.stringMatching(/^cn-/),
      body: 'Maintenance tonight',
      expiration: inHours(24.5),
      global: true,
      intervals: [12],
      expiresWithin2Hours: false,
      expiresWithin24Hours: false,
      inventory: null,
      inventoryName: null,
      createdOn: inHours(0),
    })
    const olivia = await test.signedIn('olivia')
    const flags = async () => {
      const [one] = await olivia.call(client.notifications, {})
      return [one?.expiresWithin24Hours, one?.expiresWithin2Hours]
    }
    expect(await flags()).toEqual([false, false])
    test.clock.advance(hourMs)
    expect(await flags()).toEqual([true, false])
    await change(written.id, { expiration: inHours(2) })
    expect(await flags()).toEqual([true, true])
    await remove(written.id)
    expect((await create('Usual')).intervals).toEqual([24, 2])
    const [usual] = (await root.call(calls.list, { query: {} })).items
    await remove(usual?.id ?? '')
  })

  it('[SHELL-031] all users read global messages; the others are for the users of the inventory', async () => {
    const all = await create('For all')
    const south = await create('For South', { global: false, inventory: 'south' })
    expect(south).toMatchObject({ global: false, inventory: 'south', inventoryName: 'South News' })
    expect(await readBy('olivia')).toEqual(['For all'])
    expect((await readBy('sam')).sort()).toEqual(['For South', 'For all'])
    await change(south.id, { inventory: 'north' })
    expect((await readBy('olivia')).sort()).toEqual(['For South', 'For all'])
    expect(await readBy('sam')).toEqual(['For all'])
    expect(await change(south.id, { global: true })).toMatchObject({ global: true, inventory: null })
    expect(await readBy('sam')).toHaveLength(2)
    for (const { id } of [all, south]) await remove(id)
    expect(await readBy('sam')).toEqual([])
  })

  it('[SHELL-031] a message is shown until it expires, and is kept in the list of those who write', async () => {
    const { id } = await create('Short', { expiration: inHours(1) })
    expect(await readBy('vera')).toEqual(['Short'])
    test.clock.advance(hourMs)
    expect(await readBy('vera')).toEqual([])
    const listed = await root.call(calls.list, { query: { search: 'SHORT' } })
    expect(listed).toMatchObject({ items: [{ id, expiresWithin2Hours: true }], total: 1 })
    await change(id, { body: 'Longer', expiration: inHours(5) })
    expect(await readBy('vera')).toEqual(['Longer'])
    await remove(id)
  })

  it('refuses invalid fields, with the field and the rule', async () => {
    await expect(create(' ')).rejects.toMatchObject(fault('body', 'This field is required'))
    await expect(create('x'.repeat(2001))).rejects.toMatchObject(
      fault('body', 'Must have at most 2000 characters'),
    )
    await expect(create('A', { expiration: inHours(0) })).rejects.toMatchObject(
      fault('expiration', 'Must be in the future'),
    )
    await expect(create('A', { expiration: 'tomorrow' })).rejects.toMatchObject({ code: 400 })
    await expect(create('A', { global: false })).rejects.toMatchObject(
      fault('inventory', 'This field is required'),
    )
    await expect(create('A', { global: false, inventory: 'nowhere' })).rejects.toMatchObject({
      code: 404,
      message: 'Inventory not found.',
    })
    await expect(create('A', { intervals: [0] })).rejects.toMatchObject(
      fault('intervals.0', 'Must be 1 or more'),
    )
    await expect(change('none', {})).rejects.toMatchObject({
      code: 404,
      message: 'System message not found.',
    })
    await expect(remove('none')).rejects.toMatchObject({ code: 404 })
  })

  it('lists by expiration or by text', async () => {
    const made = [
      await create('b', { expiration: inHours(9) }),
      await create('A', { expiration: inHours(10) }),
    ]
    const listed = async (query: object) =>
      (await root.call(calls.list, { query })).items.map(({ body }) => body)
    expect(await listed({})).toEqual(['b', 'A'])
    expect(await listed({ sort: 'expiration,desc' })).toEqual(['A', 'b'])
    expect(await listed({ sortBy: 'body', limit: 1 })).toEqual(['A'])
    await expect(listed({ sortBy: 'global' })).rejects.toMatchObject(
      fault('sortBy', 'Must be one of expiration, body, name'),
    )
    for (const { id } of made) await remove(id)
  })

  it('is written by super users only', async () => {
    for (const username of ['nora', 'olivia', 'vera']) {
      const browser = await test.signedIn(username)
      await expect(browser.call(calls.list, { query: {} })).rejects.toMatchObject({ code: 403 })
      await expect(
        browser.call(calls.create, {
          body: { body: 'Mine', expiration: inHours(1), global: true, inventory: null, intervals: [] },
        }),
      ).rejects.toMatchObject({ code: 403 })
    }
  })
})
