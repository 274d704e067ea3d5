import { api as contract } from '@backhaul/contract/api/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everything, type Scope } from '../../database/scope.ts'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestCore, people, type TestCore } from '../../testing.ts'

const { client, groups: calls } = contract

describe.each(enginesOfNight)('groups and customers on %s', (engine) => {
  let test: TestCore
  beforeAll(async () => {
    test = await createTestCore(engine)
  })
  afterAll(() => test.remove())

  /** The scope of each user: vendor staff see all, administrators their customer, others the groups they belong to. */
  const expected: Record<string, { groups: string[]; inventories: string[] }> = {
    root: { groups: ['cairo', 'leeds', 'london'], inventories: ['north', 'south'] },
    nora: { groups: ['leeds', 'london'], inventories: ['north'] },
    olivia: { groups: ['london'], inventories: ['north'] },
    reed: { groups: ['leeds', 'london'], inventories: ['north'] },
    sam: { groups: ['cairo'], inventories: ['south'] },
    vera: { groups: [], inventories: ['north'] },
  }

  it('[GROUP-001] shows each user only their own groups and customers, in every call', async () => {
    for (const [username] of people) {
      const browser = await test.signedIn(username)
      const light = await browser.call(client.lightGroups, {})
      expect([username, light.map((group) => group.uid)]).toEqual([username, expected[username]?.groups])
      const inventories = await browser.call(calls.inventories, { query: {} })
      expect([username, inventories.map(({ id }) => id)]).toEqual([username, expected[username]?.inventories])
      for (const uid of ['london', 'leeds', 'cairo', 'nowhere']) {
        const answer = browser.call(client.groupFeatures, { query: { uid } })
        if (expected[username]?.groups.includes(uid)) expect((await answer).ExternalPreview).toBe(false)
        else await expect(answer).rejects.toMatchObject({ code: 404, message: 'Group not found.' })
      }
      if (username === 'vera') continue
      const all = await browser.call(calls.all, {})
      expect([username, all.map((group) => group.uid)]).toEqual([username, expected[username]?.groups])
    }
  })

  it('gives the short list in the order of names, with the customer', async () => {
    const nora = await test.signedIn('nora')
    expect(await nora.call(client.lightGroups, {})).toEqual([
      { uid: 'leeds', name: 'Leeds-News', inventoryId: 'north', inventoryName: 'North Broadcasting' },
      { uid: 'london', name: 'London-News', inventoryId: 'north', inventoryName: 'North Broadcasting' },
    ])
  })

  it('lists groups with their members', async () => {
    const reed = await test.signedIn('reed')
    const [leeds, london] = await reed.call(calls.all, {})
    expect(leeds).toMatchObject({
      uid: 'leeds',
      inventory: 'north',
      users: ['us-reed'],
      units: [],
      channels: [],
    })
    expect(london).toMatchObject({
      uid: 'london',
      users: ['us-olivia', 'us-reed'],
      unitAutoAssociation: false,
    })
  })

  it('finds customers by a part of their name', async () => {
    const root = await test.signedIn('root')
    const found = await root.call(calls.inventories, { query: { name: 'BROAD' } })
    expect(found).toEqual([{ id: 'north', name: 'North Broadcasting' }])
    expect(await root.call(calls.inventories, { query: { limit: 1 } })).toHaveLength(1)
    await expect(root.call(calls.inventories, { query: { limit: 0 } })).rejects.toMatchObject({
      fields: [{ field: 'limit', message: 'Must be 1 or more' }],
    })
  })

  it('[GROUP-009] names the features that the customer has', async () => {
    const properties = { mapView: true, reboot: true, lux: false, vsim: false, ptmp: true, gauge: false }
    const more = {
      socialMedia: true,
      externalPreview: true,
      mjpegPreview: false,
      multipointContributor: false,
    }
    const { inventories, groups } = test.core
    await inventories.ensure({ id: 'west', name: 'West', properties: { ...properties, ...more } })
    await groups.ensure({ id: 'bristol', inventoryId: 'west', name: 'Bristol' })
    expect(await groups.features(everything, 'bristol')).toEqual({
      ExternalPreview: true,
      MapView: true,
      Reboot: true,
      Lux: false,
      Vsim: false,
      Ptmp: true,
      Gauge: false,
      SocialMedia: true,
      MjpegPreview: false,
      MultipointContributor: false,
    })
    await inventories.setProperty('north', 'externalPreview', true)
    const olivia = await test.signedIn('olivia')
    const fetch = (uid: string) => olivia.call(client.groupFeatures, { query: { uid } })
    expect(await fetch('london')).toMatchObject({ ExternalPreview: true, Ptmp: false })
    await expect(fetch('bristol')).rejects.toMatchObject({ status: 404 })
    await inventories.setProperty('north', 'externalPreview', false)
  })

  it('does not change a group that exists already', async () => {
    const { groups } = test.core
    const first = await groups.ensure({ id: 'york', inventoryId: 'north', name: 'York' })
    const again = await groups.ensure({ id: 'york', inventoryId: 'north', name: 'New-York' })
    expect(again).toEqual(first)
    expect(first.registrationKey).toMatch(/^[\w-]{20}$/)
    expect(await groups.keys.find(first.registrationKey)).toEqual(first)
    expect(await groups.keys.find('guessed')).toBeUndefined()
  })

  it('emits an event when a membership changed, and only then', async () => {
    const { groups, events } = test.core
    const changed: string[] = []
    const stop = events.on('groupChanged', ({ groupId }) => changed.push(groupId))
    const persons: string[] = []
    const stopPerson = events.on('userScopeChanged', ({ userId }) => persons.push(userId))
    await groups.addMember('leeds', 'user', 'us-nora')
    await groups.addMember('leeds', 'user', 'us-nora')
    expect(await groups.ofMember('user', 'us-nora')).toEqual(['leeds'])
    expect(await groups.memberships('user')).toContainEqual({ groupId: 'leeds', memberId: 'us-nora' })
    for (let time = 0; time < 2; time++) {
      const notify = await test.db
        .transaction()
        .execute((transaction) => groups.leave(transaction, 'leeds', 'user', 'us-nora'))
      notify()
    }
    stop()
    stopPerson()
    expect(persons).toEqual(['us-nora', 'us-nora'])
    expect(changed).toEqual(['leeds', 'leeds'])
    expect(await groups.members(everything, 'leeds', 'user')).toEqual(['us-reed'])
    const noScope: Scope = { ...everything, everything: false, wholeInventories: false }
    await expect(groups.members(noScope, 'leeds', 'user')).rejects.toMatchObject({ status: 404 })
  })
})
