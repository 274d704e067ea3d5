import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { english } from '@backhaul/contract/define/refusals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { type Browser, createTestCore, type TestCore } from '../../testing.ts'

describe.each(enginesOfNight)('system settings on %s', (engine) => {
  let test: TestCore
  let root: Browser
  beforeEach(async () => {
    test = await createTestCore(engine)
    root = await test.signedIn('root')
  })
  afterEach(() => test.remove())

  const tube = { name: 'Tube', domain: 'live.tube.example', application: 'live2', secure: true, icon: '' }
  const newProvider = async (name = 'Tube') =>
    (await root.call(api.streamProviders.create, { body: { ...tube, name } })).id
  const profile = (provider: string, name: string, main = false) =>
    root.call(api.streamProfiles.create, {
      body: { provider, name, main, bitRate: 4500, resolution: 720 },
    })

  it('[STAFF-006] keep stream providers, their profiles and media profiles, and remove none in use', async () => {
    const [id, other] = [await newProvider(), await newProvider('Face')]
    const names = async (query: object) =>
      (await root.call(api.streamProviders.list, { query })).items.map(({ name }) => name)
    expect(await names({})).toEqual(['Face', 'Tube'])
    expect(await names({ search: 'TU' })).toEqual(['Tube'])
    expect(await names({ sort: 'name,desc', limit: 1 })).toEqual(['Tube'])
    const changed = { ...tube, domain: 'eu.tube.example:1936', secure: false }
    expect(await root.call(api.streamProviders.change, { params: { id }, body: changed })).toEqual({
      id,
      ...changed,
    })
    const media = { provider: id, domain: 'us.tube.example', name: 'High', videoBitrate: 8000 }
    const { id: mediaId } = await root.call(api.streamMediaProfiles.create, { body: media })
    const inUse = { status: 409, message: 'Stream provider is in use and cannot be deleted.' }
    const remove = () => root.call(api.streamProviders.remove, { params: { id } })
    await expect(remove()).rejects.toMatchObject(inUse)
    await root.call(api.streamMediaProfiles.remove, { params: { id: mediaId } })
    const { id: profileId } = await profile(id, 'Standard')
    await expect(remove()).rejects.toMatchObject(inUse)
    await root.call(api.streamProfiles.remove, { params: { id: profileId } })
    await remove()
    await expect(remove()).rejects.toMatchObject({ status: 404, message: 'Stream provider not found.' })
    await expect(profile(id, 'Late')).rejects.toMatchObject({ status: 404 })
    expect((await profile(other, 'Standard')).provider).toBe(other)
  })

  it('[STAFF-006] let a provider have one main profile, and each name once', async () => {
    const [id, other] = [await newProvider(), await newProvider('Face')]
    const { id: first } = await profile(id, 'Standard', true)
    const message = english('socialMedia.mainProfile')
    const second = { status: 409, message, fields: [{ field: 'main', message }] }
    await expect(profile(id, 'High', true)).rejects.toMatchObject(second)
    const { id: high } = await profile(id, 'High')
    await profile(other, 'Standard', true)
    const body = { provider: id, name: 'High', main: true, bitRate: 6000, resolution: 1080 as const }
    const makeMain = () => root.call(api.streamProfiles.change, { params: { id: high }, body })
    await expect(makeMain()).rejects.toMatchObject(second)
    const params = { id: first }
    await root.call(api.streamProfiles.change, { params, body: { ...body, name: 'Standard', main: false } })
    expect(await makeMain()).toEqual({ id: high, ...body })
    const taken = { status: 409, fields: [fault('name', 'field.notUnique')] }
    await expect(profile(id, 'HIGH')).rejects.toMatchObject(taken)
    await expect(newProvider('tube')).rejects.toMatchObject(taken)
    for (const [field, value] of [
      ['domain', 'http://tube.example/live'],
      ['domain', 'tube.example/../x'],
      ['application', '/live'],
      ['name', ' '],
    ] as const)
      await expect(
        root.call(api.streamProviders.create, { body: { ...tube, name: 'New', [field]: value } }),
      ).rejects.toMatchObject({ status: 400, fields: [{ field }] })
    for (const videoBitrate of [1999, 8001])
      await expect(
        root.call(api.streamMediaProfiles.create, {
          body: { provider: id, domain: 'tube.example', name: 'X', videoBitrate },
        }),
      ).rejects.toMatchObject({ status: 400, fields: [{ field: 'videoBitrate' }] })
  })

  it('keep client applications and modem vendors, each once', async () => {
    const body = {
      name: 'Field app',
      version: '3.10',
      url: 'https://north.example/app',
      minimumVersion: '3.9',
    }
    const { id } = await root.call(api.clientApplications.create, { body })
    expect((await root.call(api.clientApplications.list, { query: {} })).items).toEqual([{ id, ...body }])
    for (const [field, value] of [
      ['minimumVersion', '3.11'],
      ['version', 'new'],
      ['url', 'javascript:alert(1)'],
    ] as const)
      await expect(
        root.call(api.clientApplications.create, { body: { ...body, name: 'Other', [field]: value } }),
      ).rejects.toMatchObject({
        status: 400,
        fields: expect.arrayContaining([expect.objectContaining({ field })]),
      })
    const again = root.call(api.clientApplications.create, { body })
    await expect(again).rejects.toMatchObject({ status: 409, fields: [{ field: 'name' }] })
    const maker = { vendor: 'North Radio', models: 'NR-5G', type: 'cellular' as const, scanSupported: true }
    const made = await root.call(api.modemVendors.create, { body: maker })
    await root.call(api.modemVendors.create, { body: { ...maker, type: 'satellite' } })
    const twice = root.call(api.modemVendors.create, { body: maker })
    await expect(twice).rejects.toMatchObject({ status: 409, fields: [{ field: 'vendor' }] })
    await root.call(api.modemVendors.remove, { params: { id: made.id } })
    expect((await root.call(api.modemVendors.list, { query: {} })).total).toBe(1)
  })

  it('[STAFF-003] associate an organization with an inventory once, and count its users by that', async () => {
    const north = { name: 'North', externalUid: 'north.example', defaultRole: null, maxUsers: 1 }
    const { id } = await root.call(api.organizations.create, { body: north })
    const body = { organization: id, inventory: 'north' }
    const made = await root.call(api.organizationInventories.create, { body })
    expect(made).toMatchObject(body)
    await expect(root.call(api.organizationInventories.create, { body })).rejects.toMatchObject({
      status: 409,
      message: 'Association exists.',
      fields: [fault('inventory', 'field.notUnique')],
    })
    const moved = { ...body, inventory: 'south' }
    const params = { id: made.id }
    const after = await root.call(api.organizationInventories.change, { params, body: moved })
    const again = root.call(api.organizationInventories.change, { params: { id: after.id }, body: moved })
    expect(await again).toMatchObject(moved)
    await expect(
      root.call(api.organizationInventories.create, { body: { ...body, inventory: 'none' } }),
    ).rejects.toMatchObject({ status: 404, message: 'Inventory not found.' })
    const found = (search: string) => root.call(api.organizationInventories.list, { query: { search } })
    expect([(await found('south')).total, (await found('leeds')).total]).toEqual([1, 0])
    const inUse = { status: 409, message: 'Organization is in use and cannot be deleted.' }
    await expect(root.call(api.organizations.remove, { params: { id } })).rejects.toMatchObject(inUse)

    // The limit of users applies from now on.
    const user = {
      username: 'newcomer',
      firstName: 'New',
      lastName: 'Comer',
      email: 'new@south.example',
      userType: 'regular',
      inventories: ['south'],
      groups: ['cairo'],
    }
    const password = 'Fresh-one-7'
    const add = { body: { ...user, password, passwordConfirmation: password } as never }
    await expect(root.call(api.users.create, add)).rejects.toMatchObject({ status: 409 })
    await root.call(api.organizations.change, { params: { id }, body: { ...north, maxUsers: null } })
    await root.call(api.users.create, add)
    await root.call(api.organizationInventories.remove, { params: { id: after.id } })
    await root.call(api.organizations.remove, { params: { id } })
    expect((await root.call(api.organizations.list, { query: {} })).total).toBe(0)
  })

  it('[STAFF-003] keep organizations unique by name and external name, and are for super users only', async () => {
    const north = {
      name: 'North',
      externalUid: 'n.example',
      defaultRole: 'luc_regular',
      maxUsers: 5,
    } as const
    const create = (changes: object) =>
      root.call(api.organizations.create, { body: { ...north, ...changes } })
    expect(await create({})).toEqual({ id: expect.any(String), ...north })
    for (const [field, changes] of [
      ['name', { name: 'NORTH', externalUid: 'other' }],
      ['externalUid', { name: 'Other', externalUid: 'N.example' }],
    ] as const)
      await expect(create(changes)).rejects.toMatchObject({
        status: 409,
        fields: [fault(field, 'field.notUnique')],
      })
    await expect(create({ maxUsers: 0 })).rejects.toMatchObject({ fields: [{ field: 'maxUsers' }] })
    await expect(create({ defaultRole: 'super_user' })).rejects.toMatchObject({ status: 400 })
    const nora = await test.signedIn('nora')
    for (const { list } of [api.organizations, api.organizationInventories, api.streamProviders])
      await expect(nora.call(list, { query: {} })).rejects.toMatchObject({ status: 403 })
  })
})
