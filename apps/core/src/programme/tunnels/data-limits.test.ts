// Databridges and IP pipes of a unit whose data of the month are used up: both end with the reason, and may start again.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { bridgedFleet, somePort } from '../../testing/databridge-calls.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { pipeConfiguration, pipedFleet, pipeSettings } from '../../testing/ip-pipe-calls.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const usedUp = 'The data of the usage profile are used up until its reset day.'

describe.each(enginesOfNight)('data limits of tunnels on %s', (engine) => {
  let fleet: TestFleet
  let olivia: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    olivia = await fleet.signedIn('olivia')
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const limit = (unit: TestDevice, type: 'data' | 'hours' = 'data') =>
    nora.call(api.usageProfiles.create, {
      body: { name: type, inventory: 'north', type, monthlyLimit: 1, resetDay: 1, units: [unit.id] },
    })
  const raise = (id: string) =>
    nora.call(api.usageProfiles.change, { params: { id }, body: { monthlyLimit: 100 } })
  /** 3.8 MB over its modems. */
  const use = (unit: TestDevice) =>
    unit.send({
      type: 'telemetry',
      samples: Array.from({ length: 10 }, (_, at) => sampleOf(fleet.clock.nowMs() - 9000 + at * 1000)),
    })
  const history = async ({ id }: TestDevice) =>
    (await olivia.call(api.units.events, { params: { id }, query: {} })).map(({ text }) => text)
  const refused = (request: Promise<unknown>) =>
    expect(request).rejects.toMatchObject({ status: 409, message: usedUp })

  it('[DBIP-001] [USER-006] a databridge ends when they are, and starts again with a higher limit', async () => {
    const { gateway, unit } = await bridgedFleet(fleet)
    const params = { id: unit.id }
    const wanted = () => unit.newest('wanted')?.state.databridge ?? null
    await olivia.call(api.databridge.set, { params, body: { gateway: gateway.id, ports: [somePort] } })
    const { id } = await limit(unit)
    await olivia.call(api.databridge.start, { params })
    await until(() => wanted() !== null)
    use(unit)
    await until(() => wanted() === null)
    await until(() => gateway.newest('serverWanted')?.state.databridges?.length === 0)
    expect(await history(unit)).toContain(`databridge ended: ${usedUp}`)
    await refused(olivia.call(api.databridge.start, { params }))
    await raise(id)
    await olivia.call(api.databridge.start, { params })
    await until(() => wanted() !== null)
    unit.report({
      appliedRevision: unit.newest('wanted')?.revision ?? 0,
      databridgeId: wanted()?.id ?? null,
      applications: { databridge: { state: 'bridging' } },
    })
    await until(() => fleet.core.units.values(unit.id)?.command?.state === 'confirmed')
    // An hour on air is nothing that it uses.
    await nora.call(api.usageProfiles.change, { params: { id }, body: { units: [] } })
    await limit(unit, 'hours')
    use(unit)
    await fleet.pass(61_000)
    expect(wanted()).not.toBeNull()
  })

  it('[DBIP-004] [USER-006] an IP pipe ends when the limit is set below what is used, and connects again', async () => {
    const piped = await pipedFleet(fleet)
    const { server, unit } = piped
    const params = { id: unit.id }
    const wanted = () => unit.newest('wanted')?.state.ipPipe ?? null
    await nora.call(api.ipPipe.configure, { params: { id: server.id }, body: pipeConfiguration })
    await olivia.call(api.ipPipe.setUnit, { params, body: pipeSettings(piped) })
    await olivia.call(api.ipPipe.connect, { params })
    await until(() => wanted() !== null)
    use(unit)
    await fleet.pass()
    expect(wanted()).not.toBeNull()
    const { id } = await limit(unit)
    await until(() => wanted() === null)
    await until(() => server.newest('serverWanted')?.state.ipPipes?.length === 0)
    expect(await history(unit)).toContain(`IP pipe ended: ${usedUp}`)
    await until(() => fleet.core.units.values(unit.id)?.ipPipe.state === 'not connected')
    await refused(olivia.call(api.ipPipe.connect, { params }))
    await raise(id)
    await olivia.call(api.ipPipe.connect, { params })
    await until(() => wanted() !== null)
  })
})
