// The way of a file: through a tunnel where unit and server can, otherwise through core.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { testStorages, unitWithFiles } from '../../testing/unit-with-files.ts'
import { flushed, until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

const clip = '/media/Harbour.mp4'
let fleet: TestFleet
let hub: TestDevice
let unit: TestDevice
let nora: Browser
let channelId = ''
beforeEach(async () => {
  fleet = await createTestFleet('sqlite')
  ;({ unit, server: hub, channelId } = await unitWithFiles(fleet, 'LON-01'))
  nora = await fleet.signedIn('nora')
  await bothCan()
})
afterEach(() => fleet.remove())

async function bothCan(): Promise<void> {
  hub.report({ uploadPort: 20_910, addresses: ['192.0.2.7', '10.0.0.7'] })
  unit.report({ storages: testStorages, capabilities: { fileUpload: true, uploadTunnel: true }, channelId })
  await until(() => fleet.core.units.values(unit.id)?.capabilities.uploadTunnel === true)
  await until(() => fleet.core.servers.memory(hub.id)?.actual.uploadPort === 20_910)
}

const upload = (...paths: string[]) =>
  nora.call(api.unitFiles.upload, { params: { id: unit.id }, body: { paths } })
const newest = () => fleet.core.units.values(unit.id)?.uploadedFiles[0]
async function ordered(device: TestDevice, name: string) {
  const order = await device.next('order', (one) => one.name === name)
  device.messages.splice(device.messages.indexOf(order), 1)
  return order
}
const both = async () => ({
  out: await ordered(unit, 'upload_file'),
  into: await ordered(hub, 'receive_file'),
})
const refuse = (device: TestDevice, id: string, code: string) =>
  device.send({ type: 'outcome', id, state: 'refused', reason: code, cause: { code, params: {} } })
async function back(device: TestDevice): Promise<TestDevice> {
  const again = await fleet.again(device)
  await again.greet()
  return again
}
const source = { sizeBytes: 10, modifiedMs: 77 }

it('[FILE-005] both ends get the key of a tunnel, and the server reports how far it is', async () => {
  await upload(clip)
  const { out, into } = await both()
  const { uploadId, tunnel } = out.args as { uploadId: string; tunnel: { id: string; key: string } }
  expect(out.args).toEqual({
    uploadId,
    path: clip,
    tunnel: {
      id: expect.stringMatching(/^up-/),
      key: expect.any(String),
      targets: [
        { host: '192.0.2.7', port: 20_910 },
        { host: '10.0.0.7', port: 20_910 },
      ],
    },
  })
  expect(Buffer.from(tunnel.key, 'base64')).toHaveLength(32)
  expect(into.args).toMatchObject({ uploadId, resume: false, tunnel: { id: tunnel.id, key: tunnel.key } })
  // Nothing of it goes through core.
  const put = await fetch(`${fleet.url}/gateway/uploads/${uploadId}?from=0&of=10&modified=77`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${unit.token}`, 'content-type': 'application/octet-stream' },
    body: 'hello',
  })
  expect(put.status).toBe(503)

  const report = (device: TestDevice, keptBytes: number, more = {}) =>
    device.send({ type: 'uploadProgress', uploadId, ...source, keptBytes, ...more })
  const other = await fleet.server('Elsewhere', 1)
  report(other, 9)
  report(hub, 11)
  await flushed(other.socket)
  await flushed(hub.socket)
  expect(newest()).toMatchObject({ state: 'pending', sentBytes: 0 })
  report(hub, 0)
  await until(() => newest()?.state === 'uploading')
  report(hub, 6)
  await fleet.pass(1000)
  await until(() => newest()?.sentBytes === 6)
  expect(newest()).toMatchObject({ sizeBytes: 10 })

  // Another attempt has another key, and names the file that it was.
  refuse(unit, out.id, 'upload.interrupted')
  await until(() => newest()?.state === 'waiting')
  await fleet.pass(1000)
  const again = await both()
  expect(again.out.args).toMatchObject({ uploadId, tunnel: { source } })
  expect((again.out.args.tunnel as typeof tunnel).id).not.toBe(tunnel.id)
  expect((again.out.args.tunnel as typeof tunnel).key).not.toBe(tunnel.key)
  expect(again.into.args).toMatchObject({ uploadId, resume: true })
  report(hub, 10)
  hub.send({ type: 'outcome', id: again.into.id, state: 'confirmed' })
  await until(() => newest()?.state === 'success')
  expect(newest()).toMatchObject({ sentBytes: 10, reason: null })
})

it('[FILE-005] a file goes through core while no link reaches the server, until one of both connects again', async () => {
  await upload(clip, '/media/Two.mp4')
  const first = await both()
  refuse(unit, first.out.id, 'upload.serverSilent')
  const second = await both()
  expect([second.out.args.tunnel, second.into.args.tunnel]).toEqual([undefined, undefined])
  expect(second.out.args.uploadId).toBe(first.out.args.uploadId)
  hub.send({ type: 'outcome', id: second.into.id, state: 'confirmed' })
  const next = await both()
  expect(next.out.args).toMatchObject({ path: '/media/Two.mp4' })
  expect(next.out.args.tunnel).toBeUndefined()
  unit.socket.terminate()
  await until(() => newest()?.state === 'waiting')
  unit = await back(unit)
  unit.messages.splice(0)
  await bothCan()
  unit.socket.terminate()
  await until(() => newest()?.state === 'waiting')
  unit = await back(unit)
  const { args } = await ordered(unit, 'upload_file')
  expect(args.tunnel).toBeDefined()
})

it('[FILE-005] a file that is not the one that began ends its upload, and so does one that arrives damaged', async () => {
  await upload(clip)
  const { out, into } = await both()
  const { uploadId } = out.args
  hub.send({ type: 'uploadProgress', uploadId: String(uploadId), ...source, keptBytes: 3 })
  await until(() => newest()?.state === 'uploading')
  refuse(hub, into.id, 'upload.damaged')
  await until(() => newest()?.state === 'failed')
  expect(newest()?.cause?.code).toBe('upload.damaged')
  expect((await ordered(hub, 'forget_upload')).args).toEqual({ uploadId })

  await upload('/media/Two.mp4')
  const next = await both()
  const id = String(next.out.args.uploadId)
  hub.send({ type: 'uploadProgress', uploadId: id, ...source, keptBytes: 3 })
  await until(() => newest()?.state === 'uploading')
  refuse(unit, next.out.id, 'upload.changed')
  await until(() => newest()?.state === 'failed')
  expect(newest()?.cause?.code).toBe('upload.changed')
})
