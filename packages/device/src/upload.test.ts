// Files of units and servers: a double of core takes the parts of one and hands the file to the other.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Folder } from '@backhaul/contract/gateway/gateway'
import { UPLOAD_PART_BYTES } from '@backhaul/contract/gateway/shared'
import { createTestClock } from '@backhaul/runtime/clock'
import { afterEach, expect, test } from 'vitest'
import type { TokenStore } from './token-store.ts'
import { carryOutFileOrder } from './unit-file-orders.ts'
import type { UnitFiles } from './unit-hardware.ts'
import { receiveUpload } from './upload-receiving.ts'
import { createUploadSending } from './upload-sending.ts'

const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp()
})

const tokens: TokenStore = { load: () => ({ deviceId: 'u-1', token: 'secret' }), save() {}, clear() {} }

/** Takes parts in their order; `status` answers in place of it, once for each. */
async function startCore(status: number[] = []) {
  const taken: Buffer[] = []
  const asked: string[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const refusal = status.shift()
      if (refusal !== undefined) return response.writeHead(refusal).end()
      if (request.method === 'GET') return response.end(Buffer.concat(taken))
      taken.push(Buffer.concat(pieces))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ taken: Buffer.concat(taken).length }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  cleanUps.push(() => server.close())
  const coreUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/gateway`
  return { coreUrl, asked, content: () => Buffer.concat(taken) }
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
      if (path !== '/media/One.mp4') throw new Error('There is no such file')
      const read = async (from: number, length: number) =>
        new Uint8Array(content.subarray(from, from + length))
      return { sizeBytes: content.length, read, close() {} }
    },
    async remove(path) {
      removed.push(path)
    },
  }
  return { files, removed }
}

test('a file is sent in parts, again where core was away, and fetched whole by the server', async () => {
  const core = await startCore([503])
  const clock = createTestClock()
  const told: (string | undefined)[] = []
  const { files } = disk()
  const uploads = createUploadSending({
    ...core,
    tokens,
    files,
    clock,
    onChange: () => told.push(uploads.activity()?.state),
  })
  const sent = uploads.send('ul-1', '/media/One.mp4')
  while (core.asked.length < 2) {
    await clock.advanceAsync(500)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await sent
  expect(core.content().equals(content)).toBe(true)
  const of = content.length
  expect(core.asked).toEqual([
    `PUT /gateway/uploads/ul-1?from=0&of=${of} Bearer secret`,
    `PUT /gateway/uploads/ul-1?from=0&of=${of} Bearer secret`,
    `PUT /gateway/uploads/ul-1?from=${UPLOAD_PART_BYTES}&of=${of} Bearer secret`,
  ])
  await clock.advanceAsync(3000)
  expect(told).toEqual(['uploading', 'completed', undefined])

  const kept: Uint8Array[] = []
  const file = { channelId: 'ch-1', unitId: 'u-1', fileName: 'One.mp4' }
  const receive = async (_: unknown, pieces: AsyncIterable<Uint8Array>) => {
    for await (const piece of pieces) kept.push(piece)
  }
  await receiveUpload({ ...core, tokens, receive }, 'ul-1', file)
  expect(Buffer.concat(kept).equals(content)).toBe(true)
})

test('an upload that core does not want ends at once, and so does one that is closed', async () => {
  const core = await startCore([404, 404])
  const { files } = disk()
  const uploads = createUploadSending({ ...core, tokens, files, onChange() {}, clock: createTestClock() })
  await expect(uploads.send('ul-1', '/media/One.mp4')).rejects.toThrow('The upload was called off')
  expect(uploads.activity()).toBeUndefined()
  await expect(uploads.send('ul-1', '/media/Two.mp4')).rejects.toThrow('There is no such file')
  await expect(
    receiveUpload({ ...core, tokens, receive: async () => {} }, 'ul-1', {
      ...{ channelId: 'ch-1', unitId: 'u-1', fileName: 'One.mp4' },
    }),
  ).rejects.toThrow('The upload was called off')
  uploads.close()
  await expect(uploads.send('ul-2', '/media/One.mp4')).rejects.toThrow('aborted')
})

test('a folder is told in messages, folders first and then the newest; files are deleted by their paths', async () => {
  const { files, removed } = disk()
  const told: Folder[] = []
  const uploads = createUploadSending({
    ...{ coreUrl: 'ws://127.0.0.1:1/gateway', tokens, files, onChange() {} },
    clock: createTestClock(),
  })
  const send = (message: Folder) => told.push(message) > 0
  const order = (name: 'list_folder' | 'delete_files' | 'reboot', args: object) =>
    carryOutFileOrder(
      { files, uploads, send },
      { type: 'order', id: '1', name, args: { ...args }, deadlineMs: 1 },
    )
  expect(await order('list_folder', { listId: 'l-1', path: '/media' })).toBe(true)
  expect(told.map(({ listId, entries }) => [listId, entries.length, entries[0]?.name])).toEqual([
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
