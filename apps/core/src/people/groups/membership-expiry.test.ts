// Units that are lent to a group for a time: by the calls, by the clock, and as a browser sees it.
import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { groupTopic } from '@backhaul/contract/push/groups'
import { topicName } from '@backhaul/contract/push/push'
import { unitTopic } from '@backhaul/contract/push/units'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import type { Browser } from '../../testing.ts'
import { checkPeriodMs } from './due-jobs.ts'

const calls = api.groupAdministration
const hourMs = 3_600_000

describe.each(engines)('memberships for a time on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let unit: TestDevice
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    unit = await fleet.unit('LENT-1')
  })
  afterAll(() => fleet.remove())

  const params = () => ({ currentGroup: 'london', unitId: unit.id })
  const end = () => nora.call(calls.expiration, { params: params() })
  const lend = (duration: string) => nora.call(calls.setExpiration, { params: params(), body: { duration } })
  const groupsOf = () => fleet.core.groups.ofMember('unit', unit.id)
  /** The jobs of groups run again when a run was still under way. */
  const groupsLater = () => {
    fleet.clock.advance(checkPeriodMs)
    return groupsOf()
  }
  const membership = async () => {
    const { items } = await nora.call(calls.units, { params: { id: 'london' }, query: {} })
    return items.find(({ uid }) => uid === unit.id)
  }
  /** As if the time had passed: the sockets of the test would not survive hours of silence. */
  const isOver = () =>
    fleet.db
      .updateTable('group_units')
      .set({ expires_ms: fleet.clock.nowMs() })
      .where('expires_ms', 'is not', null)
      .execute()

  it('[GROUP-006] are read and set by a duration from now', async () => {
    expect(await end()).toEqual({ expiresAt: null })
    const inHours = (hours: number) => new Date(fleet.clock.nowMs() + hours * hourMs).toISOString()
    for (const [duration, hours] of [
      ['1 hour', 1],
      ['6 hours', 6],
      ['1 day', 24],
      ['14 days', 336],
    ] as const) {
      const { expiresAt } = await lend(duration)
      expect([duration, expiresAt]).toEqual([duration, inHours(hours)])
      expect(await end()).toEqual({ expiresAt })
      expect(await membership()).toMatchObject({ expiresAt })
    }
    expect(await lend('unlimited')).toEqual({ expiresAt: null })
    expect(await membership()).toMatchObject({ expiresAt: null })
  })

  it('[GROUP-006] are refused with an unknown duration and for a unit that is not a member', async () => {
    await expect(lend('a while')).rejects.toMatchObject({
      status: 400,
      fields: [fault('duration', because('membership.duration', { hours: 999, days: 999 }))],
    })
    const elsewhere = { params: { currentGroup: 'leeds', unitId: unit.id } }
    await expect(nora.call(calls.expiration, elsewhere)).rejects.toMatchObject({ status: 404 })
    await expect(
      nora.call(calls.setExpiration, { ...elsewhere, body: { duration: '1 day' } }),
    ).rejects.toMatchObject({ status: 404 })
  })

  it('[GROUP-006] expire, and users who saw the unit through the group alone lose it immediately', async () => {
    await fleet.core.groups.addMember('leeds', 'unit', unit.id)
    const olivia = await fleet.signedIn('olivia')
    const [ofUnit, ofGroup] = [topicName(unitTopic, unit.id), topicName(groupTopic, 'london')]
    const follower = await fleet.follow(olivia, [ofUnit, ofGroup])
    await follower.sees(ofUnit, { name: 'LENT-1' })
    const { expiresAt } = await lend('1 hour')
    fleet.clock.advance(checkPeriodMs)
    expect(await groupsOf()).toEqual(['leeds', 'london'])
    expect(expiresAt).not.toBeNull()

    await isOver()
    await expect.poll(groupsLater).toEqual(['leeds'])
    await fleet.pass(300)
    const removed = { group: 'london', device: unit.id, at: expect.any(Number) }
    await expect.poll(() => follower.state(ofGroup).removed).toEqual(removed)
    const frames = follower.messages.length
    unit.report({ delayMs: 4000 })
    await fleet.pass(500)
    expect(follower.messages.slice(frames).filter(({ topic }) => topic === ofUnit)).toEqual([])
    await expect(olivia.call(api.units.one, { params: { id: unit.id } })).rejects.toMatchObject({
      status: 404,
    })

    const lines = await fleet.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'groups.endMembership')
      .execute()
    expect(lines).toMatchObject([{ object_id: unit.id, username: 'schedule', result: 'done' }])
  })

  it('[GROUP-006] of a unit that transmits expire when it has stopped', async () => {
    await fleet.core.groups.addMember('london', 'unit', unit.id)
    await lend('1 hour')
    const { start, stop } = api.unitCommands
    const server = await fleet.server('MCR', 1)
    await fleet.pass()
    await nora.call(start, { params: { id: unit.id }, body: { channel: server.channelIds[0] } as never })
    await isOver()
    fleet.clock.advance(checkPeriodMs)
    await fleet.pass(300)
    expect(await groupsOf()).toEqual(['leeds', 'london'])
    expect(await membership()).toMatchObject({ isBusy: true })
    await nora.call(stop, { params: { id: unit.id } })
    await fleet.db.updateTable('transmissions').set({ stopped_ms: fleet.clock.nowMs() }).execute()
    await expect.poll(groupsLater).toEqual(['leeds'])
  })

  it('[GROUP-006] that came due while core was down expire when it starts', async () => {
    await fleet.core.groups.addMember('london', 'unit', unit.id)
    await lend('1 hour')
    await isOver()
    await fleet.restart()
    await expect.poll(groupsOf).toEqual(['leeds'])
  })
})
