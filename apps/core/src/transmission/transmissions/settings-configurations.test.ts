// Settings configurations through the doors: the channel and the machine of a unit together, as the unit is sent them.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { settingsConfigurations: calls } = api

describe.each(enginesOfNight)('settings configurations on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let olivia: Browser
  let output: string
  let machine: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    const [hub, boss] = [await fleet.server('MCR', 1), await fleet.server('Boss150', 1)]
    output = hub.channelIds[0] as string
    machine = boss.channelIds[0] as string
    unit = await fleet.unit('VAN')
    olivia = await fleet.signedIn('olivia')
    const { memberships } = fleet.core.devices
    await until(() => memberships.membersOf('channel', 'london').length === 2)
    await until(() => memberships.groupsOf('unit', unit.id).length > 0)
    await fleet.core.inventories.setProperty('north', 'ptmp', true)
  })
  afterEach(() => fleet.remove())

  const read = () => olivia.call(calls.one, { params: { machineUid: unit.id } })
  const add = (outputChannel: string, multiChannel: string, browser = olivia) =>
    browser.call(calls.add, { body: { machineUid: unit.id, outputChannel, multiChannel } })

  it('[UNIT-031] select the channel that the unit is sent and its machine, and show both by machine uid and by group', async () => {
    const none = { outputChannel: '', multiChannel: '', machineUid: unit.id }
    expect(await read()).toEqual(none)
    expect(await add(output, machine)).toMatchObject({ accepted: true })
    const wanted = await unit.next('wanted', ({ state }) => state.channelId === output)
    unit.report({ channelId: output, appliedRevision: wanted.revision })
    await until(() => fleet.core.units.values(unit.id)?.channelId === output)
    const both = { outputChannel: output, multiChannel: machine, machineUid: unit.id }
    expect(await read()).toEqual(both)
    expect(await olivia.call(calls.ofGroup, { query: { group: 'london' } })).toEqual([both])
    expect(fleet.core.units.values(unit.id)).toMatchObject({
      settingsConfiguration: both,
      selectedChannels: [output, machine],
    })
    await add('', '')
    await unit.next('wanted', ({ state, revision }) => state.channelId === null && revision > wanted.revision)
    unit.report({ channelId: null })
    await until(() => fleet.core.units.values(unit.id)?.channelId === null)
    expect(await read()).toEqual(none)
  })

  it('[UNIT-031] are refused as a whole where one of the two is not possible', async () => {
    await expect(add(output, output)).rejects.toMatchObject({ status: 404, message: 'Machine not found.' })
    await expect(add('ch-nowhere', '')).rejects.toMatchObject({ status: 404, message: 'Channel not found.' })
    await fleet.core.inventories.setProperty('north', 'ptmp', false)
    await expect(add(output, machine)).rejects.toMatchObject({ status: 409, message: 'Feature disabled' })
    expect(unit.messages.some((one) => one.type === 'wanted' && one.state.channelId === output)).toBe(false)
    await expect(add(output, '', await fleet.signedIn('reed'))).rejects.toMatchObject({ status: 403 })
    await expect(add(output, '', await fleet.signedIn('sam'))).rejects.toMatchObject({ status: 404 })
    const noMachine = { body: { outputChannel: output, multiChannel: '', machineUid: '' } }
    await expect(olivia.call(calls.add, noMachine)).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'machineUid' }],
    })
  })
})
