// News of support access at the push door: when they come, and who may follow them.
import { api } from '@backhaul/contract/api/api'
import type { UserType } from '@backhaul/contract/define/roles'
import { SUPPORT_ACCESS_MS } from '@backhaul/contract/nouns/access-approvals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet, type TestFollower } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import { type Browser, password } from '../../testing.ts'

const { grant, revoke } = api.accessApprovals
const all = 'access.all'

describe.each(enginesOfNight)('news of support access on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let olivia: Browser
  let topic: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('U-1')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    await addPerson('carl', 'contractor', 'north')
    olivia = await fleet.signedIn('olivia')
    topic = `access.${unit.id}`
  })
  afterEach(() => fleet.remove())

  const addPerson = (username: string, userType: UserType, inventory: string) =>
    fleet.core.users.ensure({
      id: `us-${username}`,
      username,
      password,
      userType,
      firstName: 'Some',
      lastName: 'Body',
      inventories: [inventory],
      groups: [],
    })
  const opened = () => olivia.call(grant, { body: { device: unit.id } })
  const refusedTo = async (username: string, topics: string[]): Promise<unknown[]> => {
    const follower = await fleet.follow(await fleet.signedIn(username), topics)
    await until(() => follower.messages.length > 1)
    return follower.messages.flatMap(({ kind, topics: named }) => (kind === 'refused' ? named : []))
  }
  const followed = async (username: string, topics = [topic]): Promise<TestFollower> => {
    const follower = await fleet.follow(await fleet.signedIn(username), topics)
    await until(() => topics.every((one) => follower.messages.some((message) => message.topic === one)))
    return follower
  }
  /** The changes of a topic that the follower was sent, after all pushes so far; snapshots do not count. */
  const changes = async (follower: TestFollower, of = topic) => {
    await fleet.pass(200)
    return follower.messages.filter((one) => one.topic === of && one.from > 0)
  }
  const count = async (follower: TestFollower, of = topic) => (await changes(follower, of)).length

  it('[ACCESS-011] are sent when it is granted, first used and ended, with nothing but the time', async () => {
    const carls = await followed('carl')
    const roots = await followed('root', [topic, all])
    const { id } = await opened()
    expect(await changes(carls)).toMatchObject([{ kind: 'accessApproval' }])
    expect((await changes(carls))[0]?.data).toEqual({ accessChangedAt: expect.any(Number) })
    expect([await count(roots), await count(roots, all)]).toEqual([1, 1])

    const carl = await fleet.signedIn('carl')
    const reboot = () =>
      carl.call(api.unitCommands.command, { params: { id: unit.id, command: 'reboot' }, body: {} })
    await reboot()
    await expect.poll(() => count(carls)).toBe(2)
    await reboot()
    expect(await count(carls)).toBe(2)

    await olivia.call(revoke, { params: { id } })
    expect([await count(carls), await count(roots, all)]).toEqual([3, 3])
  })

  it('[ACCESS-011] are sent when it expires, also after a restart, and not for one that was ended before', async () => {
    await opened()
    await fleet.restart()
    fleet.clock.advance(SUPPORT_ACCESS_MS - 5000)
    const first = await followed('root')
    await fleet.pass(4000)
    expect(await count(first)).toBe(0)
    await fleet.pass(2000)
    expect(await count(first)).toBe(1)

    olivia = await fleet.signedIn('olivia')
    const { id } = await opened()
    await olivia.call(revoke, { params: { id } })
    fleet.clock.advance(SUPPORT_ACCESS_MS - 5000)
    const second = await followed('root')
    await fleet.pass(10_000)
    expect(await count(second)).toBe(0)
  })

  it('are not missed by one who follows after the change', async () => {
    const other = await fleet.unit('U-2')
    await fleet.pass()
    await opened()
    const carls = await followed('carl', [topic, `access.${other.id}`])
    expect(carls.state(topic)).toEqual({ accessChangedAt: expect.any(Number) })
    expect(carls.state(`access.${other.id}`)).toEqual({ accessChangedAt: null })
  })

  it('of a unit are for those who may list its approvals alone', async () => {
    const foreign = await fleet.unit('CAI-1', { registrationKey: 'key-cairo' })
    await until(() => fleet.core.devices.memberships.groupsOf('unit', foreign.id).length > 0)
    const ofForeign = `access.${foreign.id}`
    for (const username of ['olivia', 'nora', 'carl'])
      expect(await refusedTo(username, [topic, ofForeign, 'access.unknown'])).toEqual([
        ofForeign,
        'access.unknown',
      ])
    expect(await refusedTo('sam', [topic, ofForeign])).toEqual([topic])
    for (const username of ['reed', 'vera']) expect(await refusedTo(username, [topic])).toEqual([topic])
  })

  it('of a server are for its customer, and for contractors who see one of its channels', async () => {
    const hub = await fleet.server('MCR')
    const [channelId = ''] = hub.channelIds
    await addPerson('petra', 'partner', 'south')
    const ofHub = `access.${hub.id}`
    for (const username of ['nora', 'carl']) expect(await refusedTo(username, [ofHub])).toEqual([])
    // One who sees only a group does not decide for the whole customer.
    for (const username of ['olivia', 'petra']) expect(await refusedTo(username, [ofHub])).toEqual([ofHub])
    const root = await fleet.signedIn('root')
    await root.call(api.channelAdministration.associate, { params: { inv: 'south', id: channelId } })
    await root.call(api.groupAdministration.addChannel, { params: { groupId: 'cairo', channelId } })
    await until(() => fleet.core.devices.memberships.groupsOf('channel', channelId).includes('cairo'))
    expect(await refusedTo('petra', [ofHub])).toEqual([])
    expect(await refusedTo('sam', [ofHub])).toEqual([ofHub])
  })

  it('of all devices are for vendor staff who see all customers', async () => {
    for (const username of ['olivia', 'nora', 'carl']) expect(await refusedTo(username, [all])).toEqual([all])
    expect(await refusedTo('root', [all])).toEqual([])
  })

  it('end for a user whose scope no longer contains the unit', async () => {
    const olivias = await followed('olivia')
    const nora = await fleet.signedIn('nora')
    await nora.call(api.groupAdministration.removeUnit, { params: { groupId: 'london', id: unit.id } })
    await until(() => olivias.messages.some(({ kind }) => kind === 'refused'))
    await nora.call(grant, { body: { device: unit.id } })
    expect(await count(olivias)).toBe(0)
  })

  it('name a device that was moved or removed as one that changed', async () => {
    const roots = await followed('root', [all])
    const root = await fleet.signedIn('root')
    await opened()
    expect(await count(roots, all)).toBe(1)
    await root.call(api.deviceAdministration.associate, { params: { inv: 'south', unit: unit.id } })
    expect(await count(roots, all)).toBe(2)
    await root.call(api.deviceAdministration.removeUnit, { params: { id: unit.id } })
    expect(await count(roots, all)).toBe(3)
    expect(await refusedTo('root', [topic])).toEqual([topic])
  })
})
