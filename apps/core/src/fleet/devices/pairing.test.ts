// Pairing codes from the call that makes one to the socket that uses it.
import { api } from '@backhaul/contract/api/api'
import { PAIRING_TTL_MS } from '@backhaul/contract/nouns/pairing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type NewDevice, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { flushed } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const shut = 'Too many failed registrations, try again in a minute'

describe.each(enginesOfNight)('pairing codes on %s', (engine) => {
  let fleet: TestFleet
  let olivia: Browser
  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    olivia = await fleet.signedIn('olivia')
  })
  afterAll(() => fleet.remove())

  const make = (browser = olivia, id = 'london') => browser.call(api.groups.pairingCode, { params: { id } })
  const groupsOf = (unit: TestDevice) => fleet.core.devices.memberships.groupsOf('unit', unit.id)
  const devices = () => fleet.core.devices.all('unit').length

  type More = Partial<NewDevice & { kind: 'server' }>

  function register(device: TestDevice, name: string, registrationKey: string, more: More = {}) {
    const identity = {
      kind: 'unit',
      product: 'LU-600',
      serialNumber: `sn-${name}`,
      name,
      swVersion: '10.1.0',
    }
    device.send({ type: 'register', protocol: 1, ...identity, ...more, registrationKey })
  }

  async function attempt(name: string, registrationKey: string, more?: More) {
    const device = await fleet.dial()
    register(device, name, registrationKey, more)
    return device
  }

  async function refusal(device: TestDevice): Promise<string> {
    expect(await device.gone()).toBe(4403)
    return device.newest('refused')?.message ?? ''
  }

  it('admits one machine into the group of the code, however the code is written, and no second one', async () => {
    const { code, expiresAt } = await make()
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
    expect(Date.parse(expiresAt) - fleet.clock.nowMs()).toBe(PAIRING_TTL_MS)
    const unit = await fleet.unit('PAIRED', { registrationKey: code.toLowerCase().replace('-', '') })
    expect(groupsOf(unit)).toEqual(['london'])
    expect(await olivia.call(api.units.ofGroup, { query: { group: 'london' } })).toMatchObject([
      { uid: unit.id, name: 'PAIRED' },
    ])
    expect(await refusal(await attempt('SECOND', code))).toBe(
      'registrationKey: This pairing code has already been used.',
    )
    await fleet.pass(61_000)
  })

  it('admits exactly one of many machines that register at the same time with the same code', async () => {
    const { code } = await make()
    const before = devices()
    const rush = await Promise.all(
      Array.from({ length: 8 }, (_, at) => attempt('RUSH', code, { serialNumber: `rush-${at}` })),
    )
    const answers = await Promise.all(
      rush.map((device) => Promise.race([device.next('registered'), device.next('refused')])),
    )
    expect(answers.filter(({ type }) => type === 'registered')).toHaveLength(1)
    expect(devices()).toBe(before + 1)
    await fleet.pass(61_000)
  })

  it('is not prolonged when the clock is set back', async () => {
    fleet.clock.stepWall(PAIRING_TTL_MS)
    const { code } = await make()
    fleet.clock.stepWall(-PAIRING_TTL_MS)
    await make()
    await fleet.pass(PAIRING_TTL_MS)
    expect(await refusal(await attempt('SET-BACK', code))).toBe(
      'registrationKey: This pairing code has expired.',
    )
  })

  it('refuses an expired code, and deletes it a day later', async () => {
    const [late, { code }] = [await make(), await make()]
    await fleet.pass(PAIRING_TTL_MS - 1000)
    await fleet.unit('IN-TIME', { registrationKey: code })
    await fleet.pass(1000)
    expect(await refusal(await attempt('LATE', late.code))).toBe(
      'registrationKey: This pairing code has expired.',
    )
    const longAgo = fleet.clock.nowMs() - 25 * 60 * 60_000
    await fleet.db.updateTable('pairing_codes').set({ expires_ms: longAgo }).execute()
    await make()
    expect(await fleet.db.selectFrom('pairing_codes').selectAll().execute()).toHaveLength(1)
    expect(await refusal(await attempt('LATE', late.code))).toBe('registrationKey: Unknown registration key.')
  })

  it('lets a known machine come back into its own group, and gives no access to a device of another group', async () => {
    const sn = { serialNumber: 'sn-traveller' }
    const unit = await fleet.unit('TRAVELLER', { ...sn, registrationKey: 'key-leeds' })
    unit.socket.close()
    await unit.gone()
    await fleet.pass()
    const { code } = await make()
    expect(await refusal(await attempt('TRAVELLER', code, sn))).toMatch(/^serialNumber: .* another group\.$/)
    const nora = await fleet.signedIn('nora')
    const own = await make(nora, 'leeds')
    const again = await fleet.unit('TRAVELLER', { ...sn, registrationKey: own.code })
    expect(again.id).toBe(unit.id)
    expect(groupsOf(again)).toEqual(['leeds'])
    // The refused attempt did not use the code.
    expect((await fleet.unit('NEWCOMER', { registrationKey: code })).id).not.toBe(unit.id)
  })

  it('admits units only: servers are sent secrets of the whole installation', async () => {
    const { code } = await make()
    expect(await refusal(await attempt('SERVER', code, { kind: 'server' }))).toBe(
      'registrationKey: A pairing code admits units only.',
    )
    await fleet.unit('UNIT-INSTEAD', { registrationKey: code })
  })

  it('stores only the hash of a code, and an audit line of who made it without the code', async () => {
    const { code, expiresAt } = await make()
    const plain = code.replace('-', '')
    const rows = await fleet.db.selectFrom('pairing_codes').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${code}|${plain}`))
    const lines = await fleet.db.selectFrom('audit').selectAll().execute()
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${code}|${plain}`))
    const line = lines.findLast(
      ({ action, object_id }) => action === 'groups.pairingCode' && object_id === 'london',
    )
    expect(line).toMatchObject({ username: 'olivia', inventory_id: 'north', result: 'done' })
    expect(lines.some(({ details }) => details.includes(expiresAt))).toBe(true)
  })

  it('is not made for a group out of scope, nor by users who may only view', async () => {
    await expect(make(olivia, 'leeds')).rejects.toMatchObject({ status: 404, message: 'Group not found.' })
    const reed = await fleet.signedIn('reed')
    await expect(make(reed)).rejects.toMatchObject({ status: 403 })
  })

  it('refuses an address for a minute after ten failed registrations, also those at the same time', async () => {
    await fleet.pass(61_000)
    const { code } = await make()
    const guesses = Array.from({ length: 14 }, (_, at) => attempt('GUESS', `2222-222${(at % 8) + 2}`))
    const refusals = await Promise.all((await Promise.all(guesses)).map(refusal))
    expect(refusals.filter((text) => text === shut)).toHaveLength(4)
    expect(await refusal(await attempt('RIGHT', code))).toBe(shut)
    await fleet.pass(61_000)
    await fleet.unit('RIGHT', { registrationKey: code })
  })

  it('answers the right code only when fewer than ten before it at the same moment may be wrong', async () => {
    await fleet.pass(61_000)
    const { code } = await make()
    const wrong = Array.from({ length: 9 }, (_, at) => `2222-222${at + 2 > 9 ? 'A' : at + 2}`)
    const answers = async (codes: readonly string[]) => {
      const machines = await Promise.all(codes.map(() => fleet.dial()))
      for (const [at, machine] of machines.entries()) {
        register(machine, `AT-${at}`, codes[at] ?? '')
        await flushed(machine.socket)
      }
      return await Promise.all(
        machines.map((machine) => Promise.race([machine.next('registered'), machine.next('refused')])),
      )
    }
    const late = await answers([...wrong, ...wrong, code])
    expect(late.filter(({ type }) => type === 'registered')).toHaveLength(0)
    expect(late.filter((answer) => answer.type === 'refused' && answer.message === shut)).toHaveLength(9)
    await fleet.pass(61_000)
    const early = await answers([...wrong, code, ...wrong])
    expect(early.map(({ type }) => type).indexOf('registered')).toBe(9)
    await fleet.pass(61_000)
  })
})
