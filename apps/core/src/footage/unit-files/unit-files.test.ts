// Files on units through the doors: a user requests, the unit sends, core relays, the server stores.
import { request } from 'node:http'
import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { reasonFields, type WireCause } from '@backhaul/contract/define/refusals'
import { UPLOAD_PART_BYTES } from '@backhaul/contract/gateway/shared'
import { UPLOAD_VERIFIED_HEADER } from '@backhaul/contract/gateway/uploads'
import { UPLOAD_WAITS_MS } from '@backhaul/contract/nouns/unit-files'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { filesOf } from '../../testing/stored-files.ts'
import { testStorages, unitWithFiles } from '../../testing/unit-with-files.ts'
import { flushed, until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { unitFiles: calls } = api
const clip = '/media/Harbour.mp4'
const conflict = (message: string) => ({ status: 409, message })

describe.each(enginesOfNight)('files on units on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let unit: TestDevice
  let nora: Browser
  let channelId = ''
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    ;({ unit, server: hub, channelId } = await unitWithFiles(fleet, 'LON-01'))
    nora = await fleet.signedIn('nora')
  })
  afterEach(() => fleet.remove())

  const values = () => fleet.core.units.values(unit.id)
  const params = () => ({ id: unit.id })
  const upload = (paths: string[], browser = nora) =>
    browser.call(calls.upload, { params: params(), body: { paths } })
  const cancel = (files: string[]) => nora.call(calls.cancel, { params: params(), body: { files } })
  const remove = (paths: string[], browser = nora) =>
    browser.call(calls.remove, { params: params(), body: { paths } })
  const folder = (path: string, browser = nora) =>
    browser.call(calls.folder, { params: params(), query: { path } })
  const shown = () => values()?.uploadedFiles.map(({ name, state, reason }) => [name, state, reason])

  /** Takes the newest order of that name. */
  async function ordered(device: TestDevice, name: string) {
    const order = await device.next('order', (one) => one.name === name)
    device.messages.splice(device.messages.indexOf(order), 1)
    return order
  }
  const answer = (device: TestDevice, id: string, state: string, reason?: string, cause?: WireCause) =>
    device.send({ type: 'outcome', id, state, reason, cause })

  const address = (id: unknown) => `${fleet.url}/gateway/uploads/${id}`
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const put = (id: unknown, from: number, of: number, part: string, token = unit.token, modified = 5) =>
    fetch(`${address(id)}?from=${from}&of=${of}&modified=${modified}`, {
      method: 'PUT',
      headers: { ...bearer(token), 'content-type': 'application/octet-stream' },
      body: part,
    })
  const get = (id: unknown, token = hub.token) => fetch(address(id), { headers: bearer(token) })

  it("[FILE-005] show the unit's folders to those who may upload", async () => {
    expect(await nora.call(calls.storages, { params: params() })).toEqual(testStorages)
    const listing = folder('/media/today')
    const { id, args } = await ordered(unit, 'list_folder')
    expect(args).toMatchObject({ path: '/media/today' })
    const entry = (name: string) => ({ name, isFolder: false, sizeBytes: 7, modifiedMs: 5 })
    // A unit cannot answer for another one.
    const other = await fleet.unit('LON-02')
    other.send({ type: 'folder', listId: args.listId, entries: [entry('Forged.mp4')] })
    unit.send({ type: 'folder', listId: args.listId, entries: [entry('One.mp4')] })
    unit.send({ type: 'folder', listId: args.listId, entries: [entry('Two.mp4')] })
    await flushed(other.socket)
    answer(unit, id, 'confirmed')
    expect(await listing).toEqual({
      path: '/media/today',
      entries: [entry('One.mp4'), entry('Two.mp4')],
      isCut: false,
    })
    const refused = folder('/media')
    answer(unit, (await ordered(unit, 'list_folder')).id, 'refused', 'The card was pulled out')
    await expect(refused).rejects.toMatchObject(conflict('The card was pulled out'))

    for (const path of ['/etc/shadow', '/media2/One.mp4'])
      await expect(folder(path)).rejects.toMatchObject({ status: 404 })
    await expect(folder('/media/../../etc')).rejects.toMatchObject({ status: 400 })
    const olivia = await fleet.signedIn('olivia')
    await expect(folder('/media', olivia)).rejects.toMatchObject({ status: 403 })
    await expect(upload([clip], olivia)).rejects.toMatchObject({ status: 403 })
    unit.report({ capabilities: {} })
    await until(() => values()?.capabilities.fileUpload === undefined)
    await expect(folder('/media')).rejects.toMatchObject(conflict('The unit has no files.'))
  })

  it('[FILE-005] [FILE-006] are uploaded one after the other to the server of the selected channel, byte for byte', async () => {
    const { uploads } = await upload([clip, '/media/Wide shot é.mov'])
    expect(uploads.map(({ name, state }) => [name, state])).toEqual([
      ['Wide shot _.mov', 'pending'],
      ['Harbour.mp4', 'pending'],
    ])
    await expect(upload([clip])).rejects.toMatchObject(conflict('The file is being uploaded.'))
    await expect(remove([clip])).rejects.toMatchObject(conflict('The file is being uploaded.'))
    const { id: outId, args } = await ordered(unit, 'upload_file')
    const { id: inId, args: into } = await ordered(hub, 'receive_file')
    expect(args).toEqual({ uploadId: uploads[1]?.id, path: clip })
    expect(into).toEqual({
      uploadId: uploads[1]?.id,
      file: { channelId, unitId: unit.id, fileName: 'Harbour.mp4' },
      resume: false,
    })
    const id = args.uploadId
    // Neither end may do the part of the other, and no other device any of it.
    const other = await fleet.unit('LON-02')
    expect((await put(id, 0, 10, 'forged', other.token)).status).toBe(404)
    expect((await put(id, 0, 10, 'forged', hub.token)).status).toBe(404)
    expect((await put(id, 0, 10, 'forged', 'no token')).status).toBe(401)
    expect((await get(id, unit.token)).status).toBe(404)

    const received = get(id)
    const first = await put(id, 0, 10, 'hello ')
    expect(await first.json()).toEqual({ taken: 6 })
    await until(() => values()?.uploadedFiles[1]?.state === 'uploading')
    // A repeated part, or one that leaves a gap, is answered with the offset to continue at.
    expect(await (await put(id, 0, 10, 'hello ')).json()).toEqual({ taken: 6 })
    expect(await (await put(id, 9, 10, '!')).json()).toEqual({ taken: 6 })
    expect((await put(id, 6, 12, 'stage')).status).toBe(409)
    expect((await put(id, 6, 10, 'too long')).status).toBe(409)
    await fleet.pass(1000)
    expect(values()?.uploadedFiles[1]).toMatchObject({ sentBytes: 6, sizeBytes: 10, by: 'nora' })
    expect(await (await put(id, 6, 10, 'van!')).json()).toEqual({ taken: 10 })
    expect(await (await received).text()).toBe('hello van!')
    answer(unit, outId, 'confirmed')
    answer(hub, inId, 'confirmed')
    await until(() => values()?.uploadedFiles[1]?.state === 'success')
    expect((await get(id)).status).toBe(404)

    // A file of no bytes is a file too.
    const second = (await ordered(unit, 'upload_file')).args.uploadId
    const empty = get(second)
    expect(await (await put(second, 0, 0, '')).json()).toEqual({ taken: 0 })
    expect(await (await empty).text()).toBe('')
    answer(hub, (await ordered(hub, 'receive_file')).id, 'confirmed')
    await until(() => values()?.uploadedFiles[0]?.state === 'success')

    // A file that the channel has is not uploaded again.
    hub.send(filesOf(channelId, ['Harbour.mp4'], { unitId: unit.id, rootDirectory: 'uploads' }))
    const recorded = () => nora.call(api.channelFiles.list, { query: { groupId: 'london' } })
    await expect.poll(async () => (await recorded()).items[0]?.rootDirectory).toBe('uploads')
    const [refused] = (await upload([clip])).uploads
    expect([refused?.state, refused?.reason]).toEqual([
      'rejected',
      'The channel already has a file of this name from the unit.',
    ])
    await fleet.restart()
    expect(values()?.uploadedFiles.at(-1)).toMatchObject({ name: 'Harbour.mp4', state: 'success' })
    expect(values()?.uploadedFiles[0]).toMatchObject(reasonFields('upload.nameTaken'))
  })

  it('[FILE-005] through core are verified by the checksum of the unit, which only their server gets', async () => {
    const { uploads } = await upload([clip])
    const id = uploads[0]?.id
    await ordered(unit, 'upload_file')
    const { id: inId } = await ordered(hub, 'receive_file')
    const part = (query: string, body: string) =>
      fetch(`${address(id)}?of=6&modified=5&verified=1&${query}`, {
        method: 'PUT',
        headers: { ...bearer(unit.token), 'content-type': 'application/octet-stream' },
        body,
      })
    const sumFor = (token: string) => fetch(`${address(id)}?sum=1`, { headers: bearer(token) })
    const received = get(id)
    expect(await (await part('from=0', 'hello ')).json()).toEqual({ taken: 6 })
    const given = await received
    expect(given.headers.get(UPLOAD_VERIFIED_HEADER)).toBe('1')
    expect(await given.text()).toBe('hello ')
    expect((await sumFor(unit.token)).status).toBe(404)
    const requested = sumFor(hub.token)
    const sha256 = 'a'.repeat(64)
    expect(await (await part(`from=6&sha256=${sha256}`, '')).json()).toEqual({ taken: 6 })
    expect(await (await requested).json()).toEqual({ sha256 })
    answer(hub, inId, 'confirmed')
    await until(() => values()?.uploadedFiles[0]?.state === 'success')
  })

  it('[FILE-005] through core leave no listener behind for each part that waits for the server', async () => {
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => warnings.push(name)
    process.on('warning', onWarning)
    await upload([clip])
    const { args } = await ordered(unit, 'upload_file')
    await ordered(hub, 'receive_file')
    const received = get(args.uploadId)
    const part = 'x'.repeat(UPLOAD_PART_BYTES)
    const whole = part.length * 12
    for (let from = 0; from < whole; from += part.length)
      expect((await put(args.uploadId, from, whole, part)).status).toBe(200)
    expect(await (await received).text()).toHaveLength(whole)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  it('[FILE-005] [FILE-006] are cancelled, rejected and failed, and the next one starts', async () => {
    await expect(cancel([clip])).rejects.toMatchObject(conflict('None of the files is being uploaded.'))
    const paths = ['One', 'Two', 'Three', 'Four'].map((name) => `/media/${name}.mp4`)
    await upload(paths)
    const [one = '', , three = ''] = paths
    const first = await ordered(unit, 'upload_file')
    const received = get(first.args.uploadId)
    await put(first.args.uploadId, 0, 10, 'half')
    await cancel([one, three])
    await expect(received.then((response) => response.text())).rejects.toThrow()
    expect((await put(first.args.uploadId, 4, 10, 'rest')).status).toBe(404)
    // The end of an upload that is over or unknown is ignored (ST-FT-05).
    for (const id of [first.args.uploadId, 'ul-unheard-of']) answer(hub, `${id} in`, 'confirmed')
    const second = await ordered(unit, 'upload_file')
    expect(second.args.path).toBe(paths[1])
    // Only the two ends of the running upload report its state.
    answer(hub, second.id, 'refused', 'Not mine')
    answer(unit, second.id, 'refused', 'The file is gone')
    const last = await ordered(unit, 'upload_file')
    expect(last.args.path).toBe(paths[3])
    expect(shown()).toEqual([
      ['Four.mp4', 'pending', null],
      ['Three.mp4', 'failed', 'Cancelled.'],
      ['Two.mp4', 'rejected', 'The file is gone'],
      ['One.mp4', 'failed', 'Cancelled.'],
    ])
    await fleet.pass(46_000)
    expect(shown()?.[0]).toEqual(['Four.mp4', 'failed', 'No more data arrived.'])

    unit.socket.close()
    await until(() => values()?.offline === true)
    await expect(upload([one])).rejects.toMatchObject(conflict('Unit is offline.'))
  })

  /** Requests an upload as its server does; answers the bytes received. */
  function taking(id: unknown, from = 0, token = hub.token) {
    let bytes = ''
    // Not by fetch, which would connect again after it was broken off.
    const outgoing = request(`${address(id)}?from=${from}`, { headers: bearer(token), agent: false })
    outgoing.on('response', (response) =>
      response.on('data', (piece) => (bytes += piece)).on('error', () => {}),
    )
    outgoing.on('error', () => {}).end()
    return { bytes: () => bytes }
  }
  async function back(device: TestDevice): Promise<TestDevice> {
    const again = await fleet.again(device)
    await again.greet()
    return again
  }
  const newest = () => values()?.uploadedFiles[0]
  const waiting = (reason: string) =>
    until(() => newest()?.state === 'waiting' && newest()?.reason === reason)

  it('[FILE-005] [FILE-006] continue at the byte that the server has when an end or core was disconnected', async () => {
    await upload([clip])
    const first = await ordered(unit, 'upload_file')
    const id = first.args.uploadId
    await ordered(hub, 'receive_file')
    const cut = taking(id)
    await put(id, 0, 10, 'hello ', unit.token, 77)
    await until(() => cut.bytes() === 'hello ')

    unit.socket.terminate()
    await waiting('Waiting for the unit.')
    // Until then both are answered to retry, and no other device is informed.
    expect((await get(id)).status).toBe(503)
    expect((await get(id, unit.token)).status).toBe(404)
    unit = await back(unit)
    const second = await ordered(unit, 'upload_file')
    expect(second.args).toEqual(first.args)
    const resumed = await ordered(hub, 'receive_file')
    expect(resumed).toMatchObject({ args: { uploadId: id, resume: true } })
    // Reports of the devices about the interrupted attempt are ignored.
    answer(unit, first.id, 'refused', 'The upload was cancelled.')
    await flushed(unit.socket)
    const rest = taking(id, 3)
    expect(await (await put(id, 0, 10, 'hello ', unit.token, 77)).json()).toEqual({ taken: 3 })
    expect(newest()).toMatchObject({ state: 'uploading', sentBytes: 3, reason: null })
    expect(await (await put(id, 3, 10, 'lo ', unit.token, 77)).json()).toEqual({ taken: 6 })
    await until(() => rest.bytes() === 'lo ')

    // The server lost only its data connection: the order is sent again.
    answer(hub, resumed.id, 'refused', 'The connection was interrupted')
    await waiting('Waiting for the server.')
    await fleet.pass(1000)
    const order = await ordered(hub, 'receive_file')
    await ordered(unit, 'upload_file')
    answer(hub, order.id, 'refused', 'Interrupted', { code: 'upload.interrupted', params: {} })
    await waiting('Waiting for the server.')
    await fleet.pass(1000)
    await ordered(hub, 'receive_file')
    await ordered(unit, 'upload_file')
    hub.socket.terminate()
    await waiting('Waiting for the server.')
    hub = await back(hub)
    await ordered(unit, 'upload_file')
    await ordered(hub, 'receive_file')

    await fleet.restart()
    expect(newest()).toMatchObject({ state: 'waiting', sizeBytes: 10, ...reasonFields('upload.unitAway') })
    ;[unit, hub] = await Promise.all([back(unit), back(hub)])
    const last = await ordered(hub, 'receive_file')
    expect(last).toMatchObject({ args: { uploadId: id, resume: true } })
    await ordered(unit, 'upload_file')
    const end = taking(id, 6)
    expect(await (await put(id, 0, 10, 'hello ', unit.token, 77)).json()).toEqual({ taken: 6 })
    expect(await (await put(id, 6, 10, 'van!', unit.token, 77)).json()).toEqual({ taken: 10 })
    await until(() => end.bytes() === 'van!')
    answer(hub, last.id, 'confirmed')
    await until(() => newest()?.state === 'success')
  })

  it('[FILE-005] end when the file has changed meanwhile, and when an end does not come back', async () => {
    await upload([clip])
    const { uploadId: id } = (await ordered(unit, 'upload_file')).args
    await ordered(hub, 'receive_file')
    const cut = taking(id)
    await put(id, 0, 10, 'hello ', unit.token, 77)
    await until(() => cut.bytes() === 'hello ')
    unit.socket.terminate()
    await waiting('Waiting for the unit.')
    unit = await back(unit)
    await ordered(hub, 'receive_file')
    taking(id, 6)
    expect((await put(id, 0, 10, 'hullo ', unit.token, 78)).status).toBe(409)
    await until(() => newest()?.state === 'failed')
    expect(newest()?.reason).toBe('The file on the unit has changed since the upload began.')
    expect((await ordered(hub, 'forget_upload')).args).toEqual({ uploadId: id })

    unit.report({ storages: testStorages, capabilities: { fileUpload: true }, channelId })
    await until(() => values()?.channelId === channelId && values()?.capabilities.fileUpload === true)
    await upload([clip])
    unit.socket.terminate()
    await waiting('Waiting for the unit.')
    const { id: uploadId } = newest() ?? {}
    fleet.clock.stepWall(2 * UPLOAD_WAITS_MS)
    fleet.clock.pause(UPLOAD_WAITS_MS - 180_000)
    await fleet.clock.advanceAsync(120_000)
    fleet.clock.stepWall(-4 * UPLOAD_WAITS_MS)
    expect(newest()).toMatchObject({ id: uploadId, state: 'waiting' })
    await fleet.clock.advanceAsync(61_000)
    expect(newest()).toMatchObject({
      id: uploadId,
      state: 'failed',
      reason: 'The unit or the server did not reconnect in time.',
    })
  })

  it('[STORY-003] require metadata where the unit is set so, which the file has in place of that of its unit', async () => {
    const of = { params: { id: 'north', unit: unit.id } }
    const setPrompt = (promptMetadata: boolean, browser = nora) =>
      browser.call(api.stories.setPrompt, { ...of, body: { promptMetadata } })
    const withMetadata = (paths: string[], metadata: Record<string, string>) =>
      nora.call(calls.upload, { params: params(), body: { paths, metadata } })
    unit.report({ settings: { metadata: { slugline: 'STORM' } } })
    expect(values()?.promptMetadata).toBe(false)
    await setPrompt(true)
    expect(values()?.promptMetadata).toBe(true)
    await expect(setPrompt(false, await fleet.signedIn('reed'))).rejects.toMatchObject({ status: 403 })
    await expect(setPrompt(false, await fleet.signedIn('sam'))).rejects.toMatchObject({ status: 404 })
    await expect(upload([clip])).rejects.toMatchObject({
      status: 400,
      fields: [fault('metadata', 'upload.metadataRequired')],
    })
    await expect(withMetadata([clip], { slugline: 'FIRE; STORM' })).rejects.toMatchObject({
      status: 400,
      fields: [fault('metadata.slugline', 'metadata.semicolon')],
    })
    const { uploads } = await withMetadata([clip, '/media/Lost.mp4'], { slugline: 'FIRE' })
    expect(uploads).toMatchObject([{ metadata: { slugline: 'FIRE' } }, { metadata: { slugline: 'FIRE' } }])

    // The request and what was entered outlast a restart.
    await fleet.restart()
    nora = await fleet.signedIn('nora')
    unit = await fleet.again(unit)
    hub = await fleet.again(hub)
    await unit.greet()
    await hub.greet()
    expect(values()?.promptMetadata).toBe(true)
    await cancel(['/media/Lost.mp4'])
    hub.send(filesOf(channelId, ['Harbour.mp4', 'Lost.mp4'], { unitId: unit.id, rootDirectory: 'uploads' }))
    const storyOf = (name: string) =>
      nora.call(api.channelFiles.metadata, { query: { channelId, filePath: `${unit.id}/${name}` } })
    await expect.poll(() => storyOf('Lost.mp4').then(Boolean, () => false)).toBe(true)
    expect((await storyOf('Harbour.mp4')).story).toEqual({ slugline: 'FIRE' })
    expect((await storyOf('Lost.mp4')).story).toEqual({ slugline: 'STORM' })
    await setPrompt(false)
    expect((await upload(['/media/Next.mp4'])).uploads).toMatchObject([{ metadata: null }])
  })

  it('[FILE-005] are deleted on the unit by those who may, and only on its storages', async () => {
    const olivia = await fleet.signedIn('olivia')
    const removal = remove([clip, clip], olivia)
    const { id, args } = await ordered(unit, 'delete_files')
    expect(args).toEqual({ paths: [clip] })
    answer(unit, id, 'confirmed')
    expect(await removal).toEqual({ done: true })
    const vera = await fleet.signedIn('vera')
    await expect(remove([clip], vera)).rejects.toMatchObject({
      status: 403,
      message: 'Files deletion not allowed for this user type.',
    })
    for (const path of ['/media', '/etc/passwd'])
      await expect(remove([path])).rejects.toMatchObject({ status: 404 })
  })

  it('[FILE-006] are refused without a server that accepts them, and more than ten at a time', async () => {
    const names = (count: number, from = 0) =>
      Array.from({ length: count }, (_, at) => `/media/Clip ${at + from}.mp4`)
    await expect(upload(names(11))).rejects.toMatchObject({ status: 400 })
    await expect(upload(['/tmp/One.mp4'])).rejects.toMatchObject({ status: 404 })
    await upload(names(6))
    await expect(upload(names(5, 6))).rejects.toMatchObject(
      conflict('A unit can upload at most 10 files in its queue.'),
    )
    await upload(names(4, 6))
    await cancel(names(10))
    await upload(names(3))
    expect(values()?.uploadedFiles).toHaveLength(10)
    await cancel(names(3))

    unit.report({ channelId: null })
    await until(() => values()?.channelId === null)
    const noChannel = conflict('Selected channel is busy or offline.')
    await expect(upload([clip])).rejects.toMatchObject(noChannel)
    // The channel that it transmits to without having selected it receives its files too.
    const startedAt = fleet.clock.nowMs()
    fleet.core.units.setTransmission(unit.id, { id: 't-1', channelId, startedAt, by: 'nora' })
    const channelName = fleet.core.channels.known(channelId)?.name
    expect((await upload([clip])).uploads).toMatchObject([{ channelId, channelName }])
    await cancel([clip])
    fleet.core.units.setTransmission(unit.id, null)
    unit.report({ channelId })
    await until(() => values()?.channelId === channelId)
    const capabilities = { protocolsIn: [], protocolsOut: [], encoders: [], ffmpegVersion: null }
    hub.report({ capabilities })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.uploads !== true)
    await expect(upload([clip])).rejects.toMatchObject(
      conflict('The server of the channel does not accept files of units.'),
    )
    hub.socket.close()
    await until(() => !fleet.core.servers.isOnline(hub.id))
    await expect(upload([clip])).rejects.toMatchObject(noChannel)
  })
})
