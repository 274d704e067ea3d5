import { duplexPair } from 'node:stream'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { createFramePipe } from './frame-pipe.ts'

function pair(kbps = 1000) {
  const [near, far] = duplexPair()
  let nowMs = 0
  const clock = { nowMs: () => nowMs }
  const received: Buffer[] = []
  let isReady = false
  const pipe = createFramePipe({ stream: near, kbps, clock, onFrame: () => {} })
  const end = createFramePipe({
    stream: far,
    kbps,
    clock,
    onReady: () => {
      isReady = true
    },
    onFrame: (frame) => received.push(Buffer.from(frame)),
  })
  return { pipe, end, near, far, received, isReady: () => isReady, pass: (ms: number) => (nowMs += ms) }
}

test('frames come out whole, one by one, and an end reports when it is ready', async () => {
  const { pipe, received, isReady } = pair()
  pipe.ready()
  const frames = [Buffer.alloc(60, 1), Buffer.alloc(1514, 2), Buffer.alloc(14, 3)]
  for (const frame of frames) pipe.send(frame)
  await until(() => received.length === 3)
  expect(received).toEqual(frames)
  expect(isReady()).toBe(true)
})

test('frames that exceed the rate are dropped, and the rate comes back with the time', async () => {
  const { pipe, received, pass } = pair(80)
  // 80 kbps for half a second are 5000 bytes.
  for (let sent = 0; sent < 20; sent++) pipe.send(Buffer.alloc(1000))
  await until(() => received.length === 5)
  pass(200)
  for (let sent = 0; sent < 20; sent++) pipe.send(Buffer.alloc(1000))
  await until(() => received.length === 7)
})

test('nothing waits for a reader that does not keep up', async () => {
  const { pipe, far, near, received } = pair(100_000)
  far.pause()
  for (let sent = 0; sent < 1000; sent++) pipe.send(Buffer.alloc(1500))
  expect(near.writableLength).toBeLessThan(100_000)
  far.resume()
  await until(() => received.length > 0)
  expect(received.length).toBeLessThan(100)
})

test('a length that no frame has ends the stream', async () => {
  const { near, far } = pair()
  far.on('error', () => {})
  near.write(Buffer.from([0xff, 0xff]))
  await until(() => far.destroyed)
})
