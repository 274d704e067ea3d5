// Files through a tunnel: both devices joined by a stream, with the unit's disk at one end and the server's at the other.
import { createHash, randomBytes } from 'node:crypto'
import { type Duplex, duplexPair } from 'node:stream'
import { reasonFields } from '@backhaul/contract/define/refusals'
import type { UploadProgress } from '@backhaul/contract/gateway/gateway'
import { createTestClock } from '@backhaul/runtime/clock'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { Refused, wordingOfError } from './refused.ts'
import type { ServerUploads } from './server-hardware.ts'
import type { TokenStore } from './token-store.ts'
import type { UnitFiles } from './unit-hardware.ts'
import { createUploadReceiving } from './upload-receiving.ts'
import { createUploadSending } from './upload-sending.ts'

const path = '/media/One.mp4'
const key = randomBytes(32).toString('base64')
const tokens: TokenStore = { load: () => ({ deviceId: 'u-1', token: 'secret' }), save() {}, clear() {} }
const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function serverDisk(first = Buffer.alloc(0)) {
  let kept: Buffer = first
  let isComplete = false
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  const uploads: ServerUploads = {
    kept: async () => (isComplete ? 'complete' : kept.length),
    async receive({ from, sum }, pieces) {
      kept = kept.subarray(0, from)
      for await (const piece of pieces) {
        kept = Buffer.concat([kept, piece])
        await gate.promise
      }
      if (sumOf(kept) !== (await sum?.())) throw new Refused('upload.damaged')
      isComplete = true
    },
    async forget() {
      kept = Buffer.alloc(0)
    },
  }
  return {
    uploads,
    bytes: () => kept,
    isComplete: () => isComplete,
    /** No more than one further piece is stored until it is released. */
    hold() {
      gate = Promise.withResolvers()
    },
    release: () => gate.resolve(),
  }
}

/** Both devices, and the ways between them: each call of the unit is a stream to the server, if that admits it. */
function devices(content: Buffer, disk = serverDisk()) {
  const clock = createTestClock()
  const admitted = new Map<string, (stream: Duplex) => void>()
  const reported: Omit<UploadProgress, 'type'>[] = []
  const calls: string[] = []
  let between: Duplex[] = []
  const files: UnitFiles = {
    list: async () => [],
    async open() {
      const read = async (from: number, length: number) =>
        new Uint8Array(content.subarray(from, from + length))
      return { sizeBytes: content.length, modifiedMs: 77, read, close() {} }
    },
    async remove() {},
  }
  const sending = createUploadSending({
    coreUrl: 'ws://127.0.0.1:1/gateway',
    tokens,
    files,
    async openTunnel({ id }) {
      calls.push(id)
      // As links do, which call until they are answered.
      if (id !== 'silent') await until(() => admitted.has(id))
      const [near, far] = duplexPair()
      between = [near.on('error', () => {}), far.on('error', () => {})]
      const take = admitted.get(id)
      if (!take) throw new Refused('upload.serverSilent')
      take(far)
      return { stream: near, close: () => void near.destroy() }
    },
    onChange() {},
    clock,
  })
  const receiving = createUploadReceiving({
    coreUrl: 'ws://127.0.0.1:1/gateway',
    tokens,
    uploads: disk.uploads,
    tunnels: {
      admit({ id }, onStream) {
        admitted.set(id, onStream)
        return { isCalled: () => true, close: () => void admitted.delete(id) }
      },
    },
    report: (progress) => void reported.push(progress),
    clock,
  })
  return {
    reported,
    disk,
    clock,
    calls,
    admitted,
    receive: (id: string, resume = false) =>
      receiving.receive({
        uploadId: 'ul-1',
        file: { channelId: 'ch-1', unitId: 'u-1', fileName: 'One.mp4' },
        resume,
        tunnel: { id, key },
      }),
    send: (id: string, source?: { sizeBytes: number; modifiedMs: number }) =>
      sending.send('ul-1', path, {
        id,
        key,
        targets: [{ host: '192.0.2.1', port: 20_910 }],
        ...(source && { source }),
      }),
    forget: () => receiving.forget('ul-1'),
    cut() {
      for (const end of between) end.destroy()
    },
  }
}

test.each([0, 1, 3_000_000])('a file of %i bytes is stored, verified, and reported to core', async (size) => {
  const content = randomBytes(size)
  const { disk, reported, ...both } = devices(content)
  await Promise.all([both.receive('up-1'), both.send('up-1')])
  expect(disk.bytes().equals(content)).toBe(true)
  expect(disk.isComplete()).toBe(true)
  const file = { uploadId: 'ul-1', sizeBytes: size, modifiedMs: 77 }
  expect(reported[0]).toEqual({ ...file, keptBytes: 0 })
  expect(reported.at(-1)).toEqual({ ...file, keptBytes: size })
  // The unit may learn of its end, and then the key opens nothing any more.
  await both.clock.advanceAsync(3000)
  expect(both.admitted.size).toBe(0)
})

test('it continues from the byte that is kept, and is verified as a whole', async () => {
  const content = randomBytes(2_000_000)
  const { disk, ...both } = devices(content, serverDisk(content.subarray(0, 1_234_567)))
  await Promise.all([both.receive('up-2', true), both.send('up-2', { sizeBytes: 2_000_000, modifiedMs: 77 })])
  expect(disk.bytes().equals(content)).toBe(true)

  const wrong = devices(content, serverDisk(randomBytes(1000)))
  const ends = await Promise.allSettled([wrong.receive('up-3', true), wrong.send('up-3')])
  for (const end of ends)
    expect(end).toMatchObject({ status: 'rejected', reason: { cause: { code: 'upload.damaged' } } })
})

const causeOf = async (ending: Promise<unknown>) =>
  wordingOfError(
    await ending.then(
      () => undefined,
      (error: unknown) => error,
    ),
  ).cause?.code

test('a way that is cut interrupts both ends, a cancelled upload ends both, a newer attempt takes the place of one', async () => {
  const content = randomBytes(1_000_000)
  const both = devices(content)
  both.disk.hold()
  const [receiving, sending] = [both.receive('up-4'), both.send('up-4')]
  const ended = Promise.all([causeOf(receiving), causeOf(sending)])
  await expect.poll(() => both.disk.bytes().length).toBeGreaterThan(0)
  both.cut()
  both.disk.release()
  expect(await ended).toEqual(['upload.interrupted', 'upload.interrupted'])

  const waiting = causeOf(both.receive('up-5', true))
  await expect.poll(() => both.admitted.has('up-5')).toBe(true)
  both.disk.hold()
  const before = both.disk.bytes().length
  const cancelled = Promise.all([causeOf(both.receive('up-6', true)), causeOf(both.send('up-6'))])
  expect(await waiting).toBe('upload.interrupted')
  await expect.poll(() => both.disk.bytes().length).toBeGreaterThan(before)
  const forgotten = both.forget()
  both.disk.release()
  await forgotten
  expect(await cancelled).toEqual(['upload.ended', 'upload.ended'])
})

test('another file than the one that began is refused, and a server that does not answer is named', async () => {
  const both = devices(randomBytes(1000))
  expect(await causeOf(both.send('up-7', { sizeBytes: 1000, modifiedMs: 78 }))).toBe('upload.changed')
  expect(await causeOf(both.send('up-7', { sizeBytes: 999, modifiedMs: 77 }))).toBe('upload.changed')
  expect(both.calls).toEqual([])
  expect(await causeOf(both.send('silent'))).toBe('upload.serverSilent')
  expect(reasonFields('upload.serverSilent').reason).toBe('No link of the unit reaches the server.')
  const longer = devices(randomBytes(10), serverDisk(randomBytes(20)))
  const ends = [causeOf(longer.receive('up-9', true)), causeOf(longer.send('up-9'))]
  expect(await Promise.all(ends)).toEqual(['upload.changed', 'upload.changed'])
})
