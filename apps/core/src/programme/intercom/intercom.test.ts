// Intercom of a unit through the doors: its lines and jacks, sessions as the unit reports them, and what is refused.

import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { AUDIO_ROOM_PLACES } from '@backhaul/contract/nouns/audio-rooms'
import { firstLine, type IntercomNumber } from '@backhaul/contract/nouns/intercom'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everything } from '../../database/scope.ts'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { intercomStage, reportSpeech, speechPort, speechServer } from '../../testing/intercom-calls.ts'
import { outOfTheBox } from '../../testing/unit-settings.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.intercom
const refused = (message: string) => ({ status: 409, message })

describe.each(enginesOfNight)('intercom on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let olivia: Browser
  let root: Browser
  let room: string
  /** The server with the audio rooms. */
  let hub: TestDevice
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('LON-01')
    olivia = await fleet.signedIn('olivia')
    root = await fleet.signedIn('root')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
    room = await intercomStage(root, unit, values)
    hub = await speechServer(fleet)
  })
  afterEach(() => fleet.remove())

  const values = () => fleet.core.units.values(unit.id)
  const line = (intercom: IntercomNumber) => values()?.intercoms[intercom - 1]
  const params = () => ({ id: unit.id })
  const options = (browser = olivia) => browser.call(calls.options, { params: params() })
  const set = (intercom: IntercomNumber, mode: 'audioRoom' | 'targetChannel', destinationAccount = '') =>
    olivia.call(calls.set, { params: params(), body: { intercom, mode, destinationAccount } })
  const start = (session: IntercomNumber) =>
    olivia.call(calls.start, { params: { ...params(), session }, body: {} })
  const stop = (session: IntercomNumber) => olivia.call(calls.stop, { params: { ...params(), session } })
  const setServer = (sipServer: string) =>
    root.call(api.inventories.update, { params: { id: 'north' }, body: { sipServer } })
  const setAccount = (sipAccount: { server: string; account: string } | null, browser = root) =>
    browser.call(calls.setSipAccount, { params: params(), body: { sipAccount } })
  const roomNow = async () =>
    (await root.call(api.audioRooms.list, { params: { id: 'north' }, query: {} })).items.find(
      ({ id }) => id === room,
    )

  /** The unit applies its newest wanted state; its sessions are in `state`. */
  async function follow(state: 'connecting' | 'connected' = 'connected') {
    const wanted = await unit.next(
      'wanted',
      (one) => one.revision === fleet.core.devices.get(unit.id)?.wantedRevision,
    )
    const { settings, intercoms = [] } = wanted.state
    unit.report({
      settings: { ...outOfTheBox, ...unitSettings(), ...settings },
      intercoms: intercoms.map(({ id: sessionId, intercom }) => ({ intercom, sessionId, state })),
      appliedRevision: wanted.revision,
      state: `at ${wanted.revision} ${state}`,
    })
    await until(() => values()?.state === `at ${wanted.revision} ${state}`)
    return wanted.state
  }
  const unitSettings = () => fleet.core.units.memory(unit.id)?.actual.settings

  it('[COMM-001] has two lines, each set and opened separately, in the state that the unit reports', async () => {
    expect(await options()).toEqual({
      closed: [null, null],
      closedCauses: [null, null],
      server: 'sip.north.example',
      sipAccount: null,
      rooms: [{ id: room, name: 'Gallery' }],
      jacks: [{ jack: 1, use: 'intercom1' }],
      channelRoom: null,
      ifb: { delay: 700, alwaysOn: false },
    })
    await set(1, 'audioRoom', room)
    await follow()
    await set(2, 'targetChannel', 'of no use')
    await follow()
    const idle = { state: null, transition: null, failure: null, failureCause: null }
    expect(values()?.intercoms).toEqual([
      { mode: 'audioRoom', destinationAccount: room, ...idle },
      { mode: 'targetChannel', destinationAccount: '', ...idle },
    ])
    await olivia.call(calls.setJacks, { params: params(), body: { jacks: [{ jack: 1, use: 'intercom2' }] } })
    expect((await follow()).settings?.audioJacks).toEqual([{ jack: 1, use: 'intercom2' }])

    const { commandId } = await start(1)
    expect(line(1)).toMatchObject({ state: null, transition: 'connecting' })
    const { intercoms } = await follow('connecting')
    expect(intercoms).toMatchObject([
      {
        intercom: 1,
        mode: 'audioRoom',
        destination: room,
        server: 'sip.north.example',
        account: null,
        roomId: room,
        roomName: 'Gallery',
        serverId: hub.id,
        targets: [{ host: '192.0.2.7', port: speechPort }],
      },
    ])
    // The server admits this unit, with the key that the unit has, and no other.
    const [session] = intercoms ?? []
    const admitted = async (count: number) =>
      (await hub.next('serverWanted', ({ state }) => state.speech?.length === count)).state.speech
    expect(await admitted(1)).toEqual([{ id: session?.id, roomId: room, unitId: unit.id, key: session?.key }])
    expect(Buffer.from(session?.key ?? '', 'base64')).toHaveLength(32)
    expect(line(1)).toMatchObject({ state: 'connecting', transition: 'connecting' })
    expect(values()?.command?.state).not.toBe('confirmed')
    await follow()
    expect(line(1)).toMatchObject({ state: 'connected', transition: null })
    expect(values()?.command).toMatchObject({ id: commandId, name: 'start_intercom', state: 'confirmed' })
    expect(line(2)).toMatchObject(idle)
    expect((await roomNow())?.participants).toEqual(['LON-01'])
    const remove = () => root.call(api.audioRooms.remove, { params: { id: 'north', room } })
    await expect(remove()).rejects.toMatchObject(refused('Audio room in use cannot be deleted.'))
    for (const call of [() => start(1), () => set(1, 'targetChannel'), () => setAccount(null)])
      await expect(call()).rejects.toMatchObject(refused('The intercom is running.'))

    await expect(start(2)).rejects.toMatchObject(refused('Selected channel is busy or offline.'))
    await fleet.server('MCR', 1)
    await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length === 1)
    const channelId = fleet.core.channels.find(everything, 'MCR-1')?.uniqueId ?? ''
    unit.report({ channelId })
    await until(() => values()?.channelId === channelId)
    await expect(start(2)).rejects.toMatchObject(refused('No audio room belongs to the selected channel.'))
    const { id: atChannel } = await root.call(api.audioRooms.create, {
      params: { id: 'north' },
      body: { name: 'At MCR', channels: [channelId] },
    })
    expect((await options()).channelRoom).toEqual({ id: atChannel, name: 'At MCR' })
    await start(2)
    expect((await follow()).intercoms).toMatchObject([
      { intercom: 1 },
      { intercom: 2, mode: 'targetChannel', destination: channelId, roomId: atChannel, roomName: 'At MCR' },
    ])
    expect(await admitted(2)).toMatchObject([{ roomId: room }, { roomId: atChannel }])
    // A room with another name is the same room: the session continues.
    await root.call(api.audioRooms.change, {
      params: { id: 'north', room: atChannel },
      body: { name: 'Floor' },
    })
    const namesAre = (...names: string[]) =>
      unit.next('wanted', ({ state: { intercoms: now = [] } }) =>
        names.every((name, at) => now[at]?.roomName === name),
      )
    expect((await namesAre('Gallery', 'Floor')).state.intercoms).toMatchObject([
      session ?? {},
      { intercom: 2, destination: channelId, roomId: atChannel },
    ])
    await follow()
    expect(line(2)).toMatchObject({ state: 'connected', transition: null })
    reportSpeech(hub, speechPort + 1)
    await unit.next(
      'wanted',
      ({ state: { intercoms: now = [] } }) =>
        now.length === 2 && now.every(({ targets }) => targets[0]?.port === speechPort + 1),
    )
    await stop(1)
    expect(line(1)).toMatchObject({ state: 'connected', transition: 'disconnecting' })
    await follow()
    expect(line(1)).toMatchObject(idle)
    expect(line(2)).toMatchObject({ state: 'connected', transition: null })
    await expect(stop(1)).rejects.toMatchObject(refused('The intercom is not running.'))

    // A short loss ends nothing, also over a restart of core; a long one does.
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    root = await fleet.signedIn('root')
    unit = await fleet.again(unit)
    await unit.greet()
    hub = await fleet.again(hub)
    await hub.greet()
    reportSpeech(hub)
    await follow()
    await fleet.pass(11_000)
    expect(line(2)).toMatchObject({ state: 'connected', transition: null })
    unit.socket.close()
    await until(() => values()?.offline === true)
    expect(line(2)).toMatchObject(idle)
    await fleet.pass(11_000)
    unit = await fleet.again(unit)
    await unit.greet()
    expect((await follow()).intercoms).toEqual([])
    await expect(start(2)).rejects.toMatchObject(refused('Selected channel is busy or offline.'))
    await start(1)
    const { revision } = await unit.next('wanted', ({ state }) => state.intercoms?.length === 1)
    unit.send({ type: 'outcome', revision, state: 'refused', reason: 'no headset' })
    await until(() => line(1)?.transition === null)
    expect(values()?.command).toMatchObject({ state: 'refused', reason: 'no headset' })
    await start(1)
    const wantedSessions = (sessions: number) =>
      until(() => unit.newest('wanted')?.state.intercoms?.length === sessions)
    await wantedSessions(1)
    await root.call(api.deviceAdministration.associate, { params: { inv: 'south', unit: unit.id } })
    await wantedSessions(0)
    await until(() => hub.newest('serverWanted')?.state.speech?.length === 0)
  })

  it('[COMM-001] shows why a line is not connected, and ends its session when the server of the room is lost', async () => {
    await set(1, 'audioRoom', room)
    await follow()
    await start(1)
    const { intercoms = [] } = await follow('connecting')
    const sessionId = intercoms[0]?.id ?? ''
    const why = { code: 'intercom.serverSilent', params: {} }
    const failure = 'The server of the audio room does not answer on any link.'
    unit.report({
      intercoms: [{ intercom: 1, sessionId, state: 'connecting', failure, failureCause: why }],
    })
    await until(() => line(1)?.failure === failure)
    expect(line(1)).toMatchObject({ state: 'connecting', failure, failureCause: why })
    await until(() => values()?.command?.cause?.code === why.code)
    unit.report({ intercoms: [{ intercom: 1, sessionId, state: 'connected' }] })
    await until(() => line(1)?.state === 'connected')
    expect(line(1)).toMatchObject({ failure: null, failureCause: null })
    hub.socket.close()
    await until(() => !fleet.core.servers.isOnline(hub.id))
    await expect(start(2)).rejects.toMatchObject(refused('Audio room external or not selected.'))
    await set(2, 'audioRoom', room)
    await follow()
    await expect(start(2)).rejects.toMatchObject({
      status: 503,
      message: 'No server of the inventory supports audio rooms.',
    })
    await fleet.pass(61_000)
    await until(() => unit.newest('wanted')?.state.intercoms?.length === 0)
  })

  it('[COMM-001] ends the session of a unit that is taken out of the room, with the reason', async () => {
    await set(1, 'audioRoom', room)
    await follow()
    await start(1)
    const { intercoms } = await follow()
    expect(intercoms).toHaveLength(1)
    const change = (body: object) =>
      root.call(api.audioRooms.change, { params: { id: 'north', room }, body: body as never })
    // Another name concerns no session.
    await change({ name: 'Gallery 2' })
    await change({ units: [] })
    await until(() => unit.newest('wanted')?.state.intercoms?.length === 0)
    await until(() => hub.newest('serverWanted')?.state.speech?.length === 0)
    const events = await olivia.call(api.units.events, { params: params(), query: {} })
    expect(JSON.stringify(events)).toContain('The audio room is no longer open to the unit.')
  })

  it('[COMM-001] refuses a unit where the room is full', async () => {
    await set(1, 'audioRoom', room)
    await follow()
    const crews = Array.from({ length: AUDIO_ROOM_PLACES }, (_, at) => `CREW-${at}`)
    for (const name of crews) {
      const crew = await fleet.unit(name)
      crew.report({
        capabilities: { intercom: true },
        settings: { intercoms: [{ mode: 'audioRoom', destinationAccount: room }], audioJacks: [] },
      })
      await until(() => fleet.core.units.values(crew.id)?.intercoms.length === 1)
      const units = (await roomNow())?.units ?? []
      await root.call(api.audioRooms.change, {
        params: { id: 'north', room },
        body: { units: [...units, crew.id] },
      })
      await olivia.call(calls.start, { params: { id: crew.id, session: 1 }, body: {} })
      const { state } = await crew.next('wanted', (one) => one.state.intercoms?.length === 1)
      const sessionId = state.intercoms?.[0]?.id ?? ''
      crew.report({ intercoms: [{ intercom: 1, sessionId, state: 'connected' }] })
      await until(() => fleet.core.units.values(crew.id)?.intercoms[0]?.state === 'connected')
    }
    expect((await roomNow())?.participants.toSorted()).toEqual(crews)
    await expect(start(1)).rejects.toMatchObject(refused('The room is full.'))
  })

  it('[ACCESS-010] [COMM-001] is refused without a server, a room, the service, or the intercom itself', async () => {
    const external = refused('Audio room external or not selected.')
    await expect(start(1)).rejects.toMatchObject(external)
    const { id: closedRoom } = await root.call(api.audioRooms.create, {
      params: { id: 'north' },
      body: { name: 'Other crews' },
    })
    const { id: foreign } = await root.call(api.audioRooms.create, {
      params: { id: 'south' },
      body: { name: 'Far' },
    })
    for (const one of [closedRoom, foreign, 'none'])
      await expect(set(1, 'audioRoom', one)).rejects.toMatchObject({
        ...external,
        fields: [{ field: 'destinationAccount', message: external.message }],
      })
    await set(1, 'audioRoom', room)
    await follow()
    const open = (units: string[]) =>
      root.call(api.audioRooms.change, { params: { id: 'north', room }, body: { units } })
    await open([])
    await expect(start(1)).rejects.toMatchObject(external)
    await open([unit.id])

    await setServer('')
    await expect(start(1)).rejects.toMatchObject(refused('Intercom server missing.'))
    await setServer('sip.north.example')
    await setAccount({ server: 'sip.elsewhere.example', account: 'van-3' })
    expect((await options()).server).toBe('sip.elsewhere.example')
    await expect(start(1)).rejects.toMatchObject(refused('Unit and room must use the same intercom server.'))
    // The same server: with its usual port, and in other letters.
    await setAccount({ server: 'SIP.North.example:5060', account: 'van-3' })

    const jacks = [{ jack: 2, use: 'intercom1' as const }]
    await expect(olivia.call(calls.setJacks, { params: params(), body: { jacks } })).rejects.toMatchObject({
      ...refused('The unit has no such audio jack.'),
      fields: [{ field: 'jacks.0.jack' }],
    })
    const twice = [...jacks, ...jacks]
    await expect(
      olivia.call(calls.setJacks, { params: params(), body: { jacks: twice } }),
    ).rejects.toMatchObject({ status: 400 })
    await expect(start(3 as never)).rejects.toMatchObject({ status: 400 })

    const all = [() => start(1), () => set(1, 'targetChannel')]
    const setOne = { params: params(), body: { jacks: [{ jack: 1, use: 'off' as const }] } }
    await root.call(api.services.remove, {
      params: { id: 'north' },
      query: { serviceName: 'web_aud_connect' },
    })
    expect((await options()).closed).toEqual(Array(2).fill('Not available for your user type'))
    for (const call of [...all, () => olivia.call(calls.setJacks, setOne)])
      await expect(call()).rejects.toMatchObject(refused('Not available for your user type'))
    await root.call(api.services.add, { params: { id: 'north' }, body: { name: 'web_aud_connect' } })
    unit.report({ capabilities: { intercom: true } })
    await until(() => values()?.capabilities.intercom2 === undefined)
    expect((await options()).closed).toEqual([null, 'The unit has no such intercom.'])
    await expect(start(2)).rejects.toMatchObject(refused('The unit has no such intercom.'))
    unit.report({ settings: { ntp: true } })
    await until(() => values()?.intercoms.length === 0)
    for (const call of all)
      await expect(call()).rejects.toMatchObject(refused('The unit has no such intercom.'))
    unit.report({ settings: { ...outOfTheBox, intercoms: [firstLine, firstLine] } })
    await until(() => values()?.intercoms.length === 2)
    unit.socket.close()
    await until(() => values()?.offline === true)
    await expect(start(1)).rejects.toMatchObject(refused('Unit is offline.'))
    const reader = await fleet.signedIn('reed')
    await expect(
      reader.call(calls.start, { params: { ...params(), session: 1 }, body: {} }),
    ).rejects.toMatchObject({ status: 403 })
  })

  it('[COMM-002] [STAFF-013] uses the account of the unit at an intercom server, set by administrators', async () => {
    const account = { server: 'sip.north.example', account: 'van-3' }
    const read = (browser: Browser) => browser.call(calls.sipAccount, { params: params() })
    const administered = (browser: Browser) =>
      browser.call(calls.administeredSipAccount, { params: params() })
    expect(await read(olivia)).toEqual({ sipAccount: null })
    expect(await setAccount(account)).toEqual({ sipAccount: account })
    for (const one of [await read(olivia), await administered(root)]) expect(one.sipAccount).toEqual(account)
    expect((await olivia.call(api.units.enhanced, { params: params() })).sipAccount).toEqual(account)
    await set(1, 'audioRoom', room)
    await follow()
    await start(1)
    expect((await follow()).intercoms).toMatchObject([account])
    await stop(1)
    await follow()
    await expect(setAccount({ server: ' ', account: 'van-3' })).rejects.toMatchObject({
      fields: [fault('sipAccount.server', 'field.required')],
    })
    for (const [server, why] of [
      ['sip north', 'registrationServer.invalid'],
      ['sip.north.example:0', 'registrationServer.port'],
      ['sip.north.example:65536', 'registrationServer.port'],
    ] as const)
      await expect(setAccount({ server, account: 'van-3' })).rejects.toMatchObject({
        status: 400,
        fields: [fault('sipAccount.server', why)],
      })
    for (const call of [() => administered(olivia), () => setAccount(null, olivia)])
      await expect(call()).rejects.toMatchObject({ status: 403 })
    const sam = await fleet.signedIn('sam')
    await expect(read(sam)).rejects.toMatchObject({ status: 404 })
    await fleet.restart()
    root = await fleet.signedIn('root')
    expect((await administered(root)).sipAccount).toEqual(account)
    expect(await setAccount(null)).toEqual({ sipAccount: null })
    expect((await administered(root)).sipAccount).toBeNull()
  })
})
