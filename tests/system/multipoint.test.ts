// One unit at two servers: the hub that receives it sends the picture on to a point-to-multipoint machine, another hub.
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)

describe.runIf(findFfmpeg())('a unit with a point-to-multipoint machine', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let unitId: string
  let main: Channel
  let machine: Channel

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    const env = { BACKHAUL_HUB_CHANNELS: '1' }
    await stage.start('hub', { env: { ...env, BACKHAUL_HUB_NAME: 'Studio' } })
    await stage.start('hub', { as: 'far', env: { ...env, BACKHAUL_HUB_NAME: 'Stage' } })
    person = await signIn(stage.url, 'admin', adminPassword)
    const channels = () => person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
    const of = (server: string) =>
      until(server, async () => (await channels()).find(({ serverName }) => serverName === server))
    main = await of('Studio')
    machine = await of('Stage')
    // The name makes it a machine.
    await person.call(api.channelAdministration.change, {
      params: { id: machine.uniqueId },
      body: { name: 'Boss150-Stage' },
    })
    await stage.start('agent', {
      env: { BACKHAUL_UNIT_NAME: 'Van-1', BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3' },
    })
    const unit = await until('the unit', async () => {
      const [found] = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
      return found?.idle ? found : undefined
    })
    unitId = unit.uid
    const params = { id: unit.inventoryId, name: 'ptmp' as const }
    await person.call(api.inventories.setProperty, { params, body: { value: true } })
    push = await person.listen([`channel.${main.uniqueId}`, `channel.${machine.uniqueId}`])
  })
  afterAll(async () => {
    push?.close()
    await stage?.stop()
  })

  const select = (machines: Channel[]) =>
    person.call(api.channels.updateMultipoint, {
      body: { uniqueID: unitId, machines: machines.map(({ uniqueId: uid }) => ({ uid })) },
    })
  const is = ({ uniqueId }: Channel, status: string) =>
    push.until(`channel.${uniqueId}`, (channel) => channel.status === status, longMs)
  /** The beginning of a still of the channel. */
  const still = ({ uniqueId }: Channel) =>
    until(
      `a still of ${uniqueId}`,
      async () => {
        const answer = await fetch(`${stage.url}/preview/${uniqueId}/still.jpg`, {
          headers: { cookie: person.cookie },
        })
        return answer.ok
          ? Buffer.from(await answer.arrayBuffer())
              .subarray(0, 2)
              .toString('hex')
          : undefined
      },
      longMs,
    )

  test('[STREAM-006] has its picture at both, and at the machine no longer than it is selected', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    await select([machine])
    const params = { id: unitId }
    await person.call(api.unitCommands.start, { params, body: { channel: main.uniqueId } })
    await is(main, 'collecting')
    await is(machine, 'collecting')
    expect(push.state(`channel.${machine.uniqueId}`).allocatedToUnitUid).toBe(unitId)
    expect([await still(main), await still(machine)]).toEqual(['ffd8', 'ffd8'])
    await select([])
    await is(machine, 'idle')
    expect(push.state(`channel.${main.uniqueId}`).status).toBe('collecting')
    await select([machine])
    await is(machine, 'collecting')
    await person.call(api.unitCommands.stop, { params })
    await is(main, 'idle')
    await is(machine, 'idle')
    expect(push.state(`channel.${machine.uniqueId}`).allocatedToUnitUid).toBeNull()
  })
})
