// Graphics through the doors: which files are accepted, on which channels, what the server is sent, and the trial that they use up.

import { deflateSync } from 'node:zlib'
import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { OVERLAY_BYTES_MAX, overlayFault, sizeOfPng } from '@backhaul/contract/nouns/overlays'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { overlays: calls, services } = api

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}

/** A picture of one bit a pixel, all black; its checksums are zero. `more` bytes are in a chunk without meaning. */
function png(
  width: number,
  height: number,
  more = 0,
  packed: Buffer = black(width, height),
  extra: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    extra,
    chunk('juNk', Buffer.alloc(more)),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const black = (width: number, height: number): Buffer =>
  deflateSync(Buffer.alloc(height <= 2001 ? height * (1 + Math.ceil(width / 8)) : 0))
const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 })

describe('the file of a graphic', () => {
  it('[CHAN-017] [SHELL-030] is a PNG of at most 2000x2000 pixels and 110 KB, whole and nothing else', () => {
    const bare = png(1, 1).length
    const large = png(2000, 2000).length
    expect(overlayFault(png(2000, 2000, OVERLAY_BYTES_MAX - large))).toBeUndefined()
    expect(overlayFault(png(1, 1, OVERLAY_BYTES_MAX - bare + 1))).toBe('overlay.file')
    for (const [width, height] of [
      [2001, 1],
      [1, 2001],
    ] as const)
      expect(overlayFault(png(width, height))).toBe('overlay.resolution')
    const good = png(300, 200)
    expect(sizeOfPng(good)).toEqual({ width: 300, height: 200 })
    const bad = [
      Buffer.alloc(0),
      Buffer.from('GIF89a'),
      good.subarray(0, -1),
      Buffer.concat([good, Buffer.from('more')]),
      Buffer.concat([good.subarray(0, 8), chunk('IDAT', Buffer.alloc(3)), good.subarray(8)]),
      png(0, 5),
    ]
    expect(bad.map(overlayFault)).toEqual(bad.map(() => 'overlay.type'))
  })
})

describe.each(enginesOfNight)('graphics on %s', (engine) => {
  let fleet: TestFleet
  let nora: Browser
  let root: Browser
  let hub: TestDevice
  let uid: string
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    nora = await fleet.signedIn('nora')
    root = await fleet.signedIn('root')
    hub = await fleet.server('MCR', 2)
    ;[uid] = hub.channelIds as [string]
    await can(true)
  })
  afterEach(() => fleet.remove())

  const north = { id: 'north' }
  const facts = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
  const channel = async () => await nora.call(api.channelAdministration.one, { params: { id: uid } })

  async function can(overlays: boolean): Promise<void> {
    hub.report({ capabilities: { ...facts, overlays } })
    await until(() => fleet.core.channels.known(uid)?.capabilities.overlay === overlays)
  }

  const create = (name: string, file = png(480, 270), browser = nora) =>
    browser.call(calls.create, { params: north, body: { name, png: file.toString('base64') } })
  const list = () => nora.call(calls.list, { params: north })
  const remove = (overlayId: string) => nora.call(calls.remove, { params: { ...north, overlayId } })
  const choose = (overlay: string, id = uid, browser = nora) =>
    browser.call(calls.choose, { params: { id }, body: { overlay, place: 'topRight' } })
  const clear = (id = uid) => nora.call(calls.clear, { params: { id } })
  const startTrial = () =>
    nora.call(services.startTrial, { params: { current: 'north' }, body: { serviceName: 'graphics' } })
  const trial = async () =>
    (await nora.call(services.ofInventory, { params: north })).find(({ name }) => name === 'graphics')
  const sentPictures = () =>
    hub.messages.flatMap((one) => (one.type === 'order' && one.name === 'put_overlay' ? [one.args] : []))
  const wanted = (id = uid) =>
    hub.newest('serverWanted')?.state.channels.find(({ channelId }) => channelId === id)?.overlay

  it('are uploaded, shown and deleted by administrators of their customer, under unique names', async () => {
    const file = png(480, 270, 100)
    const logo = await create('Logo', file)
    expect(logo).toMatchObject({ name: 'Logo', width: 480, height: 270, bytes: file.length, channels: [] })
    expect(await nora.call(calls.picture, { params: { ...north, overlayId: logo.id } })).toEqual({
      id: logo.id,
      png: file.toString('base64'),
    })
    await create('Bug')
    expect((await list()).map(({ name }) => name)).toEqual(['Bug', 'Logo'])
    await expect(create('Logo')).rejects.toMatchObject({
      code: 409,
      fields: [fault('name', 'name.notUnique')],
    })
    for (const [bad, message] of [
      [Buffer.from('GIF89a'), 'Only PNG pictures can be used.'],
      [png(2001, 10), 'The picture must be at most 2000x2000 pixels.'],
      [png(10, 10, OVERLAY_BYTES_MAX), 'The file must be at most 110 KB.'],
      [
        png(10, 10, 0, Buffer.from('no pixels')),
        'The picture must unpack to the pixels of its size, at most 2000x2000.',
      ],
      [png(10, 10, 0, zeros(100e6)), 'The picture must unpack to the pixels of its size, at most 2000x2000.'],
      [
        png(10, 10, 0, undefined, chunk('zTXt', Buffer.concat([Buffer.from('Title\0\0'), zeros(100e6)]))),
        'Texts and profiles of the picture must have a decoded size of at most 1 MB.',
      ],
    ] as const)
      await expect(create('Bad', bad)).rejects.toMatchObject({
        code: 400,
        fields: [{ field: 'png', message }],
      })
    await expect(create('Mine', file, await fleet.signedIn('olivia'))).rejects.toMatchObject({ code: 403 })
    expect(await remove(logo.id)).toEqual({ done: true })
    await expect(remove(logo.id)).rejects.toMatchObject({ code: 404, message: 'Graphic not found.' })
    const rest = Array.from({ length: 49 }, (_, at) => ({
      id: `ov-${at}`,
      inventory_id: 'north',
      name: `Graphic ${at}`,
      width: 1,
      height: 1,
      png: '',
      created_ms: 0,
    }))
    await fleet.db.insertInto('overlays').values(rest).execute()
    await expect(create('One more')).rejects.toMatchObject({
      message: 'The inventory cannot hold more graphics.',
    })
    expect(await list()).toHaveLength(50)
  })

  it('[CHAN-017] are shown on channels whose server supports it, whose version is high enough and whose customer has the service', async () => {
    const logo = await create('Logo')
    await expect(choose(logo.id)).rejects.toMatchObject({ code: 409, message: 'Feature disabled' })
    await startTrial()
    await can(false)
    await expect(choose(logo.id)).rejects.toMatchObject({
      code: 409,
      message: 'The server does not support graphics.',
    })
    await can(true)
    const old = await fleet.server('Old', 1, { swVersion: '7.9' })
    old.report({ capabilities: { ...facts, overlays: true } })
    const oldId = old.channelIds[0] ?? ''
    await until(() => fleet.core.channels.known(oldId)?.capabilities.overlay === true)
    await expect(choose(logo.id, oldId)).rejects.toMatchObject({ code: 409, message: 'Feature disabled' })
    const body = { name: 'Theirs', png: png(5, 5).toString('base64') }
    const theirs = await root.call(calls.create, { params: { id: 'south' }, body })
    await expect(choose(theirs.id)).rejects.toMatchObject({ code: 404, message: 'Graphic not found.' })
    await expect(choose(logo.id, 'nowhere')).rejects.toMatchObject({
      code: 404,
      message: 'Channel not found.',
    })

    expect(await choose(logo.id)).toEqual({ id: logo.id, name: 'Logo', place: 'topRight' })
    expect((await channel()).overlay).toEqual({ id: logo.id, name: 'Logo', place: 'topRight' })
    await until(() => wanted() !== undefined)
    expect(wanted()).toEqual({ id: logo.id, width: 480, height: 270, place: 'topRight' })
    await until(() => sentPictures().length > 0)
    expect(sentPictures()).toEqual([{ id: logo.id, png: png(480, 270).toString('base64') }])
    // Sent once, until the server has had time; what it holds is not sent to it again.
    hub.report({ previewPort: 1 })
    hub.report({ overlays: [logo.id] })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.overlays?.length === 1)
    await fleet.pass(21_000)
    hub.report({ previewPort: 2 })
    await fleet.pass()
    expect(sentPictures()).toHaveLength(1)
    hub.report({ overlays: [] })
    await until(() => sentPictures().length === 2)

    const { name } = await channel()
    expect((await list())[0]?.channels).toEqual([{ uniqueId: uid, name }])
    await expect(remove(logo.id)).rejects.toMatchObject({
      code: 409,
      cause: { code: 'overlay.inUse', params: { channel: name } },
    })
    await expect(root.call(api.inventories.remove, { params: north })).rejects.toMatchObject({
      message: 'Inventory with active overlay or audio room session cannot be deleted.',
    })
    await clear()
    await until(() => wanted() === undefined)
    expect((await channel()).overlay).toBeNull()
    await remove(logo.id)
    await expect(root.call(api.inventories.remove, { params: north })).rejects.toMatchObject({
      cause: { code: 'inventory.notEmpty' },
    })
  })

  it('[INV-006] [CHAN-017] use up the ten hours of the trial while they are on air, and are removed from the channels after that', async () => {
    const logo = await create('Logo')
    await startTrial()
    await choose(logo.id)
    const collects = async (status: 'idle' | 'collecting') => {
      hub.telemetry([{ channelId: uid, status }])
      await until(() => fleet.core.channels.known(uid)?.status === status)
    }
    await fleet.pass(72_000)
    expect(await trial()).toMatchObject({ status: 'enabledTrial', usedData: 0 })
    await collects('collecting')
    await fleet.pass(72_000)
    await expect.poll(trial).toMatchObject({ status: 'activeTrial', usedData: 0.02 })
    await collects('idle')
    await fleet.pass(72_000)
    expect(await trial()).toMatchObject({ usedData: 0.02 })
    await collects('collecting')
    await root.call(services.change, { params: north, body: { name: 'graphics', usedData: 9.99 } })
    await fleet.pass(36_000)
    await expect.poll(trial).toMatchObject({ status: 'expiredTrial', usedData: 10 })
    await until(() => wanted() === undefined)
    expect((await channel()).overlay).toBeNull()
    await expect(choose(logo.id)).rejects.toMatchObject({ message: 'Feature disabled' })
    // Use of a service without a package is not counted.
    await root.call(services.change, {
      params: north,
      body: { name: 'graphics', status: 'purchasedService', usageType: 'na', packageSize: null },
    })
    await choose(logo.id)
    await fleet.pass(72_000)
    expect(await trial()).toMatchObject({ state: 'purchased', usedData: 10 })
    expect((await channel()).overlay?.id).toBe(logo.id)
  })

  it('are kept by their customer when the server moves to another', async () => {
    const logo = await create('Logo')
    await startTrial()
    await choose(logo.id)
    await fleet.core.devices.move(hub.id, 'south', async () => () => {})
    await until(() => fleet.core.channels.known(uid)?.overlay === null)
  })
})
