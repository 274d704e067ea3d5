import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from '../../database/testing.ts'
import { createTestFleet, sampleOf, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import { type Browser, password } from '../../testing.ts'

const calls = api.deviceAdministration

describe.each(engines)('units that move to another customer on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let nora: Browser
  let root: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 1)
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
  })
  afterEach(() => fleet.remove())

  it('keep no data of the customer that they leave, and show neither customer the data of the other', async () => {
    const unit = await fleet.unit('U-9')
    const { id } = unit
    const [channel = ''] = hub.channelIds
    const params = { id }
    const story = await nora.call(api.stories.create, {
      params: { id: 'north' },
      body: { slugline: 'RAID' } as never,
    })
    await nora.call(api.stories.assign, { params: { id: 'north', unit: id, storyId: story.storyId } })
    await nora.call(api.unitCommands.command, {
      params: { id, command: 'set_virtual_channel' },
      body: { virtualChannelName: channel },
    })
    unit.report({ channelId: channel, capabilities: { fileUpload: true } })
    await nora.call(api.accessApprovals.grant, { body: { device: id } })
    const sipAccount = { server: 'sip.north.example', account: '700' }
    await nora.call(api.intercom.setSipAccount, { params, body: { sipAccount } })
    const by = { unit_id: id, started_ms: fleet.clock.nowMs() }
    await fleet.db
      .insertInto('device_logs')
      .values({
        ...by,
        id: 'lo-1',
        channel_id: null,
        device_id: id,
        name: 'U-9',
        description: 'Raid',
        requested_by: 'nora',
        state: 'complete',
        bytes: 0,
      })
      .execute()
    await fleet.db
      .insertInto('ai_sessions')
      .values({
        ...by,
        id: 'as-1',
        settings_id: 'ai-1',
        profile_name: 'Words',
        provider: 'local' as const,
        started_by: 'nora',
        ended_ms: by.started_ms,
        ended_by: null,
      })
      .execute()
    await fleet.db
      .insertInto('unit_uploads')
      .values({
        ...by,
        id: 'ul-1',
        channel_id: null,
        inventory_id: 'north',
        path: '/sd/RAID.mp4',
        file_name: 'RAID.mp4',
        state: 'success',
        size_bytes: 1,
        sent_bytes: 1,
        started_by: 'nora',
        ended_ms: by.started_ms,
        reason: null,
      })
      .execute()
    unit.send({ type: 'telemetry', samples: [sampleOf(by.started_ms)] })
    await until(() => fleet.core.units.values(id)?.selectedChannelName === 'MCR-1')
    await fleet.core.users.ensure({
      id: 'us-sofia',
      username: 'sofia',
      password,
      userType: 'admin',
      firstName: 'S',
      lastName: 'T',
      inventories: ['south'],
      groups: [],
    })
    const sofia = await fleet.signedIn('sofia')
    await fleet.pass(1000)
    await root.call(calls.associate, { params: { inv: 'south', unit: id } })
    await until(() => unit.newest('wanted')?.state.channelId === null)
    const seen = async () => ({
      stories: await sofia.call(api.stories.ofUnit, { params: { id: 'south', unit: id } }),
      events: (await sofia.call(api.units.events, { params, query: {} })).filter(
        ({ ts }) => ts <= by.started_ms,
      ),
      approvals: (await sofia.call(api.accessApprovals.list, { query: { device: id } })).items,
      logs: await sofia.call(api.deviceLogs.ofUnit, { params }),
      graph: (await sofia.call(api.units.graph, { params, query: {} })).filter(
        ({ ts }) => ts <= by.started_ms,
      ),
      session: (await sofia.call(api.aiSessions.one, { params })).session,
      sipAccount: (await sofia.call(api.intercom.sipAccount, { params })).sipAccount,
    })
    const nothing = {
      graph: [],
      stories: [],
      events: [],
      approvals: [],
      logs: [],
      session: null,
      sipAccount: null,
    }
    expect(await seen()).toEqual(nothing)
    const bare = { story: null, channelId: null, selectedChannelName: '', command: null, uploadedFiles: [] }
    await expect.poll(() => sofia.call(api.units.one, { params })).toMatchObject(bare)
    await expect(sofia.call(api.deviceLogs.text, { params: { id: 'lo-1' } })).rejects.toMatchObject({
      status: 404,
    })
    await expect(sofia.call(api.unitCommands.start, { params, body: {} })).rejects.toMatchObject({
      status: 409,
    })
    const stories = await nora.call(api.stories.list, { params: { id: 'north' }, query: {} })
    expect(stories.items[0]?.assignedUnits).toEqual([])
    await sofia.call(calls.changeUnit, { params, body: { name: 'SECRET' } })
    const changes = await nora.call(api.audit.list, { query: { search: id } })
    expect(changes.items.map(({ objectName }) => objectName).filter(Boolean)).toEqual([])
    await fleet.restart()
    expect(fleet.core.units.values(id)).toMatchObject({ story: null, uploadedFiles: [] })
  })
})
