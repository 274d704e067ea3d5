// Our sender and receiver against librist's, both ways, over three links that lose packets.
import { createSocket, type Socket } from 'node:dgram'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { bindPortPair } from './port-pair.ts'
import { createReceiver } from './receiver.ts'
import { createSender } from './sender.ts'
import { libristMissing, startRistReceiver, startRistSender } from './testing/librist.ts'
import { createLinkRelay, type LinkRelay } from './testing/link-relay.ts'
import { ContinuityCheck, TestStream } from './testing/transport-stream.ts'

const missing = libristMissing()
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function freePort(): Promise<number> {
  const pair = await bindPortPair('127.0.0.1', 0)
  pair.media.close()
  pair.control.close()
  return pair.port
}

async function udpSocket(): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  socket.setRecvBufferSize(4 << 20)
  cleanups.push(() => socket.close())
  return socket
}

async function lossyLinks(targetPort: number): Promise<LinkRelay[]> {
  const relays = await Promise.all(
    [1, 2, 3].map((link) =>
      createLinkRelay({
        targetHost: '127.0.0.1',
        targetPort,
        sourceAddress: `127.0.0.${20 + link}`,
        shape: { kbps: 2000, delayMs: link * 10, lossPercent: 3 },
        seed: link,
      }),
    ),
  )
  for (const relay of relays) cleanups.push(() => relay.close())
  return relays
}

async function streamUntil(push: (bytes: Buffer) => void, done: () => boolean) {
  const stream = new TestStream()
  for (const start = performance.now(); !done(); ) {
    if (performance.now() - start > 60_000) throw new Error('the condition did not come true within 60 s')
    push(stream.during(20, 2000))
    await wait(20)
  }
}

test(`Our sender feeds librist's receiver without a continuity error${missing ? ` (skipped: ${missing})` : ''}`, async ({
  skip,
}) => {
  skip(missing !== null, missing ?? undefined)
  const port = await freePort()
  const output = await udpSocket()
  const continuity = new ContinuityCheck()
  output.on('message', (datagram) => continuity.push(datagram))
  const receiver = startRistReceiver({
    listen: `127.0.0.1:${port}`,
    outputUdp: `127.0.0.1:${output.address().port}`,
    bufferMs: 500,
  })
  cleanups.push(() => receiver.close())
  const relays = await lossyLinks(port)
  const links = relays.map((relay, at) => ({
    id: `link${at}`,
    remoteHost: relay.host,
    remotePort: relay.port,
  }))
  const sender = createSender({ sessionId: 'interop', links, bufferMs: 1000 })
  cleanups.push(() => sender.close())
  await streamUntil(sender.push, () => continuity.packets > 4000)
  expect(continuity.errors).toBe(0)
  expect(sender.stats().links.every((link) => link.up && (link.rttMs ?? 0) > 15)).toBe(true)
  expect(sender.stats().links.reduce((sum, link) => sum + link.nacked, 0)).toBeGreaterThan(0)
  // librist measures the round trip from our echoes: the links have 20, 40 and 60 ms.
  const [, shortest] = /"rtt":(\d+)/.exec(receiver.receiverStats()) ?? []
  expect(Number(shortest)).toBeGreaterThan(15)
  expect(Number(shortest)).toBeLessThan(200)
})

test(`librist's sender feeds our receiver without a continuity error${missing ? ` (skipped: ${missing})` : ''}`, async ({
  skip,
}) => {
  skip(missing !== null, missing ?? undefined)
  const receiver = await createReceiver({ bindHost: '127.0.0.1', port: 0, bufferMs: 500 })
  cleanups.push(() => receiver.close())
  const continuity = new ContinuityCheck()
  receiver.onData((payload) => continuity.push(payload))
  const relays = await lossyLinks(receiver.port)
  const inputPort = await freePort()
  const sender = startRistSender({
    inputUdp: `127.0.0.1:${inputPort}`,
    bufferMs: 1000,
    targets: relays.map((relay) => ({ address: `${relay.host}:${relay.port}` })),
  })
  cleanups.push(() => sender.close())
  await expect.poll(() => receiver.stats().links.length, { timeout: 60_000 }).toBe(3)
  const input = await udpSocket()
  const push = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += 1316)
      input.send(bytes.subarray(at, at + 1316), inputPort, '127.0.0.1')
  }
  await streamUntil(push, () => continuity.packets > 4000)
  expect(continuity.errors).toBe(0)
  const { links, totals } = receiver.stats()
  expect(totals).toMatchObject({ lost: 0, rejected: 0 })
  expect(totals.recovered).toBeGreaterThan(0)
  expect(links.every((link) => link.kbps > 100 && (link.rttMs ?? 0) > 15)).toBe(true)
})
