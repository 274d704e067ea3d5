// The unit's own pairing code from the call that makes it to the machine that registers with it, and the end of a pairing.
import { api } from '@backhaul/contract/api/api'
import type { PairingCodeMode } from '@backhaul/contract/nouns/unit-pairing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('the pairing of a unit on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let olivia: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('VAN')
    olivia = await fleet.signedIn('olivia')
    nora = await fleet.signedIn('nora')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: unit.id })
  const values = () => fleet.core.units.values(unit.id)
  const read = () => olivia.call(api.unitPairing.code, { params: params() })
  const renew = () => olivia.call(api.unitPairing.renew, { params: params() })
  const setMode = (mode: PairingCodeMode) =>
    olivia.call(api.unitPairing.setMode, { params: params(), body: { mode } })
  const remove = (browser = nora) => browser.call(api.unitPairing.remove, { params: params() })

  /** A machine registers with this code: the id of the device that it becomes, or why it becomes none. */
  async function attempt(registrationKey: string, serialNumber = 'sn-VAN'): Promise<string> {
    const device = await fleet.dial()
    const identity = { kind: 'unit', product: 'LU-600', serialNumber, name: 'VAN', swVersion: '10.1.0' }
    device.send({ type: 'register', protocol: 1, ...identity, registrationKey })
    const answer = await Promise.race([device.next('registered'), device.next('refused')])
    return answer.type === 'registered' ? answer.deviceId : answer.message
  }

  async function leave(): Promise<void> {
    unit.socket.close()
    await until(() => values()?.offline === true)
  }

  const unknown = 'registrationKey: Unknown registration key.'

  it('[CONF-022] has a code that admits the machine of the unit once, or each time, and no other machine', async () => {
    expect(await read()).toEqual({ mode: 'off', code: null })
    await expect(renew()).rejects.toMatchObject({ status: 409, cause: { code: 'pairing.off' } })
    const once = (await setMode('one-time')).code ?? ''
    expect(once).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    expect(await setMode('one-time')).toEqual({ mode: 'one-time', code: once })
    expect(await attempt(once)).toBe('serialNumber: The device with this serial number is connected.')
    await leave()
    expect(await attempt(once, 'sn-OTHER')).toBe(unknown)
    expect(await attempt(once.toLowerCase().replace('-', ''))).toBe(unit.id)
    expect(await attempt(once)).toBe(unknown)
    expect(await read()).toEqual({ mode: 'one-time', code: null })

    const first = (await setMode('permanent')).code ?? ''
    for (const _ of [1, 2]) expect(await attempt(first)).toBe(unit.id)
    const { mode, code: second } = await renew()
    expect(mode).toBe('permanent')
    expect(await attempt(first)).toBe(unknown)
    expect(await attempt(second ?? '')).toBe(unit.id)
    const enhanced = await olivia.call(api.units.enhanced, { params: params() })
    expect(enhanced.pairingCodeMode).toBe('permanent')
    expect(await setMode('off')).toEqual({ mode: 'off', code: null })
    expect(await attempt(second ?? '')).toBe(unknown)
  })

  it('[CONF-022] keeps the code over a restart, shows it to operators of the group only, and writes it to no log', async () => {
    const { code } = await setMode('permanent')
    const lines = await fleet.db.selectFrom('audit').select(['action', 'details']).execute()
    expect(lines.map(({ action }) => action)).toContain('unitPairing.setMode')
    expect(JSON.stringify(lines)).not.toContain(code)
    for (const [username, status] of [
      ['reed', 403],
      ['sam', 404],
    ] as const)
      await expect(
        (await fleet.signedIn(username)).call(api.unitPairing.code, { params: params() }),
      ).rejects.toMatchObject({ status })
    const wrong = olivia.call(api.unitPairing.setMode, {
      params: params(),
      body: { mode: 'daily' as 'off' },
    })
    await expect(wrong).rejects.toMatchObject({ status: 400, fields: [{ field: 'mode' }] })
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    expect(await read()).toEqual({ mode: 'permanent', code })
    expect(await attempt(code ?? '')).toBe(unit.id)
  })

  it('[STREAM-015] ends only while the unit is idle, and where the customer allows it; its machine comes back with a code alone', async () => {
    await expect(remove(olivia)).rejects.toMatchObject({ status: 403 })
    unit.report({ applications: { video: { state: 'streaming' } } })
    await until(() => values()?.busy === true)
    await expect(remove()).rejects.toMatchObject({ status: 409, message: 'Unit is busy.' })
    unit.report({ applications: {} })
    await until(() => values()?.busy === false)
    await fleet.core.inventories.setProperty('north', 'reboot', false)
    await expect(remove()).rejects.toMatchObject({ status: 409, message: 'Feature disabled' })
    await fleet.core.inventories.setProperty('north', 'reboot', true)
    expect(await remove()).toEqual({ done: true })
    expect(await unit.gone()).toBe(4401)
    expect(await attempt('key-london')).toMatch(/^serialNumber: The device was deregistered/)
    const { code } = await setMode('one-time')
    expect(await attempt(code ?? '')).toBe(unit.id)
  })
})
