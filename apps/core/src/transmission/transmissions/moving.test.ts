// A live unit moves to another channel: the old one is held until the unit sends to the new one.
import { api } from '@backhaul/contract/api/api'
import type { UnitWantedMessage } from '@backhaul/contract/gateway/gateway'
import type { Command } from '@backhaul/contract/nouns/commands'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('a move to another channel on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let unit: TestDevice
  let olivia: Browser
  let from: string
  let to: string
  let first: UnitWantedMessage
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 3)
    ;[from, to] = hub.channelIds as [string, string]
    olivia = await fleet.signedIn('olivia')
    unit = await fleet.unit('MOVING')
    const { groupsOf } = fleet.core.devices.memberships
    await until(() => groupsOf('channel', to).length > 0 && groupsOf('unit', unit.id).length > 0)
    await olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: from } })
    first = await unit.next('wanted', ({ state }) => state.transmission !== null)
    sends(first)
    await until(() => command()?.state === 'confirmed')
  })
  afterEach(() => fleet.remove())

  const values = () => fleet.core.units.values(unit.id)
  const command = () => values()?.command as Command
  const holder = (id: string) => fleet.core.channels.known(id)?.allocatedToUnitUid
  const choose = (virtualChannelName: string) =>
    olivia.call(api.unitCommands.command, {
      params: { id: unit.id, command: 'set_virtual_channel' },
      body: { virtualChannelName },
    })

  /** The report of a unit that sends as wanted. */
  function sends({ revision, state }: UnitWantedMessage): void {
    unit.report({
      channelId: state.channelId ?? from,
      transmissionId: state.transmission?.id ?? null,
      applications: { video: { state: 'streaming' } },
      appliedRevision: revision,
    })
    unit.send({ type: 'telemetry', samples: [sampleOf(fleet.clock.nowMs())] })
  }

  async function move(): Promise<UnitWantedMessage> {
    await choose(to)
    return await unit.next('wanted', ({ state }) => state.transmission?.channelId === to)
  }

  it('holds the old channel until the unit sends to the new one, under a new key', async () => {
    const moved = await move()
    expect(moved.state.transmission?.key).not.toBe(first.state.transmission?.key)
    expect([holder(from), holder(to)]).toEqual([unit.id, unit.id])
    // It has selected the channel, and still sends to the old one.
    unit.report({ channelId: to, appliedRevision: moved.revision })
    await until(() => command().state === 'accepted')
    expect([holder(from), holder(to)]).toEqual([unit.id, unit.id])
    sends(moved)
    await until(() => command().state === 'confirmed' && holder(from) === null)
    expect(holder(to)).toBe(unit.id)
    const rows = await fleet.db.selectFrom('transmissions').select(['id', 'stop_reason']).execute()
    expect(new Map(rows.map(({ id, stop_reason }) => [id, stop_reason]))).toEqual(
      new Map([
        [first.state.transmission?.id, 'moved to another channel'],
        [moved.state.transmission?.id, null],
      ]),
    )
  })

  it('keeps the old channel when the unit cannot reach the new one, and shows the reason', async () => {
    const moved = await move()
    const reason = 'The new channel does not answer on any link.'
    unit.send({ type: 'outcome', revision: moved.revision, state: 'refused', reason })
    const back = await unit.next(
      'wanted',
      ({ state, revision }) => revision > moved.revision && state.transmission?.channelId === from,
    )
    expect(back.state.transmission).toEqual(first.state.transmission)
    expect(back.state.channelId).toBe(from)
    await until(() => holder(to) === null)
    expect(holder(from)).toBe(unit.id)
    expect(command()).toMatchObject({ state: 'refused', reason })
    expect(values()?.transmission).toMatchObject({ id: first.state.transmission?.id, channelId: from })
  })

  it('continues with the new channel when its server has the picture, regardless of the report of the unit', async () => {
    const moved = await move()
    const transmissionId = moved.state.transmission?.id ?? null
    hub.telemetry([{ channelId: to, status: 'collecting', transmissionId }])
    await until(() => fleet.core.channels.known(to)?.status === 'collecting')
    await fleet.pass(60_000)
    await until(() => holder(from) === null)
    expect(holder(to)).toBe(unit.id)
    expect(values()?.transmission?.channelId).toBe(to)
  })

  it('answers a repeated request with the move under way, and refuses another one meanwhile', async () => {
    const moved = await move()
    const { id } = command()
    await expect(choose(to)).resolves.toMatchObject({ commandId: id })
    await expect(choose(hub.channelIds[2] as string)).rejects.toMatchObject({ status: 409 })
    expect(unit.newest('wanted')?.revision).toBe(moved.revision)
  })

  it('frees both channels when the operator stops', async () => {
    await move()
    await olivia.call(api.unitCommands.stop, { params: { id: unit.id } })
    await until(() => holder(from) === null && holder(to) === null)
    const open = await fleet.db
      .selectFrom('transmissions')
      .select('id')
      .where('stopped_ms', 'is', null)
      .execute()
    expect(open).toEqual([])
  })

  it('survives a restart of core: the old channel is free as soon as the unit sends to the new one', async () => {
    const moved = await move()
    await fleet.restart()
    await until(() => holder(to) === unit.id)
    expect(holder(from)).toBe(unit.id)
    const again = await fleet.again(unit, { bootId: 'same' })
    await again.greet()
    unit = again
    sends(moved)
    await until(() => holder(from) === null)
    expect(holder(to)).toBe(unit.id)
  })
})
