import { api } from '@backhaul/contract/api/api'
import { reasonFields } from '@backhaul/contract/define/refusals'
import type { ServerFailure } from '@backhaul/contract/gateway/servers'
import type { OutputStatus } from '@backhaul/contract/nouns/output-states'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestFleet } from '../../testing/fleet.ts'
import { flushed, until } from '../../testing/wait.ts'

const capabilities = {
  protocolsIn: ['bonded'],
  protocolsOut: ['rtmp'],
  encoders: ['libx264'],
  ffmpegVersion: null,
}

describe.each(enginesOfNight)('alerts on %s', (engine) => {
  let fleet: TestFleet
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
  })
  afterEach(() => fleet.remove())

  const battery = (percentage: number, charging = false) =>
    sampleOf(fleet.clock.nowMs(), { battery: { connected: true, charging, percentage } })

  it('are on the topics of unit and group, critical first, survive a restart, and clear', async () => {
    const [low, empty] = [await fleet.unit('LOW'), await fleet.unit('EMPTY')]
    for (const { id } of [low, empty])
      await until(() => fleet.core.devices.memberships.groupsOf('unit', id).length > 0)
    const active = async () => {
      const olivia = await fleet.signedIn('olivia')
      return await olivia.call(api.alerts.active, { query: { groupId: 'london' } })
    }
    const follower = await fleet.follow(await fleet.signedIn('olivia'), ['group.london', `unit.${low.id}`])
    empty.send({ type: 'telemetry', samples: [battery(7)] })
    await until(() => fleet.core.units.values(empty.id)?.alerts.length === 1)
    await fleet.clock.advanceAsync(1000)
    low.send({ type: 'telemetry', samples: [battery(18)] })
    await until(() => fleet.core.units.values(low.id)?.alerts.length === 1)
    const standing = await active()
    expect(standing).toMatchObject([
      { uid: empty.id, name: 'EMPTY', type: 'battery', severity: 'critical', value: 7 },
      { uid: low.id, name: 'LOW', type: 'battery', severity: 'warning', value: 18 },
    ])
    await fleet.pass(200)
    await follower.sees('group.london', { alerts: standing })
    await follower.sees(`unit.${low.id}`, { alerts: [standing[1]] })
    await fleet.restart()
    expect(await active()).toEqual(standing)
    const back = await fleet.again(low)
    await back.greet()
    back.send({ type: 'telemetry', samples: [battery(18, true)] })
    await until(() => fleet.core.units.values(low.id)?.alerts.length === 0)
    expect(await active()).toMatchObject([{ uid: empty.id }])
    const events = await (await fleet.signedIn('olivia')).call(api.units.events, {
      params: { id: low.id },
      query: {},
    })
    expect(events.filter(({ kind }) => kind === 'alert').map(({ text }) => text)).toEqual([
      'battery cleared',
      'battery warning',
    ])
  })

  it('of lost frames are the same alert until clearly fewer are lost, for each camera', async () => {
    const unit = await fleet.unit('VAN')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    const camera = { kind: 'sdi', width: 1920, height: 1080, fps: 50, codec: 'H.264/AVC' } as const
    const losing = (percent: number) => ({
      ...camera,
      connected: true,
      ...(percent > 0 && { frameLoss: { percent, reason: 'Too slow' } }),
    })
    const olivia = await fleet.signedIn('olivia')
    const report = async (...percents: number[]) => {
      unit.report({ applications: { video: { state: 'streaming' } }, cameras: percents.map(losing) })
      await flushed(unit.socket)
      await fleet.pass(100)
      const active = await olivia.call(api.alerts.active, { query: { groupId: 'london' } })
      return active.filter(({ type }) => type === 'encoderBehind')
    }
    const [critical] = await report(25, 20)
    expect(critical).toMatchObject({ severity: 'critical', value: 25, about: { name: '1' } })
    expect((await report(20, 20)).map(({ id, severity, value }) => [id, severity, value])).toContainEqual([
      critical?.id,
      'critical',
      20,
    ])
    const eased = await report(15, 20)
    expect(eased.map(({ severity, about }) => [about?.name, severity]).toSorted()).toEqual([
      ['1', 'warning'],
      ['2', 'warning'],
    ])
    const kept = await report(4, 20)
    expect(kept.map(({ id }) => id).toSorted()).toEqual(eased.map(({ id }) => id).toSorted())
    expect(await report(3, 20)).toMatchObject([{ about: { name: '2' } }])
    expect(await report(4, 0)).toEqual([])
  })

  it('of a server and of a battery are the same alert until their percentages are clearly better [ALERT-003]', async () => {
    const [hub, unit] = [await fleet.server('MCR'), await fleet.unit('VAN')]
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    const olivia = await fleet.signedIn('olivia')
    const report = async (cpuPercent: number, storagePercent: number, charge: number) => {
      const usage = { cpuPercent, storagePercent, memoryPercent: 1 }
      hub.send({ type: 'serverTelemetry', ts: fleet.clock.nowMs(), usage, channels: [] })
      unit.send({ type: 'telemetry', samples: [battery(charge)] })
      await Promise.all([flushed(hub.socket), flushed(unit.socket)])
      await fleet.pass(1000)
      return await olivia.call(api.alerts.active, { query: { groupId: 'london' } })
    }
    const raised = await report(80, 95, 20)
    expect(raised.map(({ type, severity }) => `${type} ${severity}`).toSorted()).toEqual([
      'battery warning',
      'serverCpu warning',
      'serverStorage critical',
    ])
    const ids = (alerts: typeof raised) => alerts.map(({ id }) => id).toSorted()
    expect(ids(await report(79, 94, 21))).toEqual(ids(raised))
    expect(ids(await report(70, 85, 24))).toEqual(ids(raised))
    expect(await report(69, 69, 25)).toEqual([])
    expect(await report(79, 79, 21)).toEqual([])
  })

  it('name each destination that fails, with what the other end answered, until it sends or is stopped', async () => {
    const hub = await fleet.server('MCR')
    const [channelId] = hub.channelIds as [string]
    hub.report({ capabilities })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.encoders.length === 1)
    const [nora, olivia] = [await fleet.signedIn('nora'), await fleet.signedIn('olivia')]
    const add = (name: string) =>
      nora.call(api.destinations.add, {
        body: {
          uid: channelId,
          destination: { name, streamType: 'RTMP', urlPrimary: `rtmp://${name}.example/live` },
        },
      })
    const [partner, archive] = [await add('partner'), await add('archive')]
    const active = () => olivia.call(api.alerts.active, { query: { groupId: 'london' } })
    const report = async (...outputs: OutputStatus[]) => {
      hub.telemetry([{ channelId, status: 'collecting', outputs }])
      await flushed(hub.socket)
      await fleet.pass(100)
      return await active()
    }
    const times = { since: 1, tries: 1 }
    const refused = { ...times, state: 'failed' as const, ...reasonFields('output.refused') }
    const raised = await report({ id: partner.id, ...refused }, { id: `${archive.id}-2`, ...refused })
    expect(raised).toMatchObject(
      ['partner', 'archive'].map((name) => ({
        uid: hub.id,
        name: 'MCR',
        type: 'destinationFailed',
        severity: 'critical',
        about: { name: `MCR-1, ${name}` },
        reason: 'Connection refused.',
        cause: { code: 'output.refused' },
      })),
    )
    const [, second] = raised
    const denied = { ...times, id: `${archive.id}-2`, state: 'failed' as const, reason: 'Not today' }
    const left = await report({ ...times, id: partner.id, state: 'sending', reason: null }, denied)
    expect(left).toMatchObject([{ id: second?.id, since: second?.since, reason: 'Not today' }])
    expect(left[0]?.cause).toBeUndefined()
    expect(await report()).toEqual([])
  })

  it('of a channel are not shown to groups of its server that the channel is not in', async () => {
    const hub = await fleet.server('MCR')
    const [channelId] = hub.channelIds as [string]
    const { memberships } = fleet.core.devices
    const report = async () => {
      const failed = {
        id: 'de-1',
        state: 'failed' as const,
        ...reasonFields('output.refused'),
        since: 1,
        tries: 1,
      }
      hub.telemetry([{ channelId, status: 'collecting', outputs: [failed] }])
      await flushed(hub.socket)
      await fleet.pass(100)
      return memberships.topicOf('london').values.alerts
    }
    expect(await report()).toMatchObject([{ type: 'destinationFailed', about: { name: 'MCR-1' } }])
    const nora = await fleet.signedIn('nora')
    await nora.call(api.groupAdministration.removeChannel, { params: { groupId: 'london', channelId } })
    await until(() => memberships.groupsOf('channel', channelId).length === 0)
    expect(await report()).toEqual([])
  })

  it('name the parts that a server fails to start, and the reason', async () => {
    const hub = await fleet.server('MCR')
    const [channelId] = hub.channelIds as [string]
    const olivia = await fleet.signedIn('olivia')
    const report = async (failures: ServerFailure[], ofChannel: ServerFailure[] = []) => {
      hub.telemetry([{ channelId, failures: ofChannel }], { failures })
      await flushed(hub.socket)
      await fleet.pass(100)
      return await olivia.call(api.alerts.active, { query: { groupId: 'london' } })
    }
    const reason = 'The disk of the server is full.'
    const raised = await report(
      [
        { type: 'ifbFailed', name: 'IFB 1', reason: 'No such file' },
        { type: 'ifbFailed', name: 'IFB 2', reason: 'No such file' },
        { type: 'tallyFailed', reason: 'In use' },
        { type: 'webFailed', reason: 'In use' },
      ],
      [{ type: 'recordingFailed', reason, cause: { code: 'recording.noSpace', params: {} } }],
    )
    expect(raised.map(({ type, about, reason: why }) => [type, about?.name, why]).sort()).toEqual([
      ['ifbFailed', 'IFB 1', 'No such file'],
      ['ifbFailed', 'IFB 2', 'No such file'],
      ['recordingFailed', 'MCR-1', reason],
      ['tallyFailed', undefined, 'In use'],
      ['webFailed', undefined, 'In use'],
    ])
    const taken = {
      type: 'ipPipeFailed',
      reason: 'Another program of the server uses port 9000.',
      cause: { code: 'server.portTaken', params: { port: 9000 } },
    } as const
    const kept = await report([taken, { type: 'returnFailed', reason: 'No such encoder' }])
    expect(kept).toMatchObject([
      { type: 'ipPipeFailed', reason: 'Another program of the server uses port 9000.' },
      { type: 'returnFailed', reason: 'No such encoder' },
    ])
    const changed = await report([taken, { type: 'returnFailed', reason: 'No such device' }])
    expect(changed.map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
    await fleet.restart()
    const again = await fleet.signedIn('olivia')
    expect(await again.call(api.alerts.active, { query: { groupId: 'london' } })).toEqual(changed)
    const back = await fleet.again(hub)
    await back.greet()
    await fleet.pass(100)
    expect(await again.call(api.alerts.active, { query: { groupId: 'london' } })).toEqual(changed)
    back.send({
      type: 'serverTelemetry',
      ts: fleet.clock.nowMs(),
      usage: { cpuPercent: 1, memoryPercent: 1, storagePercent: 1 },
      channels: [],
      failures: [],
    })
    await flushed(back.socket)
    await fleet.pass(100)
    expect(await again.call(api.alerts.active, { query: { groupId: 'london' } })).toEqual([])
  })

  it('of a server reach only the groups that it serves', async () => {
    const hub = await fleet.server('MCR')
    hub.send({
      type: 'serverTelemetry',
      ts: fleet.clock.nowMs(),
      usage: { cpuPercent: 97, memoryPercent: 1, storagePercent: 1 },
      channels: [],
    })
    await flushed(hub.socket)
    await fleet.pass(100)
    expect(fleet.core.devices.memberships.topicOf('london').values.alerts).toMatchObject([
      { uid: hub.id, type: 'serverCpu', value: 97 },
    ])
    const sam = await fleet.signedIn('sam')
    expect(await sam.call(api.alerts.active, { query: { groupId: 'cairo' } })).toEqual([])
    await expect(sam.call(api.alerts.active, { query: { groupId: 'london' } })).rejects.toMatchObject({
      status: 404,
    })
  })
})
