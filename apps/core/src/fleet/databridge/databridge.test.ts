import { api } from '@backhaul/contract/api/api'
import { english } from '@backhaul/contract/define/refusals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('databridge on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let unit: TestDevice
  let gateway: TestDevice
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    unit = await fleet.unit('LON-01')
    gateway = await fleet.server('Gateway', 0, { product: 'Databridge Gateway' })
    await fleet.server('MCR')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: unit.id })
  const select = (id: string | null, browser = nora) =>
    browser.call(api.databridge.select, { params: params(), body: { gateway: id } })
  const selected = () => nora.call(api.databridge.selected, { params: params() })
  const state = async (word: string) => {
    unit.report({ applications: { databridge: { state: word } } })
    await until(() => fleet.core.units.values(unit.id)?.applications?.databridge?.state === word)
  }

  it('offers only the gateways of the customer, and keeps the chosen one', async () => {
    const known = { id: gateway.id, name: 'Gateway', address: '127.0.0.1' }
    expect(await nora.call(api.databridge.options, { params: params() })).toEqual([known])
    expect(await selected()).toEqual({ gateway: null, ports: [] })
    await select(gateway.id)
    expect(await selected()).toEqual({ gateway: known, ports: [] })
    const enhanced = await nora.call(api.units.enhanced, { params: params() })
    expect(enhanced.databridgeGateway).toEqual(known)
    await select(null)
    expect(await selected()).toEqual({ gateway: null, ports: [] })
  })

  it('is not shown to users who may not read the gateway', async () => {
    const more = { product: 'Databridge Gateway', registrationKey: 'key-leeds' }
    const far = await fleet.server('Far', 0, more)
    await select(far.id)
    expect((await selected()).gateway?.id).toBe(far.id)
    const olivia = await fleet.signedIn('olivia')
    const enhanced = await olivia.call(api.units.enhanced, { params: params() })
    expect(enhanced.databridgeGateway).toBeNull()
  })

  it('changes the gateway only while the databridge is idle', async () => {
    await select(gateway.id)
    for (const word of ['connecting', 'bridging', 'stopping']) {
      await state(word)
      await expect(select(null)).rejects.toMatchObject({
        status: 409,
        message: 'Databridge gateway cannot be set while active.',
      })
    }
    expect((await selected()).gateway?.id).toBe(gateway.id)
    await state('idle')
    await select(null)
    expect(await selected()).toEqual({ gateway: null, ports: [] })
  })

  it('[ACCESS-010] keeps the gateway of a unit whose databridge is not licensed', async () => {
    await select(gateway.id)
    await fleet.core.devices.updateDetails(unit.id, (now) => ({ ...now, services: ['video'] }))
    unit.report({ state: 'unlicensed' })
    await until(() => fleet.core.units.values(unit.id)?.services.includes('databridge') === false)
    const refusal = { status: 409, message: 'Databridge license not enabled.' }
    await expect(select(null)).rejects.toMatchObject(refusal)
    expect((await selected()).gateway?.id).toBe(gateway.id)
  })

  it('refuses a server that is not a gateway, one that does not exist, and users who may not choose', async () => {
    const servers = fleet.core.devices.all('server')
    const hub = servers.find(({ name }) => name === 'MCR')?.id ?? ''
    for (const id of [hub, 'unknown']) await expect(select(id)).rejects.toMatchObject({ status: 404 })
    const olivia = await fleet.signedIn('olivia')
    await expect(select(gateway.id, olivia)).rejects.toMatchObject({
      status: 403,
      message: english('role.notAllowed'),
    })
  })
})
