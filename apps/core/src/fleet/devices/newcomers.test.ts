// Machines that register at the same moment, and share a transaction.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { flushed, pause } from '../../testing/wait.ts'

describe.each(engines)('machines that register at the same time on %s', (engine) => {
  let fleet: TestFleet
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
  })
  afterEach(() => fleet.remove())

  const stored = async () =>
    (await fleet.db.selectFrom('devices').select('name').orderBy('name').execute()).map(({ name }) => name)

  const register = (device: TestDevice, at: number, registrationKey: string) =>
    device.send({
      type: 'register',
      protocol: 1,
      kind: 'unit',
      product: 'LU-600',
      serialNumber: `sn-${at}`,
      name: `LU-${at}`,
      swVersion: '10.1.0',
      registrationKey,
    })

  it('each get a name of their own where all request the same', async () => {
    const units = await Promise.all(
      Array.from({ length: 16 }, (_, at) => fleet.unit('VAN', { serialNumber: `sn-${at}` })),
    )
    const names = ['VAN', ...Array.from({ length: 15 }, (_, at) => `VAN-${at + 2}`)].toSorted()
    const { devices } = fleet.core
    expect(units.map(({ id }) => devices.get(id)?.name ?? '').toSorted()).toEqual(names)
    expect((await stored()).toSorted()).toEqual(names)
    const ids = units.map(({ id }) => id).toSorted()
    expect([...devices.memberships.membersOf('unit', 'london')].toSorted()).toEqual(ids)
    await fleet.restart()
    expect([...fleet.core.devices.memberships.membersOf('unit', 'london')].toSorted()).toEqual(ids)
  })

  it('join without those whose group is deleted at that moment', async () => {
    const machines = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => ({ at, device: await fleet.dial() })),
    )
    await fleet.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('groups').where('id', '=', 'leeds').execute()
      for (const { at, device } of machines) register(device, at, at % 2 === 0 ? 'key-london' : 'key-leeds')
      await Promise.all(machines.map(({ device }) => flushed(device.socket)))
      // Until they have found their groups, which others can see before the commit.
      await pause(100)
    })
    const answers = await Promise.all(
      machines.map(({ device }) => Promise.race([device.next('registered'), device.next('refused')])),
    )
    expect(answers.map(({ type }) => type)).toEqual(
      machines.map(({ at }) => (at % 2 === 0 ? 'registered' : 'refused')),
    )
    for (const answer of answers)
      if (answer.type === 'refused') expect(answer.message).toBe('registrationKey: Unknown registration key.')
    expect(await stored()).toEqual(['LU-0', 'LU-2', 'LU-4', 'LU-6'])
  })

  it('keep no other machine of their address waiting', async () => {
    const machines = await Promise.all(Array.from({ length: 20 }, () => fleet.dial()))
    const guessing = await fleet.dial()
    await fleet.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('groups').set({ name: 'held' }).where('id', '=', 'london').execute()
      for (const [at, device] of machines.entries()) register(device, at, 'key-london')
      await Promise.all(machines.map(({ socket }) => flushed(socket)))
      await pause(100)
      register(guessing, 20, 'no key')
      expect((await guessing.next('refused')).message).toBe('registrationKey: Unknown registration key.')
    })
    await Promise.all(machines.map((device) => device.next('registered')))
    expect(await stored()).toHaveLength(20)
  })
})
