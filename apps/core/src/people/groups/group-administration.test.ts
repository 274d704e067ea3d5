import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { groupTopic } from '@backhaul/contract/push/groups'
import { topicName } from '@backhaul/contract/push/push'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.groupAdministration

describe.each(engines)('administration of groups on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let root: Browser
  let unit: TestDevice
  let stranger: TestDevice
  let server: TestDevice
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    server = await fleet.server('MCR', 2)
    unit = await fleet.unit('U-one')
    stranger = await fleet.unit('U-cairo', { registrationKey: 'key-cairo' })
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
    await fleet.pass()
  })
  afterAll(() => fleet.remove())

  const create = (name: string, more: object = {}, by = nora) =>
    by.call(calls.create, { body: { name, inventory: 'north', ...more } })
  const membershipsOf = async (unitId: string) => await fleet.core.groups.ofMember('unit', unitId)

  it('[GROUP-001] makes a group with members, shows it, changes it and removes it', async () => {
    const made = await create('York-News', {
      units: [unit.id],
      channels: server.channelIds,
      users: ['us-olivia'],
      unitAutoAssociation: true,
    })
    expect(made).toMatchObject({
      name: 'York-News',
      inventory: 'north',
      createdOn: new Date(fleet.clock.nowMs()).toISOString(),
      units: [unit.id],
      users: ['us-olivia'],
      vrChannels: [],
      unitAutoAssociation: true,
      globalAutoAssociation: false,
      alertsMode: 'automatic',
    })
    expect(made.channels.toSorted()).toEqual(server.channelIds.toSorted())
    const params = { id: made.uid }
    for (const call of [calls.one, calls.oneNewForm]) expect(await nora.call(call, { params })).toEqual(made)
    const olivia = await fleet.signedIn('olivia')
    expect((await olivia.call(api.client.lightGroups, {})).map(({ uid }) => uid)).toContain(made.uid)

    const body = { name: 'York-Sport', units: [], globalAutoAssociation: true }
    expect(await nora.call(calls.change, { params, body })).toEqual({ ...made, ...body })
    const again = { users: ['us-reed'] }
    expect(await nora.call(calls.changeNewForm, { params, body: again })).toEqual({
      ...made,
      ...body,
      ...again,
    })
    expect((await olivia.call(api.client.lightGroups, {})).map(({ uid }) => uid)).not.toContain(made.uid)

    expect(await nora.call(calls.remove, { params })).toEqual({ done: true })
    await expect(nora.call(calls.removeNewForm, { params })).rejects.toMatchObject({ code: 404 })
    expect(await membershipsOf(unit.id)).toEqual(['london'])
    expect(fleet.core.channels.known(server.channelIds[0] ?? '')).toBeDefined()
  })

  it('[GROUP-001] lists the groups page by page, searched and sorted in both styles', async () => {
    const names = async (query: object, by = root) => {
      const { items, total } = await by.call(calls.list, { query })
      return [items.map(({ uid }) => uid), total]
    }
    expect(await names({})).toEqual([['cairo', 'leeds', 'london'], 3])
    expect(await names({}, nora)).toEqual([['leeds', 'london'], 2])
    expect(await names({ limit: 1, offset: 1, sortBy: 'name', sortDir: 'desc' })).toEqual([['leeds'], 3])
    expect(await names({ sort: 'inventory,desc', limit: 1 })).toEqual([['cairo'], 3])
    expect(await names({ searchValue: 'LON' })).toEqual([['london'], 1])
    expect(await names({ search: 'news', searchKey: 'inventory', searchValue: 'south' })).toEqual([
      ['cairo'],
      1,
    ])
    const refused = nora.call(calls.list, { query: { sortBy: 'shoeSize' } })
    await expect(refused).rejects.toMatchObject({
      fields: [fault('sortBy', because('field.oneOf', { values: 'name, inventory, createdOn' }))],
    })
    const ofSouth = await root.call(calls.ofInventory, { params: { id: 'south' }, query: {} })
    expect(ofSouth).toMatchObject({ items: [{ uid: 'cairo' }], total: 1, offset: 0, limit: 50 })
    await expect(nora.call(calls.ofInventory, { params: { id: 'south' }, query: {} })).rejects.toMatchObject({
      code: 404,
      message: 'Inventory not found.',
    })
  })

  it('[GROUP-002] keeps channels that return video apart from those that receive it', async () => {
    await fleet.server('Returns', 2, { product: 'Video Return Server' })
    await fleet.pass()
    const choices = await nora.call(calls.choices, { params: { id: 'north' }, query: { kind: 'vrChannel' } })
    expect(choices.items).toMatchObject([{ name: 'Returns-1', note: 'Returns' }, { name: 'Returns-2' }])
    const [first = '', second = ''] = choices.items.map(({ uid }) => uid)
    const params = { id: 'leeds' }
    const group = () => nora.call(calls.one, { params })
    const names = async (call: typeof calls.channels | typeof calls.vrChannels, query = {}) =>
      (await nora.call(call, { params, query })).items.map(({ name }) => name)
    const one = { groupId: 'leeds', id: first }
    await nora.call(calls.addVrChannel, { params: one })
    await nora.call(calls.addChannel, { params: { groupId: 'leeds', channelId: server.channelIds[0] ?? '' } })
    expect(await group()).toMatchObject({ vrChannels: [first], channels: [server.channelIds[0]] })
    expect(await names(calls.vrChannels)).toEqual(['Returns-1'])
    expect(await names(calls.channels)).toEqual([expect.stringMatching(/^MCR-/)])

    // Each list is set independently of the other.
    await nora.call(calls.change, { params, body: { vrChannels: [second] } })
    expect(await group()).toMatchObject({ vrChannels: [second], channels: [server.channelIds[0]] })
    await nora.call(calls.change, { params, body: { channels: [] } })
    expect(await group()).toMatchObject({ vrChannels: [second], channels: [] })
    expect(await names(calls.vrChannels, { offset: 1 })).toEqual([])

    const absent = { code: 404 }
    for (const refusal of [
      () => nora.call(calls.addVrChannel, { params: { ...one, id: server.channelIds[0] ?? '' } }),
      () => nora.call(calls.addChannel, { params: { groupId: 'leeds', channelId: second } }),
      () => nora.call(calls.removeChannel, { params: { groupId: 'leeds', channelId: second } }),
      () => nora.call(calls.removeVrChannel, { params: one }),
    ])
      await expect(refusal()).rejects.toMatchObject(absent)
    await nora.call(calls.removeVrChannel, { params: { ...one, id: second } })
    expect(await group()).toMatchObject({ vrChannels: [] })
    await nora.call(calls.change, { params: { id: 'london' }, body: { vrChannels: [] } })
  })

  it('[GROUP-002] shows members and possible members page by page', async () => {
    const params = { id: 'london' }
    expect(await nora.call(calls.units, { params, query: {} })).toEqual({
      items: [{ uid: unit.id, name: 'U-one', note: 'LU-600', isBusy: false, expiresAt: null }],
      total: 1,
      offset: 0,
      limit: 50,
    })
    const channels = await nora.call(calls.channels, { params, query: { limit: 1, offset: 1 } })
    expect(channels).toMatchObject({ items: [{ name: 'MCR-2', note: 'PREVIEW_CHANNEL' }], total: 2 })
    const users = await nora.call(calls.users, { params, query: {} })
    expect(users.items).toMatchObject([{ name: 'olivia', note: 'Olivia Tester' }, { name: 'reed' }])
    const choices = (kind: 'unit' | 'user', searchValue?: string) =>
      nora.call(calls.choices, { params: { id: 'north' }, query: { kind, searchValue } })
    expect((await choices('unit')).items.map(({ name }) => name)).toEqual(['U-one'])
    expect((await choices('user', 'EE')).items.map(({ name }) => name)).toEqual(['reed'])
  })

  it('[GROUP-002] adds and removes a single unit or channel', async () => {
    const channelId = server.channelIds[0] ?? ''
    const asUnit = { params: { groupId: 'leeds', id: unit.id } }
    const asChannel = { params: { groupId: 'leeds', channelId } }
    await nora.call(calls.addUnit, asUnit)
    await nora.call(calls.addUnit, asUnit)
    await nora.call(calls.addChannel, asChannel)
    const leeds = await nora.call(calls.one, { params: { id: 'leeds' } })
    expect(leeds).toMatchObject({ units: [unit.id], channels: [channelId] })
    await nora.call(calls.removeUnit, asUnit)
    await nora.call(calls.removeChannel, asChannel)
    await expect(nora.call(calls.removeUnit, asUnit)).rejects.toMatchObject({ message: 'Unit not found.' })
    await expect(nora.call(calls.removeChannel, asChannel)).rejects.toMatchObject({
      message: 'Channel not found.',
    })
    const after = await nora.call(calls.one, { params: { id: 'leeds' } })
    expect(after).toMatchObject({ units: [], channels: [] })
  })

  it('[SHELL-029] refuses names that break the rules, with the field', async () => {
    const refusal = (name: string, code: number, message: string) =>
      expect(create(name)).rejects.toMatchObject({
        code,
        fields: expect.arrayContaining([expect.objectContaining({ field: 'name', message })]),
      })
    await refusal('', 400, 'This field is required')
    await refusal('two words', 400, 'Only letters, numbers, underscores and hyphens are allowed.')
    await refusal('x'.repeat(256), 400, 'Must be no more than 255 characters')
    await refusal('Leeds-News', 409, 'Name field has to be unique')
    const renamed = nora.call(calls.change, { params: { id: 'london' }, body: { name: 'Leeds-News' } })
    await expect(renamed).rejects.toMatchObject({ code: 409, fields: [{ field: 'name' }] })
    const same = await create('Leeds-News', { inventory: 'south' }, root)
    await root.call(calls.remove, { params: { id: same.uid } })
  })

  it('keeps customers apart: neither groups nor members of another', async () => {
    await expect(create('Mine', { inventory: 'south' })).rejects.toMatchObject({ code: 404 })
    for (const by of [nora, root]) {
      const requested: [object, string][] = [
        [{ units: [unit.id, stranger.id] }, 'Unit not found.'],
        [{ channels: ['nowhere'] }, 'Channel not found.'],
        [{ users: ['us-sam'] }, 'User not found.'],
      ]
      for (const [members, message] of requested) {
        await expect(create('Mixed', members, by)).rejects.toMatchObject({ code: 404, message })
        const changed = by.call(calls.change, {
          params: { id: 'london' },
          body: { name: 'Half', ...members },
        })
        await expect(changed).rejects.toMatchObject({ code: 404, message })
      }
      const added = by.call(calls.addUnit, { params: { groupId: 'london', id: stranger.id } })
      await expect(added).rejects.toMatchObject({ code: 404, message: 'Unit not found.' })
    }
    // A refused change stores nothing.
    const { items } = await root.call(calls.list, { query: {} })
    expect(items.map(({ name }) => name)).toEqual(['Cairo-News', 'Leeds-News', 'London-News'])
    expect(await membershipsOf(stranger.id)).toEqual(['cairo'])
  })

  it('[GROUP-001] refuses to delete the current group and one with a busy member', async () => {
    const made = await create('Bath', { units: [unit.id], channels: server.channelIds })
    const remove = () => nora.call(calls.remove, { params: { id: made.uid } })
    await nora.call(api.client.savePreferences, { body: { groupId: made.uid } })
    await expect(remove()).rejects.toMatchObject({
      code: 409,
      message: 'The current group cannot be deleted.',
    })
    await nora.call(api.client.savePreferences, { body: { groupId: 'london' } })
    const channelId = server.channelIds[0] ?? ''
    server.telemetry(server.channelIds.map((id) => ({ channelId: id, status: 'idle' })))
    await until(() => fleet.core.channels.known(channelId)?.status === 'idle')
    await nora.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: channelId } })
    await expect(remove()).rejects.toMatchObject({
      code: 409,
      message: `The group has busy members: U-one, ${fleet.core.channels.known(channelId)?.name}.`,
    })
    await nora.call(api.unitCommands.stop, { params: { id: unit.id } })
    unit.report({ applications: {}, transmissionId: null })
    await fleet.pass()
    await until(() => fleet.core.channels.known(server.channelIds[0] ?? '')?.allocatedToUnitUid === null)
    await remove()
  })

  it('sends each join and leave to followers of the group, and ends subscriptions that are no longer allowed', async () => {
    const made = await create('Hull', { users: ['us-olivia'] })
    const olivia = await fleet.signedIn('olivia')
    const second = await fleet.unit('U-two', { registrationKey: 'key-leeds' })
    const topic = topicName(groupTopic, made.uid)
    const follower = await fleet.follow(olivia, [topic])
    const at = { params: { groupId: made.uid, id: second.id } }
    const membership = { group: made.uid, device: second.id, at: expect.any(Number) }
    const news = (kind: string) => follower.messages.find((one) => one.kind === kind && one.from > 0)
    await nora.call(calls.addUnit, at)
    await fleet.pass()
    await until(() => news('deviceAdded') !== undefined)
    expect(news('deviceAdded')?.data).toEqual({ added: membership })
    follower.subscribe([`unit.${second.id}`])
    await until(() => follower.messages.some((one) => one.topic === `unit.${second.id}`))
    await nora.call(calls.removeUnit, at)
    await fleet.pass()
    await until(() => news('deviceRemoved') !== undefined)
    expect(news('deviceRemoved')?.data).toEqual({ removed: membership })
    await expect(olivia.call(api.units.one, { params: { id: second.id } })).rejects.toMatchObject({
      code: 404,
    })
    await nora.call(calls.remove, { params: { id: made.uid } })
    await until(() => follower.messages.some((one) => JSON.stringify(one).includes('"refused"')))
  })

  it('can be followed by an administrator whose socket is older than the group', async () => {
    const follower = await fleet.follow(nora)
    const made = await create('Derby')
    const topic = topicName(groupTopic, made.uid)
    await fleet.pass()
    // The rights are read again in the background, so the first request may come too early.
    await until(() => {
      follower.subscribe([topic])
      return follower.messages.some((one) => one.topic === topic)
    })
    await nora.call(calls.remove, { params: { id: made.uid } })
  })

  it('[GROUP-007] keeps a default configuration for each group', async () => {
    const { uid: id } = await create('Ripon')
    const params = { id }
    const read = () => nora.call(calls.defaultConfiguration, { params })
    expect(await read()).toBeNull()
    const first = { videoComplexity: 'medium', audioBitrate: 128 } as const
    expect(await nora.call(calls.makeDefaultConfiguration, { params, body: first })).toEqual(first)
    const again = nora.call(calls.makeDefaultConfiguration, { params, body: {} })
    await expect(again).rejects.toMatchObject({ code: 409 })
    const second = { adaptiveResolution: true, ntp: true, storeAndForwardEncoder: 'H.264/AVC' } as const
    await nora.call(calls.changeDefaultConfiguration, { params, body: second })
    expect(await read()).toEqual(second)
    for (const network of [
      { ipAddress: '192.0.2.1' },
      { totalLimitKbps: 8000 },
      { linkMode: 'fixedInternet' },
    ]) {
      const refused = nora.call(calls.changeDefaultConfiguration, { params, body: network as object })
      await expect(refused).rejects.toMatchObject({ code: 400 })
    }
    expect((await nora.call(calls.one, { params })).defaultConfiguration).toEqual(second)
    await nora.call(calls.remove, { params })
  })

  it('records changes in the audit log', async () => {
    const made = await create('Ely')
    await nora.call(calls.change, { params: { id: made.uid }, body: { name: 'Ely-2' } })
    await nora.call(calls.remove, { params: { id: made.uid } })
    const rows = await fleet.db.selectFrom('audit').selectAll().where('object_id', '=', made.uid).execute()
    expect(rows.map(({ action, inventory_id, result }) => [action, inventory_id, result]).toSorted()).toEqual(
      [
        ['groupAdministration.change', 'north', 'done'],
        ['groupAdministration.create', 'north', 'done'],
        ['groupAdministration.remove', 'north', 'done'],
      ],
    )
  })
})
