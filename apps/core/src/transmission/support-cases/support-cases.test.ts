import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.supportCases

describe.each(enginesOfNight)('support cases on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let olivia: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine, { supportEmail: 'support@vendor.example' })
    unit = await fleet.unit('LON-01', { serialNumber: 'SN-1' })
    unit.report({ capabilities: { logs: true } })
    await until(() => fleet.core.units.values(unit.id)?.capabilities.logs === true)
    olivia = await fleet.signedIn('olivia')
  })
  afterEach(() => fleet.remove())

  const open = (more: { description?: string; logs?: boolean } = {}, browser = olivia) =>
    browser.call(calls.open, { body: { unit: unit.id, description: 'Picture froze', ...more } })
  const ofUnit = () => olivia.call(calls.ofUnit, { params: { id: unit.id } })
  const takeAddress = () =>
    fleet.db
      .updateTable('users')
      .set({ email: null, email_key: null })
      .where('username', '=', 'olivia')
      .execute()
  const giveAddress = () =>
    olivia.call(api.client.saveContact, {
      body: { email: 'olivia@north.example', phone: '', firstName: 'Olivia', lastName: 'Hart' },
    })

  it('[LOG-003] are opened by a user with an e-mail address about a unit that is online and idle, stored and sent', async () => {
    await takeAddress()
    await expect(open()).rejects.toMatchObject({
      status: 409,
      message: 'Opening a support case needs an e-mail address. Enter yours under Account.',
    })
    await giveAddress()
    for (const description of ['', '   '])
      await expect(open({ description })).rejects.toMatchObject({
        status: 400,
        fields: [fault('description', 'field.required')],
      })
    await expect(open({ description: 'x'.repeat(4001) })).rejects.toMatchObject({ status: 400 })
    const onlyIdle = { status: 409, message: 'Open a support case only when the unit is online and idle.' }
    for (const applications of [{ video: { state: 'streaming' } }, { upgrade: { state: 'on' } }]) {
      unit.report({ applications })
      await until(() => fleet.core.units.values(unit.id)?.busy === true)
      await expect(open()).rejects.toMatchObject(onlyIdle)
    }
    unit.report({ applications: {} })
    await until(() => fleet.core.units.values(unit.id)?.busy === false)
    const first = await open()
    expect(first.id).toMatch(/^case-\d{8}-[2-9A-Z]{6}$/)
    expect(unit.newest('order')).toBeUndefined()
    fleet.clock.advance(1000)
    const second = await open({ description: 'It froze again', logs: true })
    expect((await unit.next('order', ({ name }) => name === 'send_logs')).args).toHaveProperty('logId')
    unit.socket.close()
    await until(() => fleet.core.units.values(unit.id)?.offline === true)
    await expect(open()).rejects.toMatchObject(onlyIdle)
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    expect(await ofUnit()).toMatchObject([
      {
        id: second.id,
        description: 'It froze again',
        by: 'olivia',
        email: 'olivia@north.example',
        withLogs: true,
      },
      { id: first.id, withLogs: false },
    ])
    const { items } = await (await fleet.signedIn('root')).call(api.outbox.list, { query: {} })
    const mail = items.find(({ subject }) => subject === `${first.id}: LON-01`)
    expect(mail).toMatchObject({ recipient: 'support@vendor.example' })
    expect(mail?.text).toContain('Picture froze')
    expect(mail?.text).toContain('SN-1')
    expect(mail?.text).toContain('olivia@north.example')
  })

  it('[LOG-003] opens none whose logs cannot come, and none for those who may only look', async () => {
    unit.report({ capabilities: {} })
    await until(() => fleet.core.units.values(unit.id)?.capabilities.logs === undefined)
    await expect(open({ logs: true })).rejects.toMatchObject({ message: 'The unit cannot send logs.' })
    expect(await ofUnit()).toEqual([])
    const reed = await fleet.signedIn('reed')
    await expect(open({}, reed)).rejects.toMatchObject({ status: 403 })
    const sam = await fleet.signedIn('sam')
    await expect(open({}, sam)).rejects.toMatchObject({ status: 404 })
  })
})
