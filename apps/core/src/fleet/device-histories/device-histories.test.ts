import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestFleet } from '../../testing/fleet.ts'
import type { Browser } from '../../testing.ts'

const { ofGroups, ofInventories } = api.deviceHistories

describe.each(engines)('histories of devices on %s', (engine) => {
  let fleet: TestFleet
  let root: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    root = await fleet.signedIn('root')
  })
  afterEach(() => fleet.remove())

  type Query = { search?: string; action?: 'joined' | 'left'; limit?: number; offset?: number }
  const lines = async (endpoint: typeof ofGroups | typeof ofInventories, query: Query = {}) => {
    const { items } = await root.call(endpoint as typeof ofGroups, { query })
    return items.map(({ deviceName, action, targetName, by }) =>
      [deviceName, action, targetName, by ?? '-'].join(' '),
    )
  }

  it('[STAFF-011] list the groups and customers that a device came to and left, by whom, also when all of them are gone', async () => {
    const nora = await fleet.signedIn('nora')
    const unit = await fleet.unit('VAN')
    await fleet.pass()
    expect(await lines(ofInventories)).toEqual(['VAN joined North Broadcasting -'])
    expect(await lines(ofGroups)).toEqual(['VAN joined London-News -'])
    fleet.clock.advance(1000)
    const at = (groupId: string) => ({ params: { groupId, id: unit.id } })
    await nora.call(api.groupAdministration.addUnit, at('leeds'))
    await fleet.pass()
    await nora.call(api.groupAdministration.removeUnit, at('london'))
    await fleet.pass()
    expect(await lines(ofGroups)).toEqual([
      'VAN left London-News nora',
      'VAN joined Leeds-News nora',
      'VAN joined London-News -',
    ])
    unit.socket.close()
    await fleet.pass()
    fleet.clock.advance(1000)
    await root.call(api.deviceAdministration.associate, { params: { inv: 'south', unit: unit.id } })
    await fleet.pass()
    expect(await lines(ofInventories)).toEqual([
      'VAN joined South News root',
      'VAN left North Broadcasting root',
      'VAN joined North Broadcasting -',
    ])
    expect((await lines(ofGroups))[0]).toBe('VAN left Leeds-News root')
    fleet.clock.advance(1000)
    await root.call(api.deviceAdministration.removeUnit, { params: { id: unit.id } })
    await fleet.restart()
    root = await fleet.signedIn('root')
    expect((await lines(ofInventories))[0]).toBe('VAN left South News root')
    expect(await lines(ofInventories)).toHaveLength(4)
  })

  it('[STAFF-011] are searched, filtered and read in pages, by vendor staff alone', async () => {
    await fleet.unit('VAN-1')
    await fleet.unit('VAN-2')
    await fleet.server('HUB')
    await fleet.pass()
    expect((await lines(ofInventories)).toSorted()).toEqual([
      'HUB joined North Broadcasting -',
      'VAN-1 joined North Broadcasting -',
      'VAN-2 joined North Broadcasting -',
    ])
    expect(await lines(ofGroups, { search: 'van-2' })).toEqual(['VAN-2 joined London-News -'])
    expect(await lines(ofGroups, { search: 'london' })).toHaveLength(2)
    expect(await lines(ofGroups, { action: 'left' })).toEqual([])
    const { items, total } = await root.call(ofGroups, { query: { limit: 1, offset: 1 } })
    expect([items.length, total]).toEqual([1, 2])
    const nora = await fleet.signedIn('nora')
    for (const endpoint of [ofGroups, ofInventories])
      await expect(nora.call(endpoint as typeof ofGroups, { query: {} })).rejects.toMatchObject({
        status: 403,
      })
  })
})
