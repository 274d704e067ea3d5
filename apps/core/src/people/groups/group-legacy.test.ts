import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import type { Browser } from '../../testing.ts'

const calls = api.groupLegacy

describe.each(enginesOfNight)('the older calls about groups on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let unit: TestDevice
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('U-one')
    nora = await fleet.signedIn('nora')
  })
  afterAll(() => fleet.remove())

  const names = async () => (await nora.call(api.groups.all, {})).map(({ name }) => name)

  it('[GROUP-003] make, change, show and remove groups', async () => {
    const bare = await nora.call(calls.add, { body: { inventoryUid: 'north', name: 'Bare' } })
    expect(bare).toMatchObject({ name: 'Bare', inventory: 'north', units: [], users: [] })
    const full = await nora.call(calls.addDetails, {
      body: { inventoryUid: 'north', name: 'Full', units: [unit.id], users: ['us-olivia'] },
    })
    expect(full).toMatchObject({ name: 'Full', units: [unit.id], users: ['us-olivia'] })
    const renamed = await nora.call(calls.update, { body: { groupUid: bare.uid, name: 'Bare-2' } })
    expect(renamed).toEqual({ ...bare, name: 'Bare-2' })
    const changed = await nora.call(calls.updateDetails, {
      body: { groupUid: bare.uid, units: [unit.id], unitAutoAssociation: true },
    })
    expect(changed).toEqual({ ...renamed, units: [unit.id], unitAutoAssociation: true })
    expect(await nora.call(calls.fetchDetails, { query: { groupUid: bare.uid } })).toEqual([changed])
    const ofNorth = await nora.call(calls.fetchDetails, { query: { inventoryUid: 'north' } })
    expect(ofNorth.map(({ name }) => name)).toEqual(['Bare-2', 'Full', 'Leeds-News', 'London-News'])
    const machines = await nora.call(calls.fetchMachineGroups, {})
    expect(machines).toEqual([{ machineUid: unit.id, groups: [bare.uid, full.uid, 'london'].toSorted() }])
    const sam = await fleet.signedIn('sam')
    expect(await sam.call(calls.fetchMachineGroups, {})).toEqual([])
    await nora.call(calls.removeMultiple, { body: { groupUids: [bare.uid, full.uid] } })
    expect(await names()).toEqual(['Leeds-News', 'London-News'])
  })

  it('[SHELL-029] refuse what the newer calls refuse, and remove all or none', async () => {
    const { uid } = await nora.call(calls.add, { body: { inventoryUid: 'north', name: 'Third' } })
    await nora.call(api.client.savePreferences, { body: { groupId: 'leeds' } })
    for (const [other, message] of [
      ['cairo', 'Group not found.'],
      ['leeds', 'The current group cannot be deleted.'],
    ] as const) {
      const removed = nora.call(calls.removeMultiple, { body: { groupUids: [uid, other] } })
      await expect(removed).rejects.toMatchObject({ message })
    }
    expect(await names()).toContain('Third')
    const taken = nora.call(calls.update, { body: { groupUid: uid, name: 'London-News' } })
    await expect(taken).rejects.toMatchObject({ code: 409, message: 'Name field has to be unique' })
    await expect(nora.call(calls.fetchDetails, { query: {} })).rejects.toMatchObject({
      fields: [fault('groupUid', 'field.required')],
    })
    const strange = nora.call(calls.fetchDetails, { query: { inventoryUid: 'south' } })
    await expect(strange).rejects.toMatchObject({ code: 404 })
    await nora.call(calls.removeMultiple, { body: { groupUids: [uid] } })
  })

  it('[GROUP-008] a group takes new units, and new channels and users, of its customer automatically where it is set so', async () => {
    const { groups, users } = fleet.core
    const params = { id: 'leeds' }
    const set = (body: object) => nora.call(api.groupAdministration.change, { params, body })
    const membersOf = async (id: string) => await groups.ofMember('unit', id)
    const person = { password: 'Correct-horse-7', firstName: 'New', lastName: 'Person', groups: [] }
    const join = (username: string) =>
      users.ensure({ ...person, id: username, username, userType: 'regular', inventories: ['north'] })

    await set({ unitAutoAssociation: true })
    const second = await fleet.unit('U-two')
    const server = await fleet.server('MCR', 1)
    await join('nina')
    const foreign = await fleet.unit('U-cairo', { registrationKey: 'key-cairo' })
    expect(await membersOf(second.id)).toEqual(['leeds', 'london'])
    expect(fleet.core.devices.memberships.groupsOf('unit', second.id).toSorted()).toEqual(['leeds', 'london'])
    expect(await membersOf(unit.id)).toEqual(['london'])
    expect(await membersOf(foreign.id)).toEqual(['cairo'])
    await expect.poll(() => groups.ofMember('channel', server.channelIds[0] ?? '')).toEqual(['london'])
    expect(await groups.ofMember('user', 'nina')).toEqual([])

    await set({ unitAutoAssociation: false, globalAutoAssociation: true })
    const third = await fleet.unit('U-three')
    const more = await fleet.server('MCR-B', 1)
    await join('nils')
    expect(await membersOf(third.id)).toEqual(['london'])
    await expect.poll(() => groups.ofMember('channel', more.channelIds[0] ?? '')).toEqual(['leeds', 'london'])
    expect(await groups.ofMember('user', 'nils')).toEqual(['leeds'])
  })
})
