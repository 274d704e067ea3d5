import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { english } from '@backhaul/contract/define/refusals'
import { UnitTypeGroup } from '@backhaul/contract/nouns/products'
import type { KnownSoftwareVersion } from '@backhaul/contract/nouns/software-versions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { type Browser, createTestCore, type TestCore } from '../../testing.ts'

const { softwareVersions: calls, softwareVersionSettings: settings, softwareVersionProducts: products } = api

describe.each(enginesOfNight)('software versions on %s', (engine) => {
  let test: TestCore
  let root: Browser
  let nora: Browser
  beforeEach(async () => {
    test = await createTestCore(engine)
    root = await test.signedIn('root')
    nora = await test.signedIn('nora')
  })
  afterEach(() => test.remove())

  const create = (browser: Browser, number: string, more: Partial<KnownSoftwareVersion> = {}) =>
    browser.call(calls.create, { body: { number, ...more } })
  const numbers = async (browser: Browser, query: object = {}) =>
    (await browser.call(calls.list, { query })).items.map(({ number }) => number)
  const taken = {
    code: 409,
    message: english('softwareVersion.exists'),
    fields: [fault('number', 'field.notUnique')],
  }

  it('[UPG-001] are stored with their notes, models, customers and place; a number is unique for a customer', async () => {
    const fields = {
      number: '10.0.3-b1842',
      description: 'Faster bonding',
      releaseNotesUrl: 'https://vendor.example/n',
      path: 'releases/10.0.3',
      products: ['LU-600'],
      supportedDevices: ['fieldUnits' as const],
      inventories: ['north'],
      deprecated: false,
    }
    const made = await root.call(calls.create, { body: fields })
    expect(made).toEqual({
      id: made.id,
      ...fields,
      versionRecord: { version: '10.0.3-b1842', versionNumberId: made.id },
      mayChange: true,
    })
    const params = { id: made.id }
    expect(await root.call(calls.change, { params, body: { deprecated: true } })).toEqual({
      ...made,
      deprecated: true,
    })
    expect((await root.call(calls.one, { params })).deprecated).toBe(true)
    await expect(create(root, '10.0.3-B1842')).rejects.toMatchObject(taken)
    await expect(create(root, '10.0.3-b1842', { inventories: ['south', 'north'] })).rejects.toMatchObject(
      taken,
    )
    await create(root, '10.0.3-b1842', { inventories: ['south'] })
    await create(root, '9.2.6')
    await expect(root.call(calls.change, { params, body: { number: '9.2.6' } })).rejects.toMatchObject(taken)
    expect(await numbers(root)).toEqual(['10.0.3-b1842', '10.0.3-b1842', '9.2.6'])
    expect(await numbers(root, { search: '9.2', sortBy: 'number' })).toEqual(['9.2.6'])
    await root.call(calls.remove, { params })
    await expect(root.call(calls.one, { params })).rejects.toMatchObject({
      code: 404,
      message: 'Software version not found.',
    })
  })

  it('[UPG-001] are refused with the field and the rule', async () => {
    for (const [more, field, message] of [
      [{ number: 'newest' }, 'number', english('field.pattern')],
      [{ number: '10' }, 'number', english('field.pattern')],
      [{ releaseNotesUrl: 'javascript:alert(1)' }, 'releaseNotesUrl', english('field.pattern')],
      [{ path: 'with space' }, 'path', english('field.pattern')],
      [{ products: ['Toaster'] }, 'products.0', english('field.invalid')],
      [
        { supportedDevices: ['toasters' as 'fieldUnits'] },
        'supportedDevices.0',
        `Must be one of ${UnitTypeGroup.options.join(', ')}`,
      ],
    ] as const) {
      const refused = { code: 400, fields: [{ field, message }] }
      await expect(
        root.call(calls.create, { body: { number: '8.0', ...more } as { number: string } }),
      ).rejects.toMatchObject(refused)
    }
    await expect(create(root, '8.0', { inventories: ['nowhere'] })).rejects.toMatchObject({ code: 404 })
    expect(await numbers(root)).toEqual([])
  })

  it('[UPG-001] for their own customers are changed by administrators, those for all by vendor staff', async () => {
    const all = await create(root, '9.2.6')
    const foreign = await create(root, '9.3', { inventories: ['south'] })
    const shared = await create(root, '9.4', { inventories: ['north', 'south'] })
    await expect(create(nora, '9.5')).rejects.toMatchObject({
      code: 400,
      fields: [fault('inventories', 'field.required')],
    })
    await expect(create(nora, '9.5', { inventories: ['south'] })).rejects.toMatchObject({ code: 404 })
    const own = await create(nora, '9.3', { inventories: ['north'] })
    expect((await nora.call(calls.list, { query: {} })).items).toMatchObject([
      { id: all.id, inventories: [], mayChange: false },
      { id: own.id, inventories: ['north'], mayChange: true },
      { id: shared.id, inventories: ['north'], mayChange: false },
    ])
    for (const { id } of [all, shared]) {
      const refused = { code: 403, message: english('softwareVersion.forAll') }
      const call = { params: { id } }
      await expect(nora.call(calls.change, { ...call, body: { path: 'x' } })).rejects.toMatchObject(refused)
      await expect(nora.call(calls.remove, call)).rejects.toMatchObject(refused)
    }
    const call = { params: { id: foreign.id } }
    await expect(nora.call(calls.one, call)).rejects.toMatchObject({ code: 404 })
    await expect(nora.call(calls.change, { ...call, body: {} })).rejects.toMatchObject({ code: 404 })
    await expect(nora.call(calls.remove, call)).rejects.toMatchObject({ code: 404 })
    const mine = { params: { id: own.id } }
    await expect(nora.call(calls.change, { ...mine, body: { inventories: [] } })).rejects.toMatchObject({
      code: 400,
    })
    expect((await nora.call(calls.change, { ...mine, body: { path: 'new' } })).path).toBe('new')
    await nora.call(calls.remove, mine)
    for (const username of ['olivia', 'reed'])
      await expect(numbers(await test.signedIn(username))).rejects.toMatchObject({ code: 403 })
  })

  it('are in the system settings too, with the models of each as a list of their own', async () => {
    const { id } = await create(root, '9.2.6', { products: ['LU-600'] })
    const { items } = await root.call(settings.list, { query: {} })
    expect(items).toMatchObject([{ id, number: '9.2.6', products: ['LU-600'] }])
    const { id: _, ...fields } = items[0] as (typeof items)[number]
    const call = { params: { id }, body: { ...fields, description: 'Long' } }
    expect(await root.call(settings.change, call)).toMatchObject({ id, description: 'Long' })
    const { id: second } = await root.call(settings.create, { body: { ...fields, number: '9.2.10' } })
    await expect(root.call(settings.create, { body: fields })).rejects.toMatchObject(taken)

    const link = await root.call(products.create, { body: { version: id, product: 'LU-800' } })
    expect((await root.call(calls.one, { params: { id } })).products).toEqual(['LU-600', 'LU-800'])
    const pairs = async (query: object = {}) =>
      (await root.call(products.list, { query })).items.map(({ version, product }) => [version, product])
    expect(await pairs()).toEqual([
      [second, 'LU-600'],
      [id, 'LU-600'],
      [id, 'LU-800'],
    ])
    expect(await pairs({ search: '9.2.6 lu-8' })).toEqual([[id, 'LU-800']])
    await expect(
      root.call(products.create, { body: { version: id, product: 'LU-600' } }),
    ).rejects.toMatchObject({
      code: 409,
      message: 'Association exists.',
      fields: [fault('product', 'field.notUnique')],
    })
    await expect(
      root.call(products.create, { body: { version: 'none', product: 'LU-600' } }),
    ).rejects.toMatchObject({ code: 404, message: 'Software version not found.' })
    const moved = { version: second, product: 'LU-800' }
    const linked = await root.call(products.change, { params: { id: link.id }, body: moved })
    expect(await pairs()).toEqual([
      [second, 'LU-600'],
      [second, 'LU-800'],
      [id, 'LU-600'],
    ])
    expect(await root.call(products.change, { params: { id: linked.id }, body: moved })).toEqual(linked)
    await root.call(products.remove, { params: { id: linked.id } })
    await expect(root.call(products.remove, { params: { id: linked.id } })).rejects.toMatchObject({
      code: 404,
    })
    await root.call(settings.remove, { params: { id: second } })
    expect(await pairs()).toEqual([[id, 'LU-600']])
    await expect(nora.call(settings.list, { query: {} })).rejects.toMatchObject({ code: 403 })
    await expect(nora.call(products.list, { query: {} })).rejects.toMatchObject({ code: 403 })
  })
})
