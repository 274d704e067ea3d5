// Files through the doors: reported by servers, listed for a group, played out, renamed, removed, downloaded.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@backhaul/contract/api/api'
import { fault } from '@backhaul/contract/define/errors'
import { isSigned } from '@backhaul/runtime/signed-requests'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { filesOf } from '../../testing/stored-files.ts'
import { outOfTheBox } from '../../testing/unit-settings.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const { channelFiles: calls } = api
const capabilities = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
const media = { lengthMs: 60_000, bitrateKbps: 4000, codec: 'h264', width: 1920, height: 1080 }

describe.each(enginesOfNight)('files on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let unit: TestDevice
  let olivia: Browser
  /** One with an SDI output, and one for viewing only. */
  let [output, preview] = ['', '']
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    hub = await fleet.server('MCR', 2, { outputs: 1 })
    unit = await fleet.unit('VAN-1')
    const feedsSdi = (id: string) => fleet.core.channels.known(id)?.sdiNo === 1
    output = hub.channelIds.find(feedsSdi) ?? ''
    preview = hub.channelIds.find((id) => !feedsSdi(id)) ?? ''
    olivia = await fleet.signedIn('olivia')
  })
  afterEach(() => fleet.remove())

  const list = (query: object = {}, browser = olivia) =>
    browser.call(calls.list, { query: { groupId: 'london', ...query } })
  const namesOf = async (query: object = {}, browser = olivia) =>
    (await list(query, browser)).items.map(({ fileName }) => fileName)
  const reportFiles = async (message: object, count: number) => {
    hub.send(message)
    await until(() => hub.socket.readyState === 1)
    await fleet.pass()
    await expect.poll(() => namesOf()).toHaveLength(count)
  }
  const have = (names: string[], more = {}) => reportFiles(filesOf(output, names, more), names.length)
  const idOf = (name: string) => `${output}/-/${name}`
  const play = (name: string, channel = output, browser = olivia) =>
    browser.call(calls.play, {
      body: { fileId: idOf(name), broadcastingMmhId: channel, rootDirectory: 'recordings' },
    })
  const isPlaying = async (names: string[]) => {
    const status = names.length > 0 ? ('PlayStoredFile' as const) : ('idle' as const)
    hub.telemetry([{ channelId: output, status, playing: names.map(idOf) }])
    await until(() => fleet.core.channels.known(output)?.playing.length === names.length)
  }

  it('[FILE-001] are listed for a group, newest first, by date, name and page, as the server reported them last', async () => {
    const at = (day: string) => ({ modifiedMs: Date.parse(`${day}T12:00:00Z`) })
    const lists = [
      filesOf(output, ['Monday.mp4'], { unitId: unit.id, ...at('2026-11-16') }),
      filesOf(output, ['Tuesday.mov'], { isTransferring: true, ...at('2026-11-17') }),
      filesOf(preview, ['Friday.mkv'], at('2026-11-20')),
    ]
    await reportFiles({ ...filesOf(output, []), files: lists.flatMap(({ files }) => files) }, 3)
    expect(await namesOf()).toEqual(['Friday.mkv', 'Tuesday.mov', 'Monday.mp4'])
    expect(await namesOf({ sort: 'fileName,asc' })).toEqual(['Friday.mkv', 'Monday.mp4', 'Tuesday.mov'])
    expect(await namesOf({ search: 'DAY.M', from: '2026-11-17T00:00:00Z' })).toEqual([
      'Friday.mkv',
      'Tuesday.mov',
    ])
    expect(await namesOf({ from: '2026-11-17T00:00:00Z', to: '2026-11-20T00:00:00Z' })).toEqual([
      'Tuesday.mov',
    ])
    expect(await namesOf({ limit: 1, offset: 2 })).toEqual(['Monday.mp4'])
    const { items } = await list({ search: 'monday' })
    expect(items).toEqual([
      {
        fileId: `${output}/${unit.id}/Monday.mp4`,
        fileName: 'Monday.mp4',
        luName: 'VAN-1',
        luAlias: 'VAN-1',
        mmhId: output,
        mmhName: 'MCR-1',
        sizeBytes: 1000,
        lastModified: '2026-11-16T12:00:00.000Z',
        isTransferring: false,
        chunkIndex: 1,
        rootDirectory: 'recordings',
        format: 'mp4',
        metadataFormat: 'json',
      },
    ])
    // One change at a time; a file that a complete list does not name is gone.
    await reportFiles(
      { type: 'files', files: [], removed: [{ channelId: output, unitId: '-', fileName: 'Tuesday.mov' }] },
      2,
    )
    await have(['Late.mp4'])
    // A server reports for its own channels only, and its files are known while it is disconnected and after a restart.
    const other = await fleet.server('MCR-2')
    const own = filesOf(other.channelIds[0] ?? '', ['Own.mp4'])
    other.send({ ...own, files: [...filesOf(output, ['Forged.mp4']).files, ...own.files] })
    await expect.poll(() => namesOf({ search: 'Own' })).toEqual(['Own.mp4'])
    await fleet.restart()
    olivia = await fleet.signedIn('olivia')
    expect((await namesOf()).toSorted()).toEqual(['Late.mp4', 'Own.mp4'])
    await expect(list({ groupId: 'cairo' })).rejects.toMatchObject({ code: 404 })
    // A list has the files of the channels in its group, and counts no others.
    const nora = await fleet.signedIn('nora')
    expect(await list({ groupId: 'leeds' }, nora)).toMatchObject({ items: [], total: 0 })
    await fleet.core.groups.addMember('leeds', 'channel', other.channelIds[0] ?? '')
    expect(await list({ groupId: 'leeds' }, nora)).toMatchObject({
      items: [{ fileName: 'Own.mp4' }],
      total: 1,
    })
  })

  it('[FILE-004] are renamed and removed on the disk of their server, never while they grow or play', async () => {
    const unknown = { fileId: idOf('Gone.mp4') }
    await have(['Bulletin.mp4', 'Traffic.mp4'], { media })
    await expect(olivia.call(calls.remove, { body: unknown })).rejects.toMatchObject({ code: 404 })
    const rename = (newFileName: string) =>
      olivia.call(calls.rename, { body: { fileId: idOf('Bulletin.mp4'), newFileName } })
    await expect(rename('Bulletin.mov')).rejects.toMatchObject({
      fields: [fault('newFileName', 'file.endingFixed')],
    })
    await expect(rename('../x.mp4')).rejects.toMatchObject({ code: 400, fields: [{ field: 'newFileName' }] })
    await expect(rename('Traffic.mp4')).rejects.toMatchObject({ code: 409 })
    const renaming = rename('Harbour.mp4')
    const { id, args } = await hub.next('order', ({ name }) => name === 'rename_file')
    const key = { channelId: output, unitId: '-', fileName: 'Bulletin.mp4' }
    expect(args).toEqual({ file: key, newFileName: 'Harbour.mp4' })
    hub.send({ ...filesOf(output, ['Harbour.mp4']), begins: false, ends: false, removed: [key] })
    hub.send({ type: 'outcome', id, state: 'confirmed' })
    expect(await renaming).toEqual({ fileId: idOf('Harbour.mp4') })
    expect((await namesOf()).toSorted()).toEqual(['Harbour.mp4', 'Traffic.mp4'])

    await isPlaying(['Traffic.mp4'])
    const remove = (name: string, browser = olivia) =>
      browser.call(calls.remove, { body: { fileId: idOf(name) } })
    await expect(remove('Traffic.mp4')).rejects.toMatchObject({ message: 'The file is being played.' })
    await have(['Growing.mp4'], { isTransferring: true })
    await expect(remove('Growing.mp4')).rejects.toMatchObject({ message: 'The file is still being written.' })
    await have(['Harbour.mp4'])
    const removing = remove('Harbour.mp4')
    const order = await hub.next('order', ({ name }) => name === 'remove_file')
    hub.send({ type: 'outcome', id: order.id, state: 'refused', reason: 'The disk is read-only' })
    await expect(removing).rejects.toMatchObject({ code: 409, message: 'The disk is read-only' })
    hub.obey()
    await remove('Harbour.mp4')
    hub.socket.terminate()
    await fleet.pass(300)
    await expect(remove('Harbour.mp4')).rejects.toMatchObject({ code: 503 })
  })

  it('are published by the server once they are finished, or refused with its reason', async () => {
    await have(['Bulletin.mp4'], { isTransferring: true })
    const publish = (browser = olivia) =>
      browser.call(calls.publish, { body: { fileId: idOf('Bulletin.mp4') } })
    await expect(publish()).rejects.toMatchObject({ code: 409, message: 'The file is still being written.' })
    await have(['Bulletin.mp4'])
    const publishing = publish()
    const order = await hub.next('order', ({ name }) => name === 'publish_file')
    expect(order.args).toEqual({ file: { channelId: output, unitId: '-', fileName: 'Bulletin.mp4' } })
    const cause = { code: 'publishing.off', params: {} }
    const reason = 'Publishing is off on the server.'
    hub.send({ type: 'outcome', id: order.id, state: 'refused', reason, cause })
    await expect(publishing).rejects.toMatchObject({ code: 409, message: reason, cause })
    hub.obey()
    await expect(publish()).resolves.toEqual({ done: true })
    await expect(publish(await fleet.signedIn('reed'))).rejects.toMatchObject({ code: 403 })
  })

  it('[ACCESS-008] [ACCESS-009] are removed by all roles but read-only users and staff', async () => {
    hub.obey()
    await have(['Bulletin.mp4'])
    await fleet.db
      .updateTable('users')
      .set({ roles: JSON.stringify(['staff']) })
      .where('username', '=', 'olivia')
      .execute()
    const body = { fileId: idOf('Bulletin.mp4') }
    const refusal = { code: 403, message: 'Files deletion not allowed for this user type.' }
    for (const username of ['reed', 'olivia'])
      await expect((await fleet.signedIn(username)).call(calls.remove, { body })).rejects.toMatchObject(
        refusal,
      )
    await expect((await fleet.signedIn('nora')).call(calls.remove, { body })).resolves.toEqual({ done: true })
  })

  it('[FILE-003] are played out to an idle channel that is not for viewing only, several in a queue, and stopped', async () => {
    await have(['Bulletin.mp4', 'Traffic.mp4', 'Photo.jpg'])
    const refused = async (channel: string, name: string, message: string) =>
      await expect(play(name, channel)).rejects.toMatchObject({ code: 409, message })
    await refused(preview, 'Bulletin.mp4', 'Cannot play to preview channel.')
    await refused(output, 'Photo.jpg', 'File type cannot be played.')
    await expect(play('Bulletin.mp4', 'ch-nowhere')).rejects.toMatchObject({ code: 404 })
    const away = await fleet.server('MCR-2', 1, { outputs: 1 })
    const ofLondon = () => olivia.call(api.channels.ofGroup, { query: { group: 'london' } })
    await expect
      .poll(async () => (await ofLondon()).map(({ uniqueId }) => uniqueId))
      .toContain(away.channelIds[0])
    await refused(away.channelIds[0] ?? '', 'Bulletin.mp4', 'The file is on another server than the channel.')
    hub.obey()
    await play('Bulletin.mp4')
    expect(await hub.next('order', ({ name }) => name === 'play_file')).toMatchObject({
      args: { file: { channelId: output, unitId: '-', fileName: 'Bulletin.mp4' }, channelId: output },
    })
    await isPlaying(['Bulletin.mp4'])
    await expect(play('Bulletin.mp4')).rejects.toMatchObject({ code: 409 })
    await play('Traffic.mp4')
    await isPlaying(['Bulletin.mp4', 'Traffic.mp4'])
    const stop = (name: string) =>
      olivia.call(calls.stop, { body: { fileId: idOf(name), broadcastingMmhId: output } })
    await stop('Traffic.mp4')
    expect(await hub.next('order', ({ name }) => name === 'stop_file')).toMatchObject({
      args: { file: { fileName: 'Traffic.mp4' }, channelId: output },
    })
    await isPlaying([])
    await expect(stop('Bulletin.mp4')).rejects.toMatchObject({ code: 409 })

    await olivia.call(api.unitCommands.start, { params: { id: unit.id }, body: { channel: output } })
    await refused(output, 'Bulletin.mp4', 'Cannot broadcast to an allocated channel.')
    away.socket.terminate()
    await until(() => fleet.core.channels.known(away.channelIds[0] ?? '')?.status === 'offline')
    await refused(away.channelIds[0] ?? '', 'Bulletin.mp4', 'Selected channel is busy or offline.')
  })

  it('[FILE-002] have their parts, their picture, and the place, labels and story of their unit', async () => {
    unit.report({
      settings: { ...outOfTheBox, metadata: { slugline: 'Harbour fire' } },
    })
    await until(() => fleet.core.units.values(unit.id)?.metadata.slugline !== undefined)
    await reportFiles(
      {
        ...filesOf(output, ['Harbour.mp4', 'Harbour_part2.mp4', 'Harbour_part10.mp4', 'Traffic.mp4'], {
          media,
          unitId: unit.id,
        }),
      },
      4,
    )
    const fileId = `${output}/${unit.id}/Harbour_part2.mp4`
    const parts = await olivia.call(calls.chunks, { body: { fileId } })
    expect(parts.map(({ index, state }) => [index, state])).toEqual([
      [1, 'done'],
      [2, 'done'],
      [10, 'done'],
    ])
    const query = { channelId: output, filePath: `${unit.id}/Harbour.mp4` }
    expect(await olivia.call(calls.metadata, { query })).toEqual({
      dateTime: '2026-11-18T11:06:40.000Z',
      sizeBytes: 1000,
      resolution: '1920x1080',
      lengthMs: 60_000,
      bitrateKbps: 4000,
      codec: 'h264',
      quality: null,
      unitName: 'VAN-1',
      unitType: 'LU-600',
      gps: null,
      story: { slugline: 'Harbour fire' },
      promptMetadata: false,
      sendMetadata: true,
      labels: ['slugline'],
      document: null,
    })
  })

  it('[FILE-008] get a document of their metadata next to them in the format of their server, once, unless a label excludes it', async () => {
    hub.report({ capabilities: { ...capabilities, settings: ['metadataFormat'] } })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.capabilities?.settings !== undefined)
    const nora = await fleet.signedIn('nora')
    const settings = { metadataFormat: 'xml' as const }
    await nora.call(api.deviceAdministration.changeServer, { params: { id: hub.id }, body: { settings } })
    await have(['Harbour.mp4'], { isTransferring: true })
    const formats = async () => (await list()).items.map(({ metadataFormat }) => metadataFormat)
    expect(await formats()).toEqual(['xml'])
    await have(['Harbour.mp4'], { media: { ...media, quality: 'hd' } })
    const described = ({ name }: { name: string }) => name === 'describe_file'
    const { id, args } = await hub.next('order', described)
    const file = { channelId: output, unitId: '-', fileName: 'Harbour.mp4' }
    const metadata = { resolution: '1920x1080', quality: 'hd', sendMetadata: true, labels: [] }
    expect(args).toMatchObject({ file, format: 'xml', metadata })
    hub.send({ type: 'outcome', id, state: 'confirmed' })
    await have(['Harbour.mp4'], { media, document: 'json' })
    expect(await formats()).toEqual(['json'])
    unit.report({ settings: { ...outOfTheBox, metadata: { sendMetadata: 'false' } } })
    await until(() => fleet.core.units.values(unit.id)?.metadata.sendMetadata !== undefined)
    const silent = filesOf(output, ['Silent.mp4'], { unitId: unit.id })
    hub.send({ ...silent, begins: false, ends: false })
    await have(['Harbour.mp4', 'Storm.mp4'], { document: null })
    const orders = () =>
      hub.messages.flatMap((message) =>
        message.type === 'order' && described(message)
          ? [(message.args.file as { fileName: string }).fileName]
          : [],
      )
    // An answer that does not come holds up no other file for ever.
    hub.obey()
    await expect
      .poll(async () => {
        await fleet.pass(1000)
        return orders()
      })
      .toEqual(['Harbour.mp4', 'Harbour.mp4', 'Storm.mp4'])
  })

  it('[FILE-007] are downloaded from the server through core, whole or in part, and a probe shows when they cannot', async () => {
    const changed = 'Sat, 21 Nov 2026 10:15:00 GMT'
    const requests: { method: string; url: string; range: string | undefined; isSigned: boolean }[] = []
    const server = createServer((request, response) => {
      const { method = '', url = '', headers } = request
      const { previewKey = '', serverTime = 0 } = hub.newest('welcome') ?? {}
      const signature = String(headers['x-backhaul-signature'])
      requests.push({
        method,
        url,
        range: headers.range,
        isSigned: isSigned(previewKey, { method, path: url }, serverTime, signature),
      })
      const isPart = headers.range !== undefined
      response.writeHead(isPart ? 206 : 200, {
        'content-type': 'video/mp4',
        'content-length': isPart ? 4 : 8,
        'last-modified': changed,
      })
      response.end(method === 'HEAD' ? undefined : isPart ? 'part' : 'a  movie')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    await have(['Bulletin.mp4'])
    const [{ url = '' } = {}] = await olivia.call(calls.downloads, { params: { id: output } })
    expect(url).toBe(`/files/${output}/-/Bulletin.mp4`)
    const get = (method: 'GET' | 'HEAD', headers = {}, browser = olivia) =>
      browser.send({ method, url, headers })
    expect((await get('HEAD')).statusCode).toBe(503)
    hub.report({ previewPort: (server.address() as AddressInfo).port })
    await until(() => fleet.core.servers.memory(hub.id)?.actual.previewPort !== null)
    expect((await get('HEAD')).statusCode).toBe(200)
    const whole = await get('GET')
    expect([whole.body, whole.headers['content-disposition'], whole.headers['content-type']]).toEqual([
      'a  movie',
      'attachment; filename="Bulletin.mp4"',
      'video/mp4',
    ])
    const part = await get('GET', { range: 'bytes=0-3' })
    expect([part.statusCode, part.body]).toEqual([206, 'part'])
    expect(requests.at(-1)).toEqual({
      method: 'GET',
      url: `/files/recordings/${output}/-/Bulletin.mp4`,
      range: 'bytes=0-3',
      isSigned: true,
    })
    const resumed = async (since: string) => {
      const { statusCode, body } = await get('GET', { range: 'bytes=0-3', 'if-range': since })
      return [statusCode, body]
    }
    expect(await resumed(changed)).toEqual([206, 'part'])
    expect(await resumed('Sat, 21 Nov 2026 10:14:00 GMT')).toEqual([200, 'a  movie'])
    expect((await get('GET', {}, fleet.browser())).statusCode).toBe(401)
    expect((await get('GET', {}, await fleet.signedIn('sam'))).statusCode).toBe(404)
    server.close()
    server.closeAllConnections()
    expect((await get('HEAD')).statusCode).toBe(503)
  })

  it('[FILE-009] are made by recording a channel, which the list of recorded channels shows', async () => {
    const recorded = async (browser = olivia) =>
      (await browser.call(api.channels.recorded, { params: { id: 'north' } })).map(({ uniqueId }) => uniqueId)
    expect(await recorded()).toEqual([])
    await olivia.call(api.channels.record, { params: { id: output }, body: { recording: true } })
    const { state } = await hub.next('serverWanted', ({ state }) =>
      state.channels.some(({ recording }) => recording),
    )
    expect(state.channels.flatMap(({ channelId, recording }) => (recording ? channelId : []))).toEqual([
      output,
    ])
    hub.telemetry([{ channelId: output, status: 'collecting', recording: true }])
    await expect.poll(() => recorded()).toEqual([output])
    await have(['2026-11-21T10-15-00Z.mp4'], { unitId: unit.id, isTransferring: true })
    await expect(recorded(await fleet.signedIn('sam'))).rejects.toMatchObject({ code: 404 })
  })

  it('[SRV-009] of an ingest server are those of the channels that it ingests, with their labels, and no others', async () => {
    const params = { id: 'north' }
    const [nora, root] = [await fleet.signedIn('nora'), await fleet.signedIn('root')]
    await root.call(api.services.add, { params, body: { name: 'ingest' } })
    const [box, other] = [
      await fleet.server('Newsroom', 0, { product: 'Ingest Server' }),
      await fleet.server('Archive', 0, { product: 'Ingest Server' }),
    ]
    const assign = (ingestServerId: string) =>
      nora.call(api.ingest.associate, {
        params,
        body: { associations: [{ channelId: output, ingestServerId }] },
      })
    await assign(box.id)
    const labels = { slugline: 'Harbour fire' }
    const came = (names: string[], more = {}) =>
      filesOf(output, names, { unitId: 'ingest', rootDirectory: 'uploads', labels, ...more })
    await have(['Bulletin.mp4'])
    // A report of the server of the channel changes nothing about that.
    hub.report({ region: 'Oslo' })
    await until(() => fleet.core.channels.known(output)?.cloudRegion === 'Oslo')
    expect(fleet.core.channels.known(output)?.ingestAssociation?.serverId).toBe(box.id)
    box.send(came(['In.mp4']))
    await expect.poll(() => namesOf({ sort: 'fileName,asc' })).toEqual(['Bulletin.mp4', 'In.mp4'])
    const metadata = await olivia.call(calls.metadata, {
      query: { channelId: output, filePath: 'ingest/In.mp4' },
    })
    expect(metadata).toMatchObject({ unitName: '', story: labels, labels: ['slugline'] })
    // Neither a recording of the server of the channel, nor a file of another ingest server.
    box.send({ ...came(['Bulletin.mp4', 'Other.mp4'], { unitId: '-' }), begins: false, ends: false })
    other.send(came(['In.mp4', 'Strange.mp4'], { sizeBytes: 1 }))
    box.send({ ...filesOf(preview, ['Elsewhere.mp4'], { unitId: 'ingest' }), begins: false, ends: false })
    // Messages of both are handled before this one.
    other.send(came([]))
    box.send({ ...came(['Then.mp4']), begins: false, ends: false })
    await expect.poll(() => namesOf({ sort: 'fileName,asc' })).toEqual(['Bulletin.mp4', 'In.mp4', 'Then.mp4'])
    expect((await list({ search: 'In.mp4' })).items[0]?.sizeBytes).toBe(1000)

    // Files received already are kept when another server ingests for the channel.
    await assign(other.id)
    box.send(came(['In.mp4', 'Late.mp4']))
    other.send(came(['Next.mp4']))
    await expect.poll(() => namesOf({ sort: 'fileName,asc' })).toEqual(['Bulletin.mp4', 'In.mp4', 'Next.mp4'])
    box.send(came([]))
    await expect.poll(() => namesOf({ sort: 'fileName,asc' })).toEqual(['Bulletin.mp4', 'Next.mp4'])
  })
})
