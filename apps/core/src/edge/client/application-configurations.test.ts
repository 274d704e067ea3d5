// Application configurations of vendor staff, through the doors: the values of each application, for whom, and once.
import { api } from '@backhaul/contract/api/api'
import { APPLICATION_ID_HEADER, REST_BASE } from '@backhaul/contract/define/endpoint'
import { fault } from '@backhaul/contract/define/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { readCoreSettings } from '../../settings.ts'
import { type Browser, createTestCore, type TestCore } from '../../testing.ts'

const { create, change, list, remove } = api.applicationConfigurations
const { applicationUrls, configuration } = api.client

describe.each(engines)('configurations of applications on %s', (engine) => {
  let test: TestCore
  let root: Browser
  beforeEach(async () => {
    const env = {
      BACKHAUL_SUPPORT_URL: 'https://operator.example/help',
      BACKHAUL_MATRIX_URL: 'https://matrix.example/',
    }
    test = await createTestCore(engine, { applicationUrls: readCoreSettings(env).applicationUrls })
    root = await test.signedIn('root')
  })
  afterEach(() => test.remove())

  /** Browsers of the tests name themselves "test". */
  const set = (key: string, value: string, inventory: string | null = null, application = 'test') =>
    root.call(create, { body: { application, inventory, key, value } })
  const read = async (username: string) => await (await test.signedIn(username)).call(configuration, {})
  const urls = async (username: string) => await (await test.signedIn(username)).call(applicationUrls, {})

  it('[STAFF-002] reach the application that calls: its values, the addresses it links to, and what core follows', async () => {
    await set('colour', 'grey')
    await set('colour', 'red', 'north')
    await set('support', 'https://north.example/help', 'north')
    await set('chat', 'https://chat.example/')
    await set('subscribeBatchSize', '7')
    await set('support', 'https://console.example/help', null, 'Console')
    expect(await read('olivia')).toMatchObject({
      applicationConfiguration: {
        colour: 'red',
        support: 'https://north.example/help',
        chat: 'https://chat.example/',
        subscribeBatchSize: '7',
      },
      chatConfiguration: { url: 'https://chat.example/' },
      subscribeBatchSize: 7,
    })
    expect((await read('sam')).applicationConfiguration.colour).toBe('grey')
    const matrix = 'https://matrix.example/'
    expect(await urls('olivia')).toEqual({ login: '/login', matrix, support: 'https://north.example/help' })
    expect(await urls('sam')).toEqual({ login: '/login', matrix, support: 'https://operator.example/help' })
    const sam = await test.signedIn('sam')
    const asConsole = await sam.send({
      url: `${REST_BASE}${applicationUrls.path}`,
      headers: { [APPLICATION_ID_HEADER]: 'console' },
    })
    expect(asConsole.json().data.support).toBe('https://console.example/help')
    const { items } = await root.call(list, { query: { search: 'console' } })
    await root.call(remove, { params: { id: items[0]?.id ?? '' } })
    const without = await sam.send({
      url: `${REST_BASE}${applicationUrls.path}`,
      headers: { [APPLICATION_ID_HEADER]: 'console' },
    })
    expect(without.json().data.support).toBe('https://operator.example/help')
  })

  it('[STAFF-014] exist once for an application, a key and a customer, also when two are added at the same time', async () => {
    const exists = {
      status: 409,
      message: 'Inventory configuration already exists.',
      fields: [fault('key', 'inventory.configurationExists')],
    }
    const both = await Promise.allSettled([set('colour', 'red', 'north'), set('Colour', 'blue', 'north')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: exists })
    const { id } = await set('colour', 'red', 'south')
    const { total } = await root.call(list, { query: { search: 'colour' } })
    expect(total).toBe(2)
    const body = { application: 'TEST', inventory: 'north', key: 'COLOUR', value: 'green' }
    await expect(root.call(change, { params: { id }, body })).rejects.toMatchObject(exists)
    await set('colour', 'grey')
    await expect(set('colour', 'white')).rejects.toMatchObject(exists)
    await root.call(change, { params: { id }, body: { ...body, inventory: 'south' } })
    expect((await root.call(list, { query: {} })).items).toContainEqual({
      id,
      ...body,
      application: 'test',
      inventory: 'south',
    })
    // The tables hold it by themselves.
    const [row] = await test.db.selectFrom('system_settings').selectAll().where('id', '=', id).execute()
    if (!row) throw new Error('The configuration is not stored')
    await expect(
      test.db
        .insertInto('system_settings')
        .values({ ...row, id: 'set-other' })
        .execute(),
    ).rejects.toThrow(/unique/i)
  })

  it('[STAFF-014] name a customer that exists and values that fit, and are for super users alone', async () => {
    await expect(set('colour', 'red', 'nowhere')).rejects.toMatchObject({
      status: 404,
      message: 'Inventory not found.',
    })
    await expect(set('colour', 'red', null, 'console')).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'key', cause: { code: 'applicationConfiguration.unknownKey' } }],
    })
    await expect(set('support', 'help', null, 'console')).rejects.toMatchObject({
      status: 400,
      fields: [fault('value', 'address.web')],
    })
    const nora = await test.signedIn('nora')
    await expect(nora.call(list, { query: {} })).rejects.toMatchObject({ status: 403 })
    const body = { application: 'test', inventory: 'north', key: 'colour', value: 'red' }
    await expect(nora.call(create, { body })).rejects.toMatchObject({ status: 403 })
    expect((await root.call(list, { query: {} })).total).toBe(0)
  })
})
