// Feeds of a transceiver through the doors: what its server and that of its channel are sent, and what is refused.
import { api } from '@backhaul/contract/api/api'
import type { ChannelChange } from '@backhaul/contract/nouns/channel-administration'
import { feedState } from '@backhaul/contract/nouns/feeds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { fetchingInputOf } from '../../testing/input-channel.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('feeds of a transceiver on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let hub: TestDevice
  let relay: TestDevice
  let unit: TestDevice
  let main: string
  let other: string
  let feed: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2)
    relay = await fleet.server('Relay', 2, { product: 'Transceiver Server' })
    ;[main = '', other = ''] = hub.channelIds
    feed = relay.channelIds[0] ?? ''
    unit = await fleet.unit('VAN')
    const { memberships } = fleet.core.devices
    await until(() => memberships.membersOf('channel', 'london').length === 4)
    await until(() => memberships.groupsOf('unit', unit.id).length > 0)
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const change = (id: string, body: ChannelChange, browser = nora) =>
    browser.call(api.channelAdministration.change, { params: { id }, body })
  const transmit = (channel = main) =>
    nora.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel } })
  const end = () => nora.call(api.unitCommands.stop, { params: { id: unit.id } })
  const wantedOf = (server: TestDevice, id: string) =>
    server.newest('serverWanted')?.state.channels.find(({ channelId }) => channelId === id)
  const shown = () => fleet.core.channels.known(feed)!

  it('[SRV-011] takes what its channel receives, under a key of its own, as long as it is wanted', async () => {
    await change(feed, { feedFrom: main })
    expect(shown().feedFrom).toEqual({
      channelId: main,
      channelName: fleet.core.channels.known(main)?.name,
      serverName: 'MCR',
    })
    expect(feedState(shown())).toBe('waiting')
    await transmit()
    await until(() => wantedOf(hub, main)?.copies?.length === 1 && Boolean(wantedOf(relay, feed)?.intake))
    const [copy] = wantedOf(hub, main)?.copies ?? []
    expect(copy).toMatchObject({ channelId: feed, key: wantedOf(relay, feed)?.intake?.key })
    expect(copy?.targets).toEqual(fleet.core.channels.targets(feed))
    expect(shown().allocatedToUnitUid).toBe(unit.id)
    expect(feedState(shown())).toBe('connecting')

    await change(feed, { feedStopped: true })
    await until(() => !wantedOf(hub, main)?.copies && wantedOf(relay, feed)?.intake === null)
    expect([feedState(shown()), shown().feedFrom?.channelId]).toEqual(['stopped', main])
    await change(feed, { feedStopped: false })
    await until(() => wantedOf(hub, main)?.copies?.length === 1)
    // The other channel sends no picture now.
    await change(feed, { feedFrom: other })
    await until(() => !wantedOf(hub, main)?.copies && wantedOf(relay, feed)?.intake === null)
    await change(feed, { feedFrom: main })
    await until(() => wantedOf(relay, feed)?.intake !== null)
    await end()
    await until(() => wantedOf(relay, feed)?.intake === null)
    expect(shown().allocatedToUnitUid).toBeNull()
  })

  it('[SRV-011] is kept over a restart, follows the name of its channel, and loses a channel that is gone', async () => {
    await change(feed, { feedFrom: main })
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    expect(shown().feedFrom?.channelId).toBe(main)
    await change(main, { name: 'Pool' })
    expect(shown().feedFrom?.channelName).toBe('Pool')
    await nora.call(api.channelAdministration.remove, { params: { id: main } })
    expect([shown().feedFrom, feedState(shown())]).toEqual([null, 'unset'])
  })

  it('[SRV-011] is refused where there is no feed, or no channel that it can take', async () => {
    const refusal = (field: string, code: string) => ({
      status: 409,
      fields: [{ field, cause: { code } }],
    })
    await expect(change(main, { feedFrom: other })).rejects.toMatchObject(
      refusal('feedFrom', 'feed.transceiversOnly'),
    )
    await expect(change(main, { feedStopped: true })).rejects.toMatchObject(
      refusal('feedStopped', 'feed.nothingTaken'),
    )
    const taken = relay.channelIds[1] ?? ''
    await change(taken, { feedFrom: main })
    const [, input] = await fetchingInputOf(fleet, ['srt'])
    for (const from of [feed, taken, input])
      await expect(change(feed, { feedFrom: from })).rejects.toMatchObject(
        refusal('feedFrom', 'feed.notTaken'),
      )
    await expect(change(feed, { feedFrom: 'ch-nowhere' })).rejects.toMatchObject({ status: 404 })
    const olivia = await fleet.signedIn('olivia')
    await expect(change(feed, { feedFrom: main }, olivia)).rejects.toMatchObject({ status: 403 })
    expect(shown().feedFrom).toBeNull()
    // A unit cannot take what the transceiver takes by itself.
    await expect(transmit(taken)).rejects.toMatchObject({ status: 409 })
  })

  it('[SRV-011] a stopped input neither fetches nor admits a sender', async () => {
    const [server, input] = await fetchingInputOf(fleet, ['srt'])
    const body = { name: 'Far', url: 'srt://203.0.113.9:9000' }
    await nora.call(api.channelSettings.addSource, { params: { id: input }, body })
    await until(() => wantedOf(server, input)?.sources?.length === 1)
    await change(input, { feedStopped: true })
    await until(() => !wantedOf(server, input)?.sources)
    expect(wantedOf(server, input)?.inputKey).toBeUndefined()
    await change(input, { feedStopped: false })
    await until(() => wantedOf(server, input)?.sources?.length === 1)
    expect(wantedOf(server, input)?.inputKey).toBeDefined()
  })

  it('[SRV-011] keeps what comes in and what goes out over time', async () => {
    const output = { id: 'de-1', state: 'sending' as const, reason: null, since: 1, tries: 1 }
    for (const kbps of [4000, 4200]) {
      relay.telemetry([{ channelId: feed, status: 'collecting', kbps, outputs: [{ ...output, kbps: 3900 }] }])
      await until(() => shown().reception?.kbps === kbps)
      await fleet.pass(5000)
    }
    const graph = (browser = nora) =>
      browser.call(api.channels.feedGraph, { params: { id: feed }, query: {} })
    const points = await graph()
    expect(points.map(({ uplinkKbps }) => uplinkKbps)).toEqual(points.map(() => 3900))
    expect([...new Set(points.map(({ downlinkKbps }) => downlinkKbps))].sort()).toEqual([4000, 4200])
    await fleet.restart()
    const kept = await graph(await fleet.signedIn('nora'))
    // The interval that was under way is not shown beyond its end any more.
    expect(kept.length).toBeGreaterThanOrEqual(points.length - 1)
    expect(kept).toEqual(points.slice(0, kept.length))
  })
})
