import { api as contract } from '@backhaul/contract/api/api'
import { defaultPreferences } from '@backhaul/contract/nouns/preference-defaults'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestCore, type TestCore } from '../../testing.ts'

const { preferences, savePreferences } = contract.client

describe.each(engines)('preferences on %s', (engine) => {
  let test: TestCore
  beforeEach(async () => {
    test = await createTestCore(engine)
  })
  afterEach(() => test.remove())

  it('starts from the defaults', async () => {
    const olivia = await test.signedIn('olivia')
    expect(await olivia.call(preferences, {})).toEqual(defaultPreferences())
  })

  it('replaces the named ones, keeps the rest, and keeps users apart', async () => {
    const [olivia, sam] = [await test.signedIn('olivia'), await test.signedIn('sam')]
    await olivia.call(savePreferences, { body: { currentRoute: '/unit/list', leftPanelWidth: 400 } })
    await olivia.call(savePreferences, { body: { leftPanelWidth: 410, theme: 'light' } })
    const expected = {
      ...defaultPreferences(),
      currentRoute: '/unit/list',
      leftPanelWidth: 410,
      theme: 'light',
    }
    expect(await olivia.call(preferences, {})).toEqual(expected)
    expect(await sam.call(preferences, {})).toEqual(defaultPreferences())
  })

  it('loses nothing when two tabs save at the same time', async () => {
    const olivia = await test.signedIn('olivia')
    await olivia.call(savePreferences, { body: { theme: 'light' } })
    const bodies = [{ currentRoute: '/unit/map' }, { leftPanelWidth: 500 }, { unitListExpanded: false }]
    await Promise.all(bodies.map((body) => olivia.call(savePreferences, { body })))
    const expected = {
      theme: 'light',
      currentRoute: '/unit/map',
      leftPanelWidth: 500,
      unitListExpanded: false,
    }
    expect(await olivia.call(preferences, {})).toMatchObject(expected)
  })

  it('refuses unknown and invalid fields', async () => {
    const olivia = await test.signedIn('olivia')
    await expect(olivia.call(savePreferences, { body: { nonsense: 1 } as never })).rejects.toMatchObject({
      fields: [{ field: '(body)', message: 'Unknown field: nonsense.' }],
    })
    await expect(olivia.call(savePreferences, { body: { leftPanelWidth: -1 } })).rejects.toMatchObject({
      fields: [{ field: 'leftPanelWidth', message: 'Must be 0 or more' }],
    })
  })

  it('falls back to the default, field by field, where an older release stored something else', async () => {
    const olivia = await test.signedIn('olivia')
    await olivia.call(savePreferences, { body: { leftPanelWidth: 400 } })
    const body = JSON.stringify({ leftPanelWidth: 'wide', theme: 'light', gone: true })
    await test.db.updateTable('preferences').set({ body }).execute()
    expect(await olivia.call(preferences, {})).toEqual({ ...defaultPreferences(), theme: 'light' })
  })
})
