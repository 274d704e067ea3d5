import { api as contract } from '@backhaul/contract/api/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import { type Browser, password } from '../../testing.ts'

const { shares: calls } = contract

describe.each(enginesOfNight)('shares on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let channelIds: readonly string[]
  let mia: Browser
  let sofia: Browser
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2)
    const made = hub.newest('serverWanted')?.state.channels ?? []
    channelIds = made.toSorted((a, b) => a.name.localeCompare(b.name)).map(({ channelId }) => channelId)
    await fleet.pass()
    const admin = { password, userType: 'media group admin' as const, lastName: 'Tester' }
    const mias = { id: 'us-mia', username: 'mia', firstName: 'Mia', inventories: ['north'], groups: [] }
    const sofias = {
      id: 'us-sofia',
      username: 'sofia',
      firstName: 'Sofia',
      inventories: ['south'],
      groups: [],
    }
    for (const person of [mias, sofias]) await fleet.core.users.ensure({ ...admin, ...person })
    mia = await fleet.signedIn('mia')
    sofia = await fleet.signedIn('sofia')
  })
  afterAll(() => fleet.remove())

  const publish = (name: string, more: object = {}) =>
    mia.call(calls.createPublisher, { body: { name, group: 'london', ...more } })
  const subscribe = (shareKey: string, more: object = {}) =>
    sofia.call(calls.createSubscriber, { body: { name: 'Pool', shareKey, folder: 'root-cairo', ...more } })
  const start = (id: string, channel: string) =>
    mia.call(calls.startSession, { params: { id }, body: { channel } })
  const end = (id: string, channel: string) =>
    mia.call(calls.endSession, { params: { id }, query: { channel } })
  const fault = (field: string, message: string) => ({ code: 400, fields: [{ field, message }] })
  const keyRefused = {
    code: 409,
    message: 'Share key invalid or not unique.',
    fields: [{ field: 'shareKey', cause: { code: 'share.key' } }],
  }
  const still = (browser: Browser, channel: string) =>
    browser.send({ url: `/preview/${channel}/still.jpg` }).then(({ statusCode }) => statusCode)

  it('[USER-004] [ACCESS-006] a publisher has its own key, made by core, and is changed and removed', async () => {
    const made = await publish('  Election night ', { description: 'Pool pictures' })
    expect(made).toEqual({
      id: expect.stringMatching(/^pb-/),
      inventoryId: 'north',
      name: 'Election night',
      shareKey: expect.stringMatching(/^[\w-]{16}$/),
      description: 'Pool pictures',
      group: 'london',
      createdOn: new Date(fleet.clock.nowMs()).toISOString(),
      createdBy: 'mia',
      channels: [],
    })
    const other = await publish('Other')
    expect(other.shareKey).not.toBe(made.shareKey)
    expect(await mia.call(calls.publisher, { params: { id: made.id } })).toEqual(made)
    const { items, total } = await mia.call(calls.publishers, { query: { search: 'NIGHT' } })
    expect([items, total]).toEqual([[made], 1])
    const change = (body: object) => mia.call(calls.changePublisher, { params: { id: made.id }, body })
    expect(await change({ description: '' })).toEqual({ ...made, description: '' })
    expect(await change({ name: 'Elections' })).toMatchObject({ name: 'Elections', shareKey: made.shareKey })
    for (const [body, field, message] of [
      [{ name: ' ' }, 'name', 'This field is required'],
      [{ name: 'x'.repeat(33) }, 'name', 'Must have at most 32 characters'],
      [{ description: 'x'.repeat(33) }, 'description', 'Must have at most 32 characters'],
      [{ shareKey: 'mine' }, '(body)', 'Unknown field: shareKey.'],
    ] as const) {
      await expect(publish('Odd', body)).rejects.toMatchObject(fault(field, message))
      await expect(change(body)).rejects.toMatchObject(fault(field, message))
    }
    await publish('x'.repeat(32), { description: 'y'.repeat(32) })
    for (const { id } of (await mia.call(calls.publishers, { query: {} })).items)
      await mia.call(calls.removePublisher, { params: { id } })
    await expect(mia.call(calls.publisher, { params: { id: made.id } })).rejects.toMatchObject({
      code: 404,
      message: 'Publisher not found.',
    })
  })

  it('[USER-004] [USER-005] a subscriber gets the channels as they are shared, and sees them but commands nothing', async () => {
    const [channel = '', second = ''] = channelIds
    const publisher = await publish('Election night')
    const subscriber = await subscribe(publisher.shareKey)
    expect(subscriber).toEqual({
      id: expect.stringMatching(/^sb-/),
      inventoryId: 'south',
      name: 'Pool',
      shareKey: publisher.shareKey,
      folder: 'root-cairo',
      folderName: 'Cairo-News',
      group: 'cairo',
      publisher: 'Election night',
      channels: [],
    })
    const gets = async () =>
      (await sofia.call(calls.subscriber, { params: { id: subscriber.id } })).channels.map(({ name }) => name)
    const sam = await fleet.signedIn('sam')
    expect([await still(sofia, channel), await still(sam, channel)]).toEqual([404, 404])
    expect((await start(publisher.id, channel)).channels).toEqual([channel])
    await start(publisher.id, channel)
    await start(publisher.id, second)
    expect(await gets()).toEqual(['MCR-1', 'MCR-2'])
    const shown = await mia.call(contract.channels.ofGroup, { query: { group: 'london' } })
    expect(shown.map(({ sharing }) => sharing)).toEqual([true, true])
    // No server shows the channel in this test, which is reported only to those who may see it.
    expect([await still(sofia, channel), await still(sam, channel)]).toEqual([503, 503])
    await fleet.core.users.ensure({
      id: 'us-lee',
      username: 'lee',
      password,
      userType: 'regular',
      firstName: 'L',
      lastName: 'T',
      inventories: ['north'],
      groups: ['leeds'],
    })
    expect(await still(await fleet.signedIn('lee'), channel)).toBe(404)
    const record = { params: { id: channel }, body: { recording: true } }
    await expect(sam.call(contract.channels.record, record)).rejects.toMatchObject({ code: 404 })
    expect((await end(publisher.id, second)).channels).toEqual([channel])
    expect(await gets()).toEqual(['MCR-1'])
    await fleet.restart()
    expect([await still(await fleet.signedIn('sam'), channel)]).toEqual([503])
    mia = await fleet.signedIn('mia')
    sofia = await fleet.signedIn('sofia')
    hub = await fleet.again(hub)
    await hub.greet()
    await sofia.call(calls.removeSubscriber, { params: { id: subscriber.id } })
    expect(await still(await fleet.signedIn('sam'), channel)).toBe(404)
    await expect(end(publisher.id, second)).rejects.toMatchObject({ message: 'Channel not found.' })
    await expect(start(publisher.id, 'nowhere')).rejects.toMatchObject({ message: 'Channel not found.' })
    const again = await subscribe(publisher.shareKey)
    await mia.call(calls.removePublisher, { params: { id: publisher.id } })
    expect(await sofia.call(calls.subscriber, { params: { id: again.id } })).toMatchObject({
      publisher: null,
      channels: [],
    })
    await sofia.call(calls.removeSubscriber, { params: { id: again.id } })
  })

  it('ends when the channel leaves the group of its publisher, and does not start again when it comes back', async () => {
    const channel = channelIds[1] ?? ''
    const nora = await fleet.signedIn('nora')
    const inGroup = { params: { groupId: 'london', channelId: channel } }
    const publisher = await publish('Loan')
    const subscriber = await subscribe(publisher.shareKey)
    await start(publisher.id, channel)
    expect(await still(sofia, channel)).toBe(503)
    await nora.call(contract.groupAdministration.removeChannel, inGroup)
    await expect.poll(() => still(sofia, channel)).toBe(404)
    await nora.call(contract.groupAdministration.addChannel, inGroup)
    await fleet.pass()
    expect((await mia.call(calls.publisher, { params: { id: publisher.id } })).channels).toEqual([])
    expect(await still(sofia, channel)).toBe(404)
    await sofia.call(calls.removeSubscriber, { params: { id: subscriber.id } })
    await mia.call(calls.removePublisher, { params: { id: publisher.id } })
  })

  it('[CHAN-016] sharing neither starts nor ends on a channel that is on air', async () => {
    const { id } = await publish('Busy')
    const [channel = ''] = channelIds
    const settingsOf = async (settings: object, input_type: 'srt' | null = null) => {
      const row = await fleet.db
        .selectFrom('channels')
        .select('settings')
        .where('id', '=', channel)
        .executeTakeFirstOrThrow()
      const merged = { ...JSON.parse(row.settings), ...settings }
      await fleet.db
        .updateTable('channels')
        .set({ settings: JSON.stringify(merged), input_type })
        .where('id', '=', channel)
        .execute()
      await fleet.restart()
      mia = await fleet.signedIn('mia')
      sofia = await fleet.signedIn('sofia')
      hub = await fleet.again(hub)
      await hub.greet()
    }
    const status = async (status: 'idle' | 'collecting') => {
      hub.telemetry([{ channelId: channel, status }])
      await until(() => fleet.core.channels.known(channel)?.status === status)
    }
    const copies = [{ channelId: 'machine', transmissionId: 't', key: '', targets: [], bufferMs: 0 }]
    await start(id, channel)
    for (const [settings, input, code, message] of [
      [{ output: true }, null, 9168, 'Output channel is busy.'],
      [{ copies }, null, 9169, 'A multipoint publisher is sharing the channel.'],
      [{ copies: [], output: false }, 'srt', 9170, 'Input IP streaming channel is busy.'],
    ] as const) {
      await settingsOf(settings, input)
      await status('collecting')
      const refused = { status: 409, code, message }
      await expect(start(id, channel)).rejects.toMatchObject(refused)
      await expect(end(id, channel)).rejects.toMatchObject(refused)
      await expect(mia.call(calls.removePublisher, { params: { id } })).rejects.toMatchObject(refused)
    }
    const logged = await fleet.db
      .selectFrom('audit')
      .select(['inventory_id', 'details'])
      .where('action', '=', 'shares.removePublisher')
      .where('object_id', '=', id)
      .execute()
    expect(logged).toHaveLength(3)
    expect(logged).toContainEqual({ inventory_id: 'north', details: '{"name":"Busy"}' })
    await settingsOf({}, null)
    await status('collecting')
    expect((await end(id, channel)).channels).toEqual([])
    await status('idle')
    await mia.call(calls.removePublisher, { params: { id } })
  })

  it('[USER-004] [USER-005] folders of a group have unique names; its root folder cannot be changed', async () => {
    const create = (name: string, group = 'london') => mia.call(calls.createFolder, { body: { name, group } })
    const rename = (id: string, name: string) =>
      mia.call(calls.changeFolder, { params: { id }, body: { name } })
    const remove = (id: string) => mia.call(calls.removeFolder, { params: { id } })
    const pool = await create('Pool')
    expect(pool).toEqual({
      id: expect.stringMatching(/^sf-/),
      inventoryId: 'north',
      group: 'london',
      name: 'Pool',
      root: false,
    })
    const taken = {
      code: 409,
      message: 'Folder name not unique.',
      fields: [{ field: 'name', cause: { code: 'share.folderName' } }],
    }
    await expect(create('Pool')).rejects.toMatchObject(taken)
    const elsewhere = await create('Pool', 'leeds')
    const agencies = await create('Agencies')
    await expect(rename(agencies.id, 'Pool')).rejects.toMatchObject(taken)
    expect(await rename(agencies.id, 'Press')).toMatchObject({ id: agencies.id, name: 'Press' })
    const listed = (await mia.call(calls.folders, { query: {} })).items
    expect(listed.map(({ name, root }) => `${name}${root ? ' (root)' : ''}`)).toEqual([
      'Leeds-News (root)',
      'London-News (root)',
      'Pool',
      'Pool',
      'Press',
    ])
    for (const edit of [() => rename('root-london', 'Mine'), () => remove('root-london')])
      await expect(edit()).rejects.toMatchObject({ code: 409, message: 'Root folders cannot be edited.' })
    expect(await mia.call(calls.folder, { params: { id: 'root-london' } })).toMatchObject({ root: true })
    await expect(mia.call(calls.folder, { params: { id: 'root-cairo' } })).rejects.toMatchObject({
      code: 404,
      message: 'Folder not found.',
    })
    const { shareKey, id } = await publish('For ourselves')
    const body = { name: 'Ours', shareKey, folder: pool.id }
    const subscriber = await mia.call(calls.createSubscriber, { body })
    expect(subscriber).toMatchObject({ folder: pool.id, folderName: 'Pool', group: 'london' })
    await expect(remove(pool.id)).rejects.toMatchObject({
      code: 409,
      message: 'Folder still has subscribers.',
    })
    const moved = await mia.call(calls.changeSubscriber, {
      params: { id: subscriber.id },
      body: { folder: agencies.id, name: 'Ours too' },
    })
    expect(moved).toMatchObject({ folderName: 'Press', name: 'Ours too', shareKey })
    await mia.call(calls.removeSubscriber, { params: { id: subscriber.id } })
    for (const folder of [pool, elsewhere, agencies]) expect(await remove(folder.id)).toEqual({ done: true })
    await mia.call(calls.removePublisher, { params: { id } })
  })

  it('[USER-005] a subscriber has a name, a folder in scope, and an existing key that the group has not entered yet', async () => {
    const first = await publish('First')
    const second = await publish('Second')
    await expect(subscribe('no-such-key')).rejects.toMatchObject(keyRefused)
    const held = await subscribe(first.shareKey)
    await expect(subscribe(first.shareKey)).rejects.toMatchObject(keyRefused)
    const other = await subscribe(second.shareKey)
    const change = (body: object) => sofia.call(calls.changeSubscriber, { params: { id: other.id }, body })
    await expect(change({ shareKey: first.shareKey })).rejects.toMatchObject(keyRefused)
    await expect(change({ shareKey: 'no-such-key' })).rejects.toMatchObject(keyRefused)
    await sofia.call(calls.removeSubscriber, { params: { id: held.id } })
    expect(await change({ shareKey: first.shareKey })).toMatchObject({ publisher: 'First' })
    for (const name of [' ', 'x'.repeat(33)])
      await expect(subscribe(second.shareKey, { name })).rejects.toMatchObject({ code: 400 })
    for (const folder of ['root-london', 'nowhere'])
      await expect(subscribe(second.shareKey, { folder })).rejects.toMatchObject({ code: 404 })
    const { items } = await sofia.call(calls.subscribers, { query: { sortBy: 'folderName' } })
    expect(items.map(({ name }) => name)).toEqual(['Pool'])
    await sofia.call(calls.removeSubscriber, { params: { id: other.id } })
    for (const { id } of [first, second]) await mia.call(calls.removePublisher, { params: { id } })
  })

  it('[ACCESS-006] is for media group administrators and super users only', async () => {
    for (const username of ['nora', 'olivia', 'reed']) {
      const browser = await fleet.signedIn(username)
      for (const call of [calls.publishers, calls.subscribers, calls.folders])
        await expect(browser.call(call, { query: {} })).rejects.toMatchObject({
          code: 403,
          message: 'Not available for your user type',
        })
    }
    const root = await fleet.signedIn('root')
    expect((await root.call(calls.folders, { query: {} })).total).toBe(3)
  })
})
