// The delay over fixed internet through the doors: kept for that mode, and changed with it as far as the rules of the delay allow.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { outOfTheBox } from '../../testing/unit-settings.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('the delay over fixed internet on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let olivia: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('VAN')
    olivia = await fleet.signedIn('olivia')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: unit.id })
  const setFixed = (delay: number, browser = olivia) =>
    browser.call(api.unitCommands.setFixedInternetDelay, { params: params(), body: { delay } })
  const setDelay = (delay: number) =>
    olivia.call(api.unitCommands.setDelay, { params: params(), body: { delay } })
  const kept = async () =>
    (await olivia.call(api.units.configuration, { params: params() })).fixedInternetDelay
  const setMode = (transmissionMode: 'cellularBonding' | 'fixedInternet') =>
    olivia.call(api.unitSettings.setTransmissionMode, { params: params(), body: { transmissionMode } })

  /** The unit applies its newest wanted state, once that has this mode and delay. */
  async function follow(linkMode: 'cellularBonding' | 'fixedInternet', delayMs: number): Promise<void> {
    await until(() => {
      const { state } = unit.newest('wanted') ?? {}
      return state?.delayMs === delayMs && (state.settings?.linkMode ?? 'cellularBonding') === linkMode
    })
    const { state, revision = 0 } = unit.newest('wanted') ?? {}
    unit.report({ delayMs, settings: { ...outOfTheBox, ...state?.settings }, appliedRevision: revision })
    await until(() => fleet.core.units.values(unit.id)?.transmissionMode === linkMode)
    await until(() => fleet.core.units.values(unit.id)?.delay === delayMs)
  }

  it('[CONF-013] comes with that mode, can be changed in it, and leaves the delay with bonding as it was', async () => {
    expect(await kept()).toBeNull()
    await setDelay(2000)
    await follow('cellularBonding', 2000)
    const { revision } = unit.newest('wanted') ?? {}
    expect(await setFixed(3000)).toEqual({ accepted: true })
    expect([await kept(), unit.newest('wanted')?.revision]).toEqual([3000, revision])
    await setMode('fixedInternet')
    await follow('fixedInternet', 3000)
    expect(await setFixed(5000)).toMatchObject({ accepted: true, commandId: expect.any(String) })
    await follow('fixedInternet', 5000)
    await setMode('fixedInternet')
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    unit = await fleet.again(unit)
    await unit.greet()
    await setMode('cellularBonding')
    await follow('cellularBonding', 2000)
    expect(await kept()).toBe(5000)
  })

  it('[CONF-013] is one that the unit offers, and is not changed where the rules of a live delay forbid it', async () => {
    await expect(setFixed(1234)).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'delay', message: expect.stringContaining('Delay must be one of') }],
    })
    await expect(setFixed(900, await fleet.signedIn('reed'))).rejects.toMatchObject({ status: 403 })
    await setFixed(500)
    unit.report({ applications: { video: { state: 'streaming' } } })
    await until(() => fleet.core.units.values(unit.id)?.busy === true)
    // A normal delay remains normal while the unit transmits: the mode changes without it.
    await setMode('fixedInternet')
    await follow('fixedInternet', 1000)
    await expect(setFixed(500)).rejects.toMatchObject({
      status: 409,
      message: 'While transmitting the delay must be 0.9 sec or more.',
    })
    await setFixed(900)
    await follow('fixedInternet', 900)
    const { linkMode: _, ...withoutModes } = outOfTheBox
    unit.report({ settings: withoutModes })
    await until(() => fleet.core.units.memory(unit.id)?.actual.settings?.linkMode === undefined)
    await expect(setFixed(900)).rejects.toMatchObject({
      status: 409,
      message: 'The unit does not support this setting.',
    })
  })
})
