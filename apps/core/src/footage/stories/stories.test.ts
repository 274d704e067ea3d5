import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import type { NewStory } from '@backhaul/contract/nouns/stories'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { type Browser, password } from '../../testing.ts'

const { list, count, ofUnit, create, change, remove, assign, unassign } = api.stories
const id = 'north'
const notFound = { code: 404 }

describe.each(enginesOfNight)('stories on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let olivia: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('U-1')
    await fleet.pass()
    olivia = await fleet.signedIn('olivia')
  })
  afterEach(() => fleet.remove())

  const write = (story: Partial<NewStory>, by = olivia) =>
    by.call(create, { params: { id }, body: story as never })
  const sluglines = async (query = {}, by = olivia) =>
    (await by.call(list, { params: { id }, query })).items.map(({ slugline }) => slugline)
  const ofUnitU1 = async () =>
    (await olivia.call(ofUnit, { params: { id, unit: unit.id } })).map(({ slugline }) => slugline)
  const wantedOf = () => unit.newest('wanted')?.state.settings
  const metadataNow = () => wantedOf()?.metadata
  const shown = async () => await olivia.call(api.units.one, { params: { id: unit.id } })

  it('[STORY-001] [STORY-002] are created with all their fields, listed, counted, changed and deleted', async () => {
    const all = {
      slugline: 'HARBOUR FIRE',
      crewName: 'Van 3',
      usageTerms: 'Europe only',
      provider: 'North',
      reporter: 'Ana Ruiz',
      keywords: 'fire, harbour',
      comments: 'Bring lights',
    }
    const story = await write(all)
    const lastModified = new Date(fleet.clock.nowMs()).toISOString()
    const { storyId } = story
    expect(story).toEqual({
      storyId,
      inventoryId: id,
      ...all,
      newsroomId: null,
      lastModified,
      assignedUnits: [],
      assignedUnitNames: [],
    })
    await write({ slugline: 'storm warning', reporter: 'Bo' })
    await write({ slugline: 'Election night', reporter: 'Cy' })
    expect(await sluglines()).toEqual(['Election night', 'HARBOUR FIRE', 'storm warning'])
    expect(await sluglines({ limit: 1, offset: 1, sort: 'slugline,desc' })).toEqual(['HARBOUR FIRE'])
    expect(await sluglines({ search: 'FIRE' })).toEqual(['HARBOUR FIRE'])
    expect(await sluglines({ searchKey: 'reporter', searchValue: 'bo' })).toEqual(['storm warning'])
    expect(await olivia.call(count, { params: { id } })).toEqual({ count: 3 })
    fleet.clock.advance(60_000)
    const params = { id, storyId }
    const later = new Date(fleet.clock.nowMs()).toISOString()
    const changed = await olivia.call(change, {
      params,
      body: { slugline: 'HARBOUR FIRE OUT', comments: '' },
    })
    expect(changed).toEqual({ ...story, slugline: 'HARBOUR FIRE OUT', comments: '', lastModified: later })
    await olivia.call(remove, { params })
    expect(await olivia.call(count, { params: { id } })).toEqual({ count: 2 })
    await expect(olivia.call(remove, { params })).rejects.toMatchObject({ message: 'Story not found.' })
    await expect(olivia.call(change, { params, body: {} })).rejects.toMatchObject(notFound)
  })

  it('[STORY-002] require a slugline, and accept at most 1024 characters in each field', async () => {
    const missing = { code: 400, fields: [fault('slugline', 'story.sluglineMissing')] }
    for (const slugline of [undefined, '', '  '])
      await expect(write(slugline === undefined ? {} : { slugline })).rejects.toMatchObject(missing)
    const { storyId } = await write({ slugline: 'x'.repeat(1024) })
    const params = { id, storyId }
    await expect(olivia.call(change, { params, body: { slugline: '' } })).rejects.toMatchObject(missing)
    const texts = ['slugline', 'crewName', 'usageTerms', 'provider', 'reporter', 'keywords', 'comments']
    for (const field of texts) {
      const tooLong = { code: 400, fields: [{ field, message: 'Must have at most 1024 characters' }] }
      const story = { slugline: 'FIRE', [field]: 'x'.repeat(1025) }
      await expect(write(story)).rejects.toMatchObject(tooLong)
      await expect(olivia.call(change, { params, body: story })).rejects.toMatchObject(tooLong)
    }
  })

  it('[STORY-002] [ACCESS-009] are read by all users of the customer, and written by all but read-only users', async () => {
    await write({ slugline: 'FIRE' })
    const user = { id: 'us-carl', username: 'carl', password, userType: 'contractor' as const }
    const names = { firstName: 'Carl', lastName: 'Tester', inventories: [id], groups: ['london'] }
    await fleet.core.users.ensure({ ...user, ...names })
    await fleet.core.users.ensure({ ...user, ...names, id: 'us-stan', username: 'stan' })
    await fleet.db.updateTable('users').set({ roles: '["staff"]' }).where('id', '=', 'us-stan').execute()
    for (const username of ['reed', 'stan']) {
      const browser = await fleet.signedIn(username)
      expect(await sluglines({}, browser)).toContain('FIRE')
      await expect(write({ slugline: 'MINE' }, browser)).rejects.toMatchObject({
        code: 403,
        message: 'Not available for your user type',
      })
    }
    for (const username of ['nora', 'carl', 'root'])
      expect(await write({ slugline: 'MORE' }, await fleet.signedIn(username))).toMatchObject({
        inventoryId: id,
      })
    const sam = await fleet.signedIn('sam')
    await expect(sluglines({}, sam)).rejects.toMatchObject(notFound)
    const own = await sam.call(create, { params: { id: 'south' }, body: { slugline: 'CAIRO' } as never })
    const foreign = { params: { id, storyId: own.storyId } }
    await expect(olivia.call(remove, foreign)).rejects.toMatchObject({ message: 'Story not found.' })
    const toUnit = { params: { id, unit: unit.id, storyId: own.storyId } }
    await expect(olivia.call(assign, toUnit)).rejects.toMatchObject({ message: 'Story not found.' })
  })

  it('[STORY-001] label what their unit sends: the one that was assigned last, with its present fields', async () => {
    const fire = await write({ slugline: 'FIRE; HARBOUR', reporter: 'Ana' })
    const storm = await write({ slugline: 'STORM' })
    const params = (storyId: string) => ({ params: { id, unit: unit.id, storyId } })
    // Labels that the story does not set are kept.
    const desk = { desk: 'Night' }
    unit.report({ settings: { metadata: desk, defaultMetadata: {} } })
    await fleet.pass()
    await olivia.call(assign, params(fire.storyId))
    await fleet.pass()
    const labels = { storyId: fire.storyId, slugline: 'FIRE, HARBOUR', reporter: 'Ana' }
    expect(metadataNow()).toEqual({ ...desk, ...labels })
    expect(wantedOf()?.defaultMetadata).toEqual(labels)
    expect((await shown()).story).toEqual({
      storyId: fire.storyId,
      newsroomId: null,
      slugline: 'FIRE; HARBOUR',
    })
    const [listed] = (await olivia.call(list, { params: { id }, query: { search: 'FIRE' } })).items
    expect(listed).toMatchObject({ assignedUnits: [unit.id], assignedUnitNames: ['U-1'] })

    await olivia.call(assign, params(storm.storyId))
    await fleet.pass()
    expect(await ofUnitU1()).toEqual(['STORM', 'FIRE; HARBOUR'])
    expect(metadataNow()).toEqual({ ...desk, storyId: storm.storyId, slugline: 'STORM' })
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    expect((await shown()).story?.slugline).toBe('STORM')
    expect((await shown()).metadata).toEqual(desk)
    unit = await fleet.again(unit)
    await unit.greet()

    await olivia.call(change, { params: { id, storyId: storm.storyId }, body: { keywords: 'wind' } })
    await fleet.pass()
    expect(metadataNow()).toEqual({ ...desk, storyId: storm.storyId, slugline: 'STORM', keywords: 'wind' })
    expect(await olivia.call(assign, params(fire.storyId))).toMatchObject([{ storyId: fire.storyId }, {}])
    await fleet.pass()
    expect(metadataNow()).toEqual({ ...desk, ...labels })
    expect(await olivia.call(unassign, params(fire.storyId))).toMatchObject([{ storyId: storm.storyId }])
    await olivia.call(remove, { params: { id, storyId: storm.storyId } })
    await fleet.pass()
    expect(metadataNow()).toEqual(desk)
    expect(await ofUnitU1()).toEqual([])
  })

  it('[STORY-001] show only units within the scope of the caller, and are assigned to no others', async () => {
    const { storyId } = await write({ slugline: 'FIRE' })
    const far = await fleet.unit('U-2', { registrationKey: 'key-leeds' })
    await fleet.pass()
    const nora = await fleet.signedIn('nora')
    for (const one of [unit, far]) await nora.call(assign, { params: { id, unit: one.id, storyId } })
    const unitsSeenBy = async (browser: Browser) =>
      (await browser.call(list, { params: { id }, query: {} })).items[0]?.assignedUnits
    expect(await unitsSeenBy(nora)).toEqual([unit.id, far.id].toSorted())
    expect(await unitsSeenBy(olivia)).toEqual([unit.id])
    const noUnit = { message: 'Unit not found.' }
    await expect(olivia.call(assign, { params: { id, unit: far.id, storyId } })).rejects.toMatchObject(noUnit)
    await expect(olivia.call(unassign, { params: { id, unit: far.id, storyId } })).rejects.toMatchObject(
      noUnit,
    )
    await expect(olivia.call(ofUnit, { params: { id, unit: far.id } })).rejects.toMatchObject(noUnit)
    await fleet.core.users.ensure({
      id: 'us-gus',
      username: 'gus',
      password,
      userType: 'regular',
      firstName: 'G',
      lastName: 'T',
      inventories: ['south'],
      groups: ['cairo', 'london'],
    })
    const guest = await fleet.signedIn('gus')
    const noInventory = { message: 'Inventory not found.' }
    for (const call of [assign, unassign])
      await expect(guest.call(call, { params: { id, unit: unit.id, storyId } })).rejects.toMatchObject(
        noInventory,
      )
    const params = { id, storyId }
    await expect(guest.call(change, { params, body: {} })).rejects.toMatchObject(noInventory)
    await expect(guest.call(remove, { params })).rejects.toMatchObject(noInventory)
    expect(await sluglines()).toEqual(['FIRE'])
    const root = await fleet.signedIn('root')
    await expect(root.call(ofUnit, { params: { id: 'south', unit: far.id } })).rejects.toMatchObject(noUnit)
  })
})
