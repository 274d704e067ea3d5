import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestFleet, type TestDevice, type TestFleet, type TestFollower } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const group = 'group.london'

describe('sync', () => {
  let fleet: TestFleet
  let nora: Browser
  let unit: TestDevice
  let other: TestDevice
  let follower: TestFollower
  beforeEach(async () => {
    fleet = await createTestFleet('sqlite')
    nora = await fleet.signedIn('nora')
    unit = await fleet.unit('LON-01')
    other = await fleet.unit('LON-02')
    const { memberships } = fleet.core.devices
    await until(() => [unit, other].every(({ id }) => memberships.groupsOf('unit', id).length > 0))
    follower = await fleet.follow(await fleet.signedIn('olivia'), [group])
    await follower.sees(group, { sync: null })
  })
  afterEach(() => fleet.remove())

  /** The units that were named to the follower, after all pushes so far. */
  const named = async (): Promise<string[]> => {
    await fleet.pass(200)
    const { sync } = follower.state(group) as { sync: { units: string[] } | null }
    return (sync?.units ?? []).toSorted()
  }
  const both = () => [unit.id, other.id].toSorted()

  it('[LIVE-006] names a unit whose records an administrator has changed, to its group alone', async () => {
    const elsewhere = await fleet.follow(nora, ['group.leeds'])
    await elsewhere.sees('group.leeds', { sync: null })
    const sipAccount = { server: 'sip.example', account: '100' }
    await nora.call(api.intercom.setSipAccount, { params: { id: unit.id }, body: { sipAccount } })
    expect(await named()).toEqual([unit.id])
    expect(elsewhere.state('group.leeds').sync).toBeNull()
  })

  it('[LIVE-006] names every unit of a customer with other properties or another name, and of a renamed group', async () => {
    await fleet.core.inventories.setProperty('north', 'mapView', false)
    expect(await named()).toEqual(both())
    const renamed = { params: { id: 'london' }, body: { name: 'City-News' } }
    const changes = [
      () => fleet.core.inventories.update('north', { name: 'North Media' }),
      () => nora.call(api.groupAdministration.change, renamed),
    ]
    for (const change of changes) {
      const { length } = follower.messages.filter(({ kind }) => kind === 'sync')
      await change()
      expect(await named()).toEqual(both())
      expect(follower.messages.filter(({ kind }) => kind === 'sync')).toHaveLength(length + 1)
    }
  })

  it('[LIVE-006] keeps a unit named for ten seconds, for readers that lag, and sends nothing without a change', async () => {
    const change = (device: TestDevice) =>
      fleet.core.devices.updateDetails(device.id, (now) => ({ ...now, services: ['video'] }))
    await change(unit)
    expect(await named()).toEqual([unit.id])
    await fleet.pass(5000)
    await change(other)
    expect(await named()).toEqual(both())
    await fleet.pass(11_000)
    await change(other)
    expect(await named()).toEqual([other.id])
    // A group that is changed without a new name.
    const { length } = follower.messages
    const body = { unitAutoAssociation: true }
    await nora.call(api.groupAdministration.change, { params: { id: 'london' }, body })
    await named()
    expect(follower.messages.slice(length).filter(({ kind }) => kind === 'sync')).toEqual([])
  })
})
