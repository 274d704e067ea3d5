// Ad hoc smart units: admitted by an invitation, and removed from the group again.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('ad hoc units on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const groupsOf = (unit: TestDevice) => fleet.core.devices.memberships.groupsOf('unit', unit.id)
  const remove = (unit: TestDevice, group = 'london', browser = nora) =>
    browser.call(api.invitations.removeUnit, { params: { group, id: unit.id } })

  async function invited(name: string, product = 'LU-Smart'): Promise<TestDevice> {
    const params = { currentGroup: 'london' }
    const { code } = await nora.call(api.invitations.create, { params, body: { period: '1 day' } })
    const unit = await fleet.unit(name, { registrationKey: code, product })
    await until(() => groupsOf(unit).length === 1)
    return unit
  }

  it('[UNIT-025] leave the group, and where they have no other one their machine needs a new code to come back', async () => {
    const [first, second] = [await invited('PHONE-1'), await invited('PHONE-2')]
    const leeds = { params: { groupId: 'leeds', id: second.id } }
    await nora.call(api.groupAdministration.addUnit, leeds)
    await until(() => groupsOf(second).length === 2)
    expect(await remove(first)).toEqual({ done: true })
    expect(await first.gone()).toBe(4401)
    await until(() => groupsOf(first).length === 0)
    await remove(second)
    await until(() => groupsOf(second).length === 1)
    expect([groupsOf(second), second.closed]).toEqual([['leeds'], undefined])
    const olivia = await fleet.signedIn('olivia')
    expect(await olivia.call(api.units.ofGroup, { query: { group: 'london' } })).toEqual([])
    await expect(olivia.call(api.units.one, { params: { id: first.id } })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('[UNIT-025] are refused while busy, as are units of other kinds, of other groups and by other roles', async () => {
    const phone = await invited('PHONE')
    const van = await invited('VAN', 'LU-600')
    await expect(remove(van)).rejects.toMatchObject({ status: 409, message: 'The unit is not a smart unit.' })
    await expect(remove(phone, 'leeds')).rejects.toMatchObject({ status: 404 })
    await expect(remove(phone, 'cairo')).rejects.toMatchObject({ status: 404 })
    await expect(remove(phone, 'london', await fleet.signedIn('olivia'))).rejects.toMatchObject({
      status: 403,
    })
    phone.report({ applications: { video: { state: 'streaming' } } })
    await until(() => fleet.core.units.values(phone.id)?.busy === true)
    await expect(remove(phone)).rejects.toMatchObject({ status: 409, message: 'Unit is busy.' })
    expect([groupsOf(phone), phone.closed]).toEqual([['london'], undefined])
  })
})
