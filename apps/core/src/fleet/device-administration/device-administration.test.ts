import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { GRACE_DAYS, TERMINATION_DAYS } from '@backhaul/contract/nouns/servers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everything } from '../../database/scope.ts'
import { engines } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const calls = api.deviceAdministration
const dayMs = 86_400_000

describe.each(engines)('device administration on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let nora: Browser
  let root: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 3)
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
  })
  afterEach(() => fleet.remove())

  const params = () => ({ id: hub.id })
  const read = () => nora.call(api.servers.one, { params: params() })
  const change = (body: object, browser = nora) =>
    browser.call(calls.changeServer, { params: params(), body })
  const channels = () => fleet.core.channels
  const gateway = (more: object = {}) => ({
    type: 'db_gateway' as const,
    name: 'Bridge',
    serialNumber: 'G-1',
    inventory: 'north',
    ...more,
  })

  it('[SRV-003] shows what a server does now', async () => {
    const [first = '', second = ''] = hub.channelIds
    const doing = async () => (await nora.call(api.servers.status, { params: params() })).applications
    hub.telemetry([
      { channelId: first, status: 'collecting', recording: true },
      { channelId: second, status: 'idle', playing: ['file-1'] },
    ])
    await until(() => fleet.core.servers.memory(hub.id)?.channels.length === 2)
    expect(await doing()).toEqual({
      collecting: { channels: [first] },
      recording: { channels: [first] },
      playing: { channels: [second] },
    })
    hub.telemetry([{ channelId: first }])
    await until(() => fleet.core.servers.memory(hub.id)?.channels.length === 1)
    expect(await doing()).toEqual({})
  })

  it('[SRV-003] shows the details of a server, and stores its comment', async () => {
    const specifications = {
      hostName: 'mcr',
      operatingSystem: 'Linux',
      processor: 'x86',
      cores: 8,
      memoryMb: 16_000,
      storageMb: 500_000,
    }
    expect(await nora.call(api.servers.specifications, { params: params() })).toBeNull()
    hub.report({ specifications })
    hub.telemetry([])
    await until(() => fleet.core.servers.specifications(everything, hub.id) !== null)
    expect(await nora.call(api.servers.specifications, { params: params() })).toEqual(specifications)
    await nora.call(calls.setComment, { params: params(), body: { comment: 'Rack 4' } })
    expect(await nora.call(api.servers.comment, { params: params() })).toEqual({ comment: 'Rack 4' })
    expect(await read()).toMatchObject({ deviceId: hub.id, type: 'mmh_server', comment: 'Rack 4' })
    const status = await nora.call(api.servers.status, { params: params() })
    expect(status).toMatchObject({ state: 'online', serverUsage: { cpuPercent: 10 } })
    const capabilities = await nora.call(api.servers.capabilities, { params: params() })
    expect(capabilities).toMatchObject({ protocolsIn: ['bonded'] })
    expect(await nora.call(api.servers.addresses, { params: params() })).toEqual(['127.0.0.1'])
    await fleet.core.devices.updateDetails(hub.id, (now) => ({ ...now, services: ['output'] }))
    expect(await nora.call(api.servers.services, { params: params() })).toEqual(['output'])
    expect((await nora.call(api.servers.mmhServer, { params: params() })).deviceId).toBe(hub.id)
    const placed = (inv: string, browser = nora) =>
      browser.call(api.servers.ofInventory, { params: { ...params(), inv } })
    expect((await placed('north')).name).toBe('MCR')
    await expect(placed('south')).rejects.toMatchObject({ status: 404 })
    await expect(placed('north', await fleet.signedIn('sam'))).rejects.toMatchObject({ status: 404 })
    const bridge = await fleet.server('Bridge', 0, { product: 'Databridge Gateway' })
    await expect(nora.call(api.servers.mmhServer, { params: { id: bridge.id } })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('[SRV-001] lists servers of a customer, of a group and of a type, page by page', async () => {
    await fleet.server('Bridge', 0, { product: 'Databridge Gateway', registrationKey: 'key-leeds' })
    await fleet.server('Cairo', 0, { registrationKey: 'key-cairo' })
    const names = async (query: object, browser = nora) =>
      (await browser.call(calls.servers, { query })).items.map(({ name }) => name)
    expect(await names({})).toEqual(['Bridge', 'MCR'])
    expect(await names({}, root)).toEqual(['Bridge', 'Cairo', 'MCR'])
    expect(await names({ type: 'db_gateway' })).toEqual(['Bridge'])
    expect(await names({ group: 'london' })).toEqual(['MCR'])
    expect(await names({ searchKey: 'serialNumber', searchValue: 'sn-m' })).toEqual(['MCR'])
    expect(await names({ limit: 1, offset: 1, sortBy: 'name', sortDir: 'desc' })).toEqual(['Bridge'])
    const { items } = await root.call(calls.serversOfInventory, { params: { id: 'south' }, query: {} })
    expect(items).toMatchObject([
      { name: 'Cairo', inventoryName: 'South News', groups: [{ uid: 'cairo' }], channels: 0 },
    ])
    await expect(
      nora.call(calls.serversOfInventory, { params: { id: 'south' }, query: {} }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(names({ group: 'cairo' })).rejects.toMatchObject({ status: 404 })
    await expect(names({}, await fleet.signedIn('olivia'))).rejects.toMatchObject({ status: 403 })
  })

  it('makes the record of a server, which its machine takes when it joins', async () => {
    const made = await nora.call(calls.createServer, {
      body: gateway({ address: '192.0.2.7', groups: ['london'], comment: 'Roof' }),
    })
    expect(made).toMatchObject({
      type: 'db_gateway',
      state: 'offline',
      address: '192.0.2.7',
      addresses: ['192.0.2.7'],
      swVersion: '',
      comment: 'Roof',
      groups: [{ uid: 'london', name: 'London-News' }],
    })
    for (const [body, refusal] of [
      [gateway({ serialNumber: 'G-2' }), { status: 409, fields: [{ field: 'name' }] }],
      [gateway({ name: 'Other' }), { status: 409, fields: [{ field: 'serialNumber' }] }],
      [gateway({ inventory: 'south' }), { status: 404 }],
      [gateway({ groups: ['cairo'] }), { status: 404 }],
      [gateway({ inventories: ['south'] }), { status: 404 }],
    ] as const)
      await expect(nora.call(calls.createServer, { body })).rejects.toMatchObject(refusal)
    for (const body of [{ groups: ['cairo'] }, { inventories: ['south'] }])
      await expect(nora.call(calls.changeServer, { params: { id: made.uid }, body })).rejects.toMatchObject({
        status: 404,
      })
    const machine = await fleet.server('Box', 0, { product: 'Databridge Gateway', serialNumber: 'G-1' })
    expect(machine.id).toBe(made.uid)
    await until(() => fleet.core.servers.isOnline(made.uid))
    const { items } = await nora.call(calls.servers, { query: { type: 'db_gateway' } })
    expect(items).toMatchObject([{ name: 'Bridge', state: 'online', swVersion: '10.1.0' }])
  })

  it('[DBIP-003] shares a gateway with other customers, whose units may then use it', async () => {
    const unit = await fleet.unit('C-1', { registrationKey: 'key-cairo' })
    const { uid } = await root.call(calls.createServer, { body: gateway({ address: 'bridge.example' }) })
    const options = () => root.call(api.databridge.options, { params: { id: unit.id } })
    expect(await options()).toEqual([])
    await root.call(calls.changeServer, { params: { id: uid }, body: { inventories: ['south'] } })
    expect(await options()).toEqual([{ id: uid, name: 'Bridge', address: 'bridge.example' }])
    const sam = await fleet.signedIn('sam')
    expect((await sam.call(api.servers.one, { params: { id: uid } })).type).toBe('db_gateway')
  })

  it('[SRV-012] sets the settings that a server supports, within limits, and sends them', async () => {
    await expect(change({ settings: { genlockOffset: 4 } })).rejects.toMatchObject({
      status: 409,
      fields: [fault('settings.genlockOffset', 'server.settingUnsupported')],
    })
    const facts = { protocolsIn: [], protocolsOut: [], encoders: [], ffmpegVersion: null }
    const all = [
      'IFBMode',
      'publishingMode',
      'hotfolderOutputFormat',
      'webrtcPort',
      'genlockOffset',
      'timezone',
    ]
    hub.report({ capabilities: { ...facts, settings: all as never } })
    await until(() => fleet.core.servers.get(everything, hub.id).capabilities?.settings?.length === 6)
    const settings = {
      IFBMode: 'SDI',
      publishingMode: 'on demand',
      hotfolderOutputFormat: 'mkv',
      webrtcPort: 8443,
      genlockOffset: -511,
      timezone: 'UTC+12',
    }
    const carrying = () => nora.call(calls.servers, { query: { ifb: 'on' } })
    expect((await carrying()).items).toEqual([])
    expect(await change({ settings })).toMatchObject({ ...settings, maxChannels: 3 })
    expect((await carrying()).items).toMatchObject([{ name: 'MCR', IFBMode: 'SDI' }])
    const wanted = await hub.next('serverWanted', ({ state }) => state.settings !== undefined)
    expect(wanted.state).toMatchObject({ settings, channels: [{}, {}, {}] })
    for (const [name, value, message] of [
      ['genlockOffset', 512, 'Must be 511 or less'],
      ['genlockOffset', -512, 'Must be -511 or more'],
      ['maxChannels', 0, 'Must be 1 or more'],
      ['maxChannels', 65, 'Must be 64 or less'],
      ['maxChannels', 4, 'Must be 3 or less'],
      ['webrtcPort', 65_536, 'Must be 65535 or less'],
    ] as const)
      await expect(change({ settings: { [name]: value } })).rejects.toMatchObject({
        status: 400,
        fields: [{ field: `settings.${name}`, message }],
      })
    for (const wrong of [{ IFBMode: 'MADI' }, { publishingMode: 'never' }, { timezone: 'UTC+13' }])
      await expect(change({ settings: wrong })).rejects.toMatchObject({ status: 400 })
    const configured = () => nora.call(calls.configuration, { params: params() })
    expect(await configured()).toEqual({ ...settings, maxChannels: 3, metadataFormat: 'json' })
    await nora.call(calls.configure, { params: params(), body: { maxChannels: 2 } })
    expect(await configured()).toMatchObject({ maxChannels: 2, genlockOffset: -511 })
    const statuses = channels()
      .ofServer(hub.id)
      .map(({ status }) => status)
    expect(statuses).toEqual(['idle', 'idle', 'unavailable'])
    await fleet.restart()
    expect(fleet.core.servers.settings(hub.id)).toMatchObject({ maxChannels: 2, timezone: 'UTC+12' })
  })

  it('[SRV-004] warns of a contract that has ended, with its dates, and of lost boxes for tally and IFB', async () => {
    hub.report({ boxes: { tally: 'disconnected', audio: 'disconnected' } })
    const codes = () => fleet.core.servers.get(everything, hub.id).warnings.map(({ code }) => code)
    await until(() => codes().join() === 'TALLY_DISCONNECTED,IFB_DISCONNECTED')
    expect(await read()).toMatchObject({ tallyHwStatus: 'disconnected', audioHwStatus: 'disconnected' })
    hub.report({ boxes: { tally: 'connected', audio: '' } })
    await until(() => codes().length === 0)
    const nowMs = fleet.clock.nowMs()
    const iso = (ms: number) => new Date(ms).toISOString()
    const ends = (expiration: string | null, browser = root) => change({ expiration }, browser)
    await expect(ends(iso(nowMs), nora)).rejects.toMatchObject({ status: 403 })
    expect((await ends(iso(nowMs + 30_000))).warnings).toEqual([])
    const graceEndMs = nowMs + 30_000 + GRACE_DAYS * dayMs
    fleet.clock.advance(60_000)
    await expect
      .poll(async () => (await read()).warnings)
      .toEqual([{ code: 'GRACE_PERIOD', date: iso(graceEndMs) }])
    const ended = nowMs - (GRACE_DAYS + 1) * dayMs
    const removal = {
      code: 'PENDING_TERMINATION',
      date: iso(ended + (GRACE_DAYS + TERMINATION_DAYS) * dayMs),
    }
    expect((await ends(iso(ended))).warnings).toEqual([removal])
    expect((await ends(iso(nowMs - 90 * dayMs))).warnings).toEqual([
      { code: 'PENDING_TERMINATION', date: null },
    ])
    expect((await ends(null)).warnings).toEqual([])
  })

  it('[INV-001] stores on what terms a customer has a device, set by vendor staff', async () => {
    const owned = (ownership: string | null, browser = root) => change({ ownership }, browser)
    await expect(owned('lease', nora)).rejects.toMatchObject({ status: 403 })
    await expect(owned('stolen')).rejects.toMatchObject({
      fields: [
        {
          field: 'ownership',
          message: 'Must be one of lease, sold, psg, rent, r&d, inventory, roaming, engineering, demo',
        },
      ],
    })
    expect((await owned('r&d')).ownership).toBe('r&d')
    expect((await change({ comment: 'Rack 4' })).ownership).toBe('r&d')
    expect((await owned(null)).ownership).toBeNull()
    const unit = await fleet.unit('Van')
    const changeUnit = (ownership: 'sold' | null, browser = root) =>
      browser.call(calls.changeUnit, { params: { id: unit.id }, body: { ownership } })
    await expect(changeUnit('sold', nora)).rejects.toMatchObject({ status: 403 })
    expect((await changeUnit('sold')).ownership).toBe('sold')
    const { items } = await nora.call(calls.unitsOfInventory, { params: { inv: 'north' }, query: {} })
    expect(items.find(({ uid }) => uid === unit.id)?.ownership).toBe('sold')
  })

  it('[SRV-005] restarts a server of 6.4 or later that accepts the order', async () => {
    const restart = (browser = nora) => browser.call(calls.restartServer, { params: params() })
    const answer = (outcome: object) =>
      hub
        .next('order', ({ id }) => !answered.includes(id))
        .then(({ id, name }) => {
          answered.push(id)
          hub.send({ type: 'outcome', id, ...outcome })
          return name
        })
    const answered: string[] = []
    const named = answer({ state: 'accepted' })
    expect(await restart()).toEqual({ done: true })
    expect(await named).toBe('reset_instance')
    void answer({ state: 'refused', reason: 'The disk is full' })
    await expect(restart()).rejects.toMatchObject({ status: 409, message: 'The disk is full' })
    const silent = restart().catch((error: unknown) => error)
    await hub.next('order', ({ id }) => !answered.includes(id))
    await fleet.clock.advanceAsync(10_000)
    expect(await silent).toMatchObject({ status: 409, message: 'The server did not answer.' })
    const { core } = fleet
    const petra = { username: 'petra', userType: 'partner' as const, firstName: 'P', lastName: 'P' }
    await core.users.ensure({
      id: 'us-petra',
      password: 'Correct-horse-7',
      inventories: ['north'],
      groups: [],
      ...petra,
    })
    await expect(restart(await fleet.signedIn('petra'))).rejects.toMatchObject({
      message: 'No active access approval for this device.',
    })
    hub.socket.close()
    await until(() => !core.servers.isOnline(hub.id))
    await expect(restart()).rejects.toMatchObject({ message: 'Server is offline.' })
    const old = await fleet.again(hub, { swVersion: '6.3.9' })
    await old.greet()
    await until(() => core.servers.get(everything, hub.id).swVersion === '6.3.9')
    await expect(restart()).rejects.toMatchObject({ status: 409, message: 'Feature disabled' })
  })

  it('[SRV-007] deletes the certificate of a server that is idle and can join again', async () => {
    const remove = (id = hub.id, browser = nora) => browser.call(calls.deleteCertificate, { params: { id } })
    const answer = (outcome: object) =>
      hub
        .next('order', ({ id }) => !answered.includes(id))
        .then(({ id, name }) => {
          answered.push(id)
          hub.send({ type: 'outcome', id, ...outcome })
          return name
        })
    const answered: string[] = []
    const unit = await fleet.unit('U-1')
    const [first = ''] = hub.channelIds
    await nora.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: first } })
    const busy = { status: 409, message: 'Cannot delete certificate while device busy.' }
    await expect(remove()).rejects.toMatchObject(busy)
    await nora.call(api.unitCommands.stop, { params: { id: unit.id } })

    const failed = { status: 409, message: 'Certificate deletion failed.' }
    void answer({ state: 'refused', reason: 'no key' })
    await expect(remove()).rejects.toMatchObject(failed)
    const named = answer({ state: 'confirmed' })
    expect(await remove()).toEqual({ message: 'Deletion request sent' })
    expect(await named).toBe('delete_certificate')
    await until(() => !fleet.core.servers.isOnline(hub.id))
    // Its old identity is void.
    const again = await fleet.server('MCR', hub.channelIds.length)
    expect(again.id).toBe(hub.id)
    expect(again.token).not.toBe(hub.token)
    const record = { type: 'mmh_server' as const, name: 'New', serialNumber: 'n-1', inventory: 'north' }
    const { uid } = await nora.call(calls.createServer, { body: record })
    await expect(remove(uid)).rejects.toMatchObject({ status: 404, message: 'Certificate not found.' })
    await expect(remove(hub.id, await fleet.signedIn('olivia'))).rejects.toMatchObject({ status: 403 })
  })

  it('[SRV-006] deletes a server with its channels, but not while one of them is in use', async () => {
    const remove = () => nora.call(calls.removeServer, { params: params() })
    const [first = '', second = ''] = hub.channelIds
    const unit = await fleet.unit('U-1')
    await nora.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: first } })
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      message: `Cannot delete device. Channel ${channels().known(first)?.name} is busy`,
    })
    await nora.call(api.unitCommands.stop, { params: { id: unit.id } })
    await nora.call(api.channels.record, { params: { id: second }, body: { recording: true } })
    hub.telemetry([{ channelId: second, status: 'collecting', recording: true }])
    await until(() => channels().known(second)?.recording === true)
    await expect(remove()).rejects.toMatchObject({
      message:
        'Server cannot be deleted. At least one of the allocated channels is being recorded at this time',
    })
    hub.telemetry([{ channelId: second }])
    await until(() => channels().known(second)?.status === 'idle')
    const follower = await fleet.follow(nora, ['group.london'])
    await remove()
    expect(await hub.gone()).toBe(4401)
    expect([first, second].map((id) => channels().known(id))).toEqual([undefined, undefined])
    await expect(read()).rejects.toMatchObject({ status: 404 })
    await fleet.pass(300)
    await until(() => follower.state('group.london').removed !== undefined)
    expect(await fleet.db.selectFrom('channels').selectAll().execute()).toEqual([])
    await fleet.restart()
    expect(fleet.core.devices.all('server')).toEqual([])
  })

  it('[UNIT-028] lists, makes, changes and deletes units', async () => {
    const busy = await fleet.unit('U-1')
    await fleet.unit('C-1', { registrationKey: 'key-cairo' })
    const body = { name: 'Van-7', productType: 'LU-800', serialNumber: '800-7', inventory: 'north' }
    const made = await nora.call(calls.createUnit, { body: { ...body, groups: ['leeds'], comment: 'New' } })
    expect(made).toMatchObject({
      status: 'offline',
      swVersion: '',
      groups: [{ uid: 'leeds' }],
      comment: 'New',
    })
    for (const [wrong, refusal] of [
      [{ serialNumber: 'x' }, { status: 409, fields: [{ field: 'name' }] }],
      [{ name: 'Other' }, { status: 409, fields: [{ field: 'serialNumber' }] }],
      [{ name: 'No spaces' }, { status: 400, fields: [{ field: 'name' }] }],
      [{ productType: 'MMH Server' }, { status: 400, fields: [{ field: 'productType' }] }],
      [{ inventory: 'south' }, { status: 404 }],
      [{ groups: ['cairo'] }, { status: 404 }],
    ] as [object, object][])
      await expect(nora.call(calls.createUnit, { body: { ...body, ...wrong } })).rejects.toMatchObject(
        refusal,
      )
    const list = (query: object = {}) => nora.call(calls.units, { query })
    expect(await list()).toMatchObject({
      total: 2,
      limit: 50,
      offset: 0,
      items: [{ name: 'U-1' }, { name: 'Van-7' }],
    })
    expect((await list({ searchValue: 'van' })).items.map(({ uid }) => uid)).toEqual([made.uid])
    expect((await list({ group: 'leeds' })).items.map(({ uid }) => uid)).toEqual([made.uid])
    const ofInventory = await nora.call(calls.unitsOfInventory, {
      params: { inv: 'north' },
      query: { searchKey: 'productType', searchValue: '800', sortBy: 'name', sortDir: 'desc', limit: 1 },
    })
    expect(ofInventory).toMatchObject({ total: 1, items: [{ name: 'Van-7' }] })
    const machine = await fleet.unit('Fresh', { serialNumber: '800-7', product: 'LU-800' })
    expect(machine.id).toBe(made.uid)
    await nora.call(calls.changeUnit, {
      params: { id: made.uid },
      body: { name: 'Van-8', comment: 'Blue', groups: ['london'] },
    })
    await expect(
      nora.call(calls.changeUnit, { params: { id: made.uid }, body: { groups: ['cairo'] } }),
    ).rejects.toMatchObject({ status: 404 })
    const one = () => nora.call(calls.unit, { params: { id: made.uid } })
    await until(() => fleet.core.devices.memberships.groupsOf('unit', made.uid).join() === 'london')
    expect(await one()).toMatchObject({ name: 'Van-8', comment: 'Blue', groups: [{ uid: 'london' }] })
    const changeNamed = (unitUniqueId: string, comment: string) =>
      nora.call(calls.changeNamedUnit, { body: { unitUniqueId, comment } })
    expect(await changeNamed(made.uid, 'Green')).toMatchObject({ name: 'Van-8', comment: 'Green' })
    await expect(changeNamed('nowhere', 'Green')).rejects.toMatchObject({ status: 404 })
    const remove = (id: string) => nora.call(calls.removeUnit, { params: { id } })
    await nora.call(api.unitCommands.start, { params: { id: busy.id }, body: { channel: hub.channelIds[0] } })
    await expect(remove(busy.id)).rejects.toMatchObject({ status: 409, message: 'Unit is busy.' })
    await remove(made.uid)
    expect(await machine.gone()).toBe(4401)
    await expect(one()).rejects.toMatchObject({ status: 404 })
    await fleet.pass(3000)
    expect((await list()).items.map(({ name }) => name)).toEqual(['U-1'])
    const removeNamed = (unitUniqueId: string) =>
      nora.call(calls.removeNamedUnit, { query: { unitUniqueId } })
    await expect(removeNamed(busy.id)).rejects.toMatchObject({ status: 409, message: 'Unit is busy.' })
    const spare = await nora.call(calls.createUnit, { body: { ...body, name: 'Spare' } })
    expect(await removeNamed(spare.uid)).toEqual({ done: true })
    await expect(removeNamed(spare.uid)).rejects.toMatchObject({ status: 404 })
    await expect((await fleet.signedIn('olivia')).call(calls.units, { query: {} })).rejects.toMatchObject({
      status: 403,
    })
  })

  it('deregisters the machine of a unit, which comes back only with a pairing code of its group', async () => {
    const unit = await fleet.unit('LOST')
    const deregister = () => nora.call(calls.deregisterUnit, { params: { id: unit.id } })
    await nora.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: hub.channelIds[0] } })
    await expect(deregister()).rejects.toMatchObject({ status: 409, message: 'Unit is busy.' })
    await nora.call(api.unitCommands.stop, { params: { id: unit.id } })
    await fleet.db.updateTable('transmissions').set({ stopped_ms: fleet.clock.nowMs() }).execute()
    const waiting = await fleet.again(unit, { bootId: 'boot-later' })
    expect(await deregister()).toMatchObject({ status: 'offline', deregisteredAt: expect.any(String) })
    expect([await unit.gone(), unit.newest('refused')?.message]).toEqual([
      4401,
      'The device was deregistered.',
    ])
    waiting.send(waiting.hello as object)
    expect(await waiting.gone()).toBe(4401)
    expect(await (await fleet.dial(unit.token)).gone()).toBe(4401)
    await expect(deregister()).rejects.toMatchObject({
      status: 409,
      message: 'Unit is deregistered already.',
    })

    const rejoin = async (registrationKey: string) => {
      const machine = await fleet.dial()
      const identity = { kind: 'unit', product: 'LU-600', serialNumber: 'sn-LOST', name: 'LOST' }
      machine.send({ type: 'register', protocol: 1, ...identity, swVersion: '10.1.0', registrationKey })
      return machine
    }
    for (const isRestarted of [false, true]) {
      if (isRestarted) await fleet.restart()
      const turnedAway = await rejoin('key-london')
      expect(await turnedAway.gone()).toBe(4403)
      expect(turnedAway.newest('refused')?.message).toBe(
        'serialNumber: The device was deregistered; it can register again with a pairing code.',
      )
    }
    const again = await fleet.signedIn('nora')
    const { code } = await again.call(api.groups.pairingCode, { params: { id: 'london' } })
    expect((await fleet.unit('LOST', { registrationKey: code })).id).toBe(unit.id)
    expect(await again.call(calls.unit, { params: { id: unit.id } })).toMatchObject({
      status: 'idle',
      deregisteredAt: null,
      groups: [{ uid: 'london' }],
    })
  })

  it('[UNIT-029] moves a unit between customers, and between the groups of its customer', async () => {
    await fleet.core.inventories.ensure({ id: 'north-2', name: 'North Two', parent: 'north' })
    const unit = await fleet.unit('U-1')
    const id = unit.id
    const unitParams = { params: { id }, query: {} }
    const inventory = async () =>
      (await root.call(calls.inventoriesOfUnit, unitParams)).items.map(({ uid }) => uid)
    const groups = async () => (await root.call(calls.groupsOfUnit, unitParams)).items.map(({ uid }) => uid)
    const isIn = (wanted: string) => () =>
      fleet.core.devices.memberships.groupsOf('unit', id).join() === wanted
    const put = (inv: string, browser = root) => browser.call(calls.associate, { params: { inv, unit: id } })
    const take = (inv: string) => root.call(calls.disassociate, { params: { inv, unit: id } })
    expect([await inventory(), await groups()]).toEqual([['north'], ['london']])
    const choices = await root.call(calls.groupsForUnit, { params: { id }, query: { search: 'lee' } })
    expect(choices).toMatchObject({ total: 1, items: [{ uid: 'leeds', name: 'Leeds-News' }] })
    await root.call(api.groupAdministration.addUnit, { params: { groupId: 'leeds', id } })
    await until(isIn('london,leeds'))
    await root.call(api.groupAdministration.removeUnit, { params: { groupId: 'london', id } })
    await until(isIn('leeds'))
    await expect(put('south', await fleet.signedIn('nora'))).rejects.toMatchObject({ status: 404 })
    await expect(take('north')).rejects.toMatchObject({
      message: 'A unit belongs to one inventory: associate it with another instead.',
    })
    await expect(take('south')).rejects.toMatchObject({ status: 404 })
    await put('north-2')
    await until(isIn(''))
    expect(await inventory()).toEqual(['north-2'])
    await take('north-2')
    expect(await inventory()).toEqual(['north'])
    await nora.call(api.unitCommands.start, { params: { id }, body: { channel: hub.channelIds[0] } })
    await expect(put('south')).rejects.toMatchObject({ status: 409, message: 'Unit is busy.' })
    await nora.call(api.unitCommands.stop, { params: { id } })
    await fleet.unit('U-1', { registrationKey: 'key-cairo', serialNumber: 'other' })
    await expect(put('south')).rejects.toMatchObject({ status: 409, fields: [{ field: 'name' }] })
    await root.call(calls.changeUnit, { params: { id }, body: { name: 'U-2' } })
    await put('south')
    await expect(nora.call(calls.unit, { params: { id } })).rejects.toMatchObject({ status: 404 })
    expect((await root.call(calls.unit, { params: { id } })).inventory).toBe('south')
    await fleet.restart()
    expect(fleet.core.units.values(id)?.inventoryId).toBe('south')
  })
})
