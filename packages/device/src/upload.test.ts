// Files of units and servers: a double of core accepts the parts of one and serves the file to the other.
import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Folder } from '@backhaul/contract/gateway/gateway'
import { UPLOAD_PART_BYTES } from '@backhaul/contract/gateway/shared'
import { UPLOAD_VERIFIED_HEADER } from '@backhaul/contract/gateway/uploads'
import { createTestClock, systemClock } from '@backhaul/runtime/clock'
import { afterEach, expect, test } from 'vitest'
import type { ServerUploads } from './server-hardware.ts'
import type { TokenStore } from './token-store.ts'
import { carryOutFileOrder } from './unit-file-orders.ts'
import type { UnitFiles } from './unit-hardware.ts'
import { createUploadReceiving } from './upload-receiving.ts'
import { createUploadSending } from './upload-sending.ts'

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

const tokens: TokenStore = { load: () => ({ deviceId: 'u-1', token: 'secret' }), save() {}, clear() {} }

/** Accepts parts in their order; each `status` is answered once instead. */
async function startCore(status: number[] = []) {
  let sha256: string | null = null
  const taken: Buffer[] = []
  const requests: string[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const refusal = status.shift()
      if (refusal !== undefined) return response.writeHead(refusal).end()
      const { searchParams } = new URL(request.url ?? '', 'http://core')
      if (searchParams.has('sum')) return response.end(JSON.stringify({ sha256 }))
      if (request.method === 'GET')
        return response.writeHead(200, { [UPLOAD_VERIFIED_HEADER]: '1' }).end(Buffer.concat(taken))
      sha256 = searchParams.get('sha256')
      taken.push(Buffer.concat(pieces))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ taken: Buffer.concat(taken).length }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  cleanUps.push(() => server.close())
  const coreUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/gateway`
  return { coreUrl, requests, content: () => Buffer.concat(taken) }
}

const content = Buffer.from(Array.from({ length: UPLOAD_PART_BYTES + 1000 }, (_, at) => at % 251))

function disk() {
  const removed: string[] = []
  const files: UnitFiles = {
    list: async () =>
      Array.from({ length: 90 }, (_, at) => ({
        name: `Clip ${at}.mp4`,
        isFolder: at === 80,
        sizeBytes: 5,
        modifiedMs: at,
      })),
    async open(path) {
      if (path !== '/media/One.mp4') throw new Error('There is no such file.')
      const read = async (from: number, length: number) =>
        new Uint8Array(content.subarray(from, from + length))
      return { sizeBytes: content.length, modifiedMs: 77, read, close() {} }
    },
    async remove(path) {
      removed.push(path)
    },
  }
  return { files, removed }
}

const incoming = (resume: boolean) => ({
  uploadId: 'ul-1',
  file: { channelId: 'ch-1', unitId: 'u-1', fileName: 'One.mp4' },
  resume,
})

const server = { tokens, report() {}, clock: systemClock }

function serverDisk() {
  let kept = Buffer.alloc(0)
  let isComplete = false
  let summed: string | undefined
  const uploads: ServerUploads = {
    kept: async () => (isComplete ? 'complete' : kept.length),
    async receive({ from, sum }, pieces) {
      kept = kept.subarray(0, from)
      for await (const piece of pieces) kept = Buffer.concat([kept, piece])
      summed = await sum?.()
      isComplete = true
    },
    async forget() {
      kept = Buffer.alloc(0)
    },
  }
  return { uploads, bytes: () => kept, summed: () => summed }
}

/** Accepts parts after the bytes that a server keeps; the server's connection is `cut` in the middle. */
async function startResumingCore(kept: number) {
  const requests: string[] = []
  const taking: Buffer[] = []
  let waiting: ServerResponse | undefined
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (request.method === 'GET') {
        waiting = response
        waiting.writeHead(200, { 'content-length': 1000 })
        return waiting.write('half')
      }
      const from = Number(new URL(request.url ?? '', 'http://core').searchParams.get('from'))
      const taken = kept + Buffer.concat(taking).length
      if (from === taken) taking.push(Buffer.concat(pieces))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ taken: kept + Buffer.concat(taking).length }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  cleanUps.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const coreUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/gateway`
  return { coreUrl, requests, content: () => Buffer.concat(taking), cut: () => waiting?.destroy() }
}

test('an interrupted upload continues at both ends from the byte that the server keeps', async () => {
  const from = UPLOAD_PART_BYTES + 100
  const core = await startResumingCore(from)
  const { files } = disk()
  const clock = createTestClock()
  const sending = createUploadSending({ ...core, tokens, files, onChange() {}, clock })
  await sending.send('ul-1', '/media/One.mp4')
  expect(core.content().equals(content.subarray(from))).toBe(true)

  const { uploads, bytes } = serverDisk()
  const receiving = createUploadReceiving({ ...core, ...server, uploads })
  const first = receiving.receive(incoming(false))
  await expect.poll(() => bytes().length).toBe(4)
  core.cut()
  await expect(first).rejects.toThrow('The connection was interrupted.')
  // A second time while the first one seems to run, as with a connection that was never closed.
  const second = receiving.receive(incoming(true)).catch((error: Error) => error.message)
  await expect.poll(() => bytes().length).toBe(8)
  const third = receiving.receive(incoming(true)).catch((error: Error) => error.message)
  expect(await second).toBe('The connection was interrupted.')
  await expect.poll(() => bytes().length).toBe(12)
  await receiving.forget('ul-1')
  expect(await third).toBe('The connection was interrupted.')
  expect(bytes()).toHaveLength(0)
  const gets = core.requests.filter((line) => line.startsWith('GET'))
  expect(gets.map((line) => new URL(line.slice(4), 'http://core').search)).toEqual([
    '?from=0',
    '?from=4',
    '?from=8',
  ])
})

test('a file is sent in parts, repeated where core was unreachable, and fetched whole and verified by the server', async () => {
  const core = await startCore([503])
  const clock = createTestClock()
  const reported: (string | undefined)[] = []
  const { files } = disk()
  const uploads = createUploadSending({
    ...core,
    tokens,
    files,
    clock,
    onChange: () => reported.push(uploads.activity()?.state),
  })
  const sent = uploads.send('ul-1', '/media/One.mp4')
  while (core.requests.length < 2) {
    await clock.advanceAsync(500)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await sent
  expect(core.content().equals(content)).toBe(true)
  const of = content.length
  const sum = createHash('sha256').update(content).digest('hex')
  expect(core.requests).toEqual([
    `PUT /gateway/uploads/ul-1?from=0&of=${of}&modified=77&verified=1 Bearer secret`,
    `PUT /gateway/uploads/ul-1?from=0&of=${of}&modified=77&verified=1 Bearer secret`,
    `PUT /gateway/uploads/ul-1?from=${UPLOAD_PART_BYTES}&of=${of}&modified=77&verified=1 Bearer secret`,
    `PUT /gateway/uploads/ul-1?from=${of}&of=${of}&modified=77&verified=1&sha256=${sum} Bearer secret`,
  ])
  await clock.advanceAsync(3000)
  expect(reported).toEqual(['uploading', 'completed', undefined])

  const { uploads: kept, bytes, summed } = serverDisk()
  await createUploadReceiving({ ...core, ...server, uploads: kept }).receive(incoming(false))
  expect(bytes().equals(content)).toBe(true)
  expect(summed()).toBe(sum)
})

test('an upload that core refuses ends at once, and so does one that is closed', async () => {
  const core = await startCore([404, 404])
  const { files } = disk()
  const uploads = createUploadSending({ ...core, tokens, files, onChange() {}, clock: createTestClock() })
  await expect(uploads.send('ul-1', '/media/One.mp4')).rejects.toThrow('The upload was cancelled.')
  expect(uploads.activity()).toBeUndefined()
  await expect(uploads.send('ul-1', '/media/Two.mp4')).rejects.toThrow('There is no such file.')
  await expect(
    createUploadReceiving({ ...core, ...server, uploads: serverDisk().uploads }).receive(incoming(false)),
  ).rejects.toThrow('The upload was cancelled.')
  uploads.close()
  await expect(uploads.send('ul-2', '/media/One.mp4')).rejects.toThrow('aborted')
})

test('a folder is sent in messages, folders first and then the newest files; files are deleted by their paths', async () => {
  const { files, removed } = disk()
  const reported: Folder[] = []
  const uploads = createUploadSending({
    coreUrl: 'ws://127.0.0.1:1/gateway',
    tokens,
    files,
    onChange() {},
    clock: createTestClock(),
  })
  const send = (message: Folder) => reported.push(message) > 0
  const order = (name: 'list_folder' | 'delete_files' | 'reboot', args: object) =>
    carryOutFileOrder(
      { files, uploads, send },
      { type: 'order', id: '1', name, args: { ...args }, deadlineMs: 1 },
    )
  expect(await order('list_folder', { listId: 'l-1', path: '/media' })).toBe(true)
  expect(reported.map(({ listId, entries }) => [listId, entries.length, entries[0]?.name])).toEqual([
    ['l-1', 40, 'Clip 80.mp4'],
    ['l-1', 40, 'Clip 49.mp4'],
    ['l-1', 10, 'Clip 9.mp4'],
  ])
  await order('delete_files', { paths: ['/media/One.mp4', '/media/Two.mp4'] })
  expect(removed).toEqual(['/media/One.mp4', '/media/Two.mp4'])
  await expect(order('list_folder', { listId: 'l-1', path: '/media/../etc' })).rejects.toThrow()
  expect(await order('reboot', {})).toBe(false)
  const none = { files: undefined, uploads: undefined, send }
  await expect(
    carryOutFileOrder(none, { type: 'order', id: '2', name: 'list_folder', args: {}, deadlineMs: 1 }),
  ).rejects.toThrow('no files')
})
