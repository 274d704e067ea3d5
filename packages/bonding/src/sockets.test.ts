// Sender and receiver over real UDP sockets, through relays that simulate mobile links.
import { createSocket } from 'node:dgram'
import { setTimeout as wait } from 'node:timers/promises'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { createReceiver } from './receiver.ts'
import { createSender } from './sender.ts'
import { createLinkRelay, type LinkRelay } from './testing/link-relay.ts'
import { ContinuityCheck, TestStream } from './testing/transport-stream.ts'

const key = new Uint8Array(32).fill(3)
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Streams until the condition holds; fails after a minute. */
async function streamUntil(
  push: (bytes: Uint8Array) => void,
  stream: TestStream,
  kbps: number,
  done: () => boolean,
) {
  for (const start = performance.now(); !done(); ) {
    if (performance.now() - start > 60_000) throw new Error('the condition did not come true within 60 s')
    push(stream.during(20, kbps))
    await wait(20)
  }
}

async function threeRelays(targetPort: number): Promise<LinkRelay[]> {
  const relays = await Promise.all(
    [1, 2, 3].map((link) =>
      createLinkRelay({
        targetHost: '127.0.0.1',
        targetPort,
        sourceAddress: `127.0.0.${10 + link}`,
        shape: { kbps: 2000, delayMs: link * 10, jitterMs: 5 },
        seed: link,
      }),
    ),
  )
  for (const relay of relays) cleanups.push(() => relay.close())
  return relays
}

test('A keyed stream over three relays survives the cut of one, which is used again when it is back', async () => {
  // A slow machine may not run this process for longer than usual.
  const bufferMs = patientMs(600)
  const receiver = await createReceiver({
    bindHost: '127.0.0.1',
    port: 0,
    bufferMs,
    sessionId: 'live',
    key,
  })
  cleanups.push(() => receiver.close())
  const continuity = new ContinuityCheck()
  receiver.onData((payload) => continuity.push(payload))
  const relays = await threeRelays(receiver.port)
  const links = relays.map((relay, at) => ({
    id: `link${at + 1}`,
    remoteHost: relay.host,
    remotePort: relay.port,
  }))
  const sender = createSender({ sessionId: 'live', links, bufferMs, key })
  cleanups.push(() => sender.close())
  const targets: number[] = []
  sender.onTarget((kbps) => targets.push(kbps))
  const stream = new TestStream()
  const first = () => sender.stats().links[0]
  await streamUntil(sender.push, stream, 2000, () => continuity.packets > 1500 && (first()?.kbps ?? 0) > 300)
  relays[0]?.cut()
  await streamUntil(sender.push, stream, 2000, () => first()?.condition === 'down')
  const atCut = continuity.packets
  await streamUntil(sender.push, stream, 2000, () => continuity.packets > atCut + 1500)
  relays[0]?.restore()
  await streamUntil(sender.push, stream, 2000, () => first()?.up === true && (first()?.kbps ?? 0) > 100)
  const seen = receiver.stats().links
  expect(seen.map((link) => [link.id, link.address]).sort()).toEqual([
    ['link1', '127.0.0.11'],
    ['link2', '127.0.0.12'],
    ['link3', '127.0.0.13'],
  ])
  for (const link of seen) expect(link.rttMs).toBeGreaterThan(15)
  expect(targets.length).toBeGreaterThan(0)
  expect(continuity.errors).toBe(0)
  expect(receiver.stats().totals).toMatchObject({ lost: 0, rejected: 0 })
})

test('Two links behind one address are told apart by their names', async () => {
  const receiver = await createReceiver({ bindHost: '127.0.0.1', port: 0, bufferMs: 300, sessionId: 'live' })
  cleanups.push(() => receiver.close())
  const relays = await Promise.all(
    [1, 2].map(() => createLinkRelay({ targetHost: '127.0.0.1', targetPort: receiver.port })),
  )
  for (const relay of relays) cleanups.push(() => relay.close())
  const links = relays.map((relay, at) => ({
    id: `sim${at}`,
    remoteHost: relay.host,
    remotePort: relay.port,
  }))
  const sender = createSender({ sessionId: 'live', links, bufferMs: 300 })
  cleanups.push(() => sender.close())
  const both = () => receiver.stats().links.filter((link) => link.kbps > 200)
  await streamUntil(sender.push, new TestStream(), 1500, () => both().length === 2)
  expect(
    both()
      .map((link) => link.id)
      .sort(),
  ).toEqual(['sim0', 'sim1'])
  expect(receiver.stats().links).toHaveLength(2)
})

test('Of two sessions on one port only the expected one is received, until the receiver gets another one', async () => {
  const receiver = await createReceiver({
    bindHost: '127.0.0.1',
    port: 0,
    bufferMs: 200,
    sessionId: 'one',
    key,
  })
  cleanups.push(() => receiver.close())
  const continuity = new ContinuityCheck()
  receiver.onData((payload) => continuity.push(payload))
  const links = [{ id: 'a', localAddress: '127.0.0.1', remoteHost: '127.0.0.1', remotePort: receiver.port }]
  const senders = ['one', 'two'].map((sessionId) => createSender({ sessionId, links, bufferMs: 200, key }))
  const streams = [new TestStream(), new TestStream()]
  for (const sender of senders) cleanups.push(() => sender.close())
  const push = (bytes: Uint8Array) => {
    senders[0]?.push(bytes)
    senders[1]?.push(streams[1]!.during(20, 500))
  }
  await streamUntil(
    push,
    streams[0]!,
    500,
    () => continuity.packets > 300 && receiver.stats().totals.rejected > 3,
  )
  expect(continuity.errors).toBe(0)
  expect(senders[1]?.stats().links[0]?.condition).toBe('waiting')
  receiver.setSession({ sessionId: 'two', key })
  const before = continuity.packets
  await streamUntil(push, streams[0]!, 500, () => continuity.packets > before + 200)
  expect(senders[1]?.stats().links[0]?.up).toBe(true)
})

test('Datagrams that are noise are rejected and counted without other effects', async () => {
  const receiver = await createReceiver({ bindHost: '127.0.0.1', port: 0, bufferMs: 200 })
  cleanups.push(() => receiver.close())
  const stranger = createSocket('udp4')
  cleanups.push(() => stranger.close())
  for (const noise of ['', 'x', 'GET / HTTP/1.1', '\x80\x21', '\x80\xc8\x00\x06', '\xff'.repeat(1400)]) {
    stranger.send(Buffer.from(noise, 'latin1'), receiver.port, '127.0.0.1')
    stranger.send(Buffer.from(noise, 'latin1'), receiver.port + 1, '127.0.0.1')
  }
  await expect.poll(() => receiver.stats().totals.rejected).toBe(12)
})

test('A link whose address does not exist reports it and does not stop the others', async () => {
  const receiver = await createReceiver({ bindHost: '127.0.0.1', port: 0, bufferMs: 200, sessionId: 'live' })
  cleanups.push(() => receiver.close())
  const to = { remoteHost: '127.0.0.1', remotePort: receiver.port }
  const links = [
    { id: 'gone', localAddress: '192.0.2.1', ...to },
    { id: 'here', ...to },
  ]
  const sender = createSender({ sessionId: 'live', links, bufferMs: 200 })
  cleanups.push(() => sender.close())
  let packets = 0
  receiver.onData(() => packets++)
  await streamUntil(sender.push, new TestStream(), 1000, () => packets > 50)
  expect(sender.stats().links.map((link) => [link.id, link.up, link.error !== null])).toEqual([
    ['gone', false, true],
    ['here', true, false],
  ])
})

test('Wrong settings are refused by name', async () => {
  await expect(createReceiver({ bindHost: '127.0.0.1', port: 7001, bufferMs: 200 })).rejects.toThrow(
    'port: must be',
  )
  await expect(createReceiver({ bindHost: '127.0.0.1', port: 0, bufferMs: 5 })).rejects.toThrow(
    'bufferMs: must be',
  )
  const link = { id: 'a', remoteHost: '127.0.0.1', remotePort: 7000 }
  expect(() => createSender({ sessionId: 's', links: [link, link], bufferMs: 200 })).toThrow(
    '"a" is used twice',
  )
})
