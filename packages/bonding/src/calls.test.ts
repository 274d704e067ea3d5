// A receiver that calls its sender over real UDP sockets, through relays that act as the NATs of carriers.
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { type CalledSender, createCalledSender } from './called-sender.ts'
import { type CallingReceiver, createCallingReceiver } from './calling-receiver.ts'
import { createLinkRelay, type LinkRelay } from './testing/link-relay.ts'
import { ContinuityCheck, TestStream } from './testing/transport-stream.ts'

const key = new Uint8Array(32).fill(3)
const bufferMs = 1500
/** More TS packets than the buffer holds: they came afterwards. */
const moreThanHeld = 2500
const session = { sessionId: 'return', key, bufferMs }
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Streams until the condition holds; fails after a minute. */
async function streamUntil(sender: () => CalledSender, stream: TestStream, done: () => boolean) {
  for (const start = performance.now(); !done(); ) {
    if (performance.now() - start > 60_000) throw new Error('the condition did not come true within 60 s')
    sender().push(stream.during(20, 1500))
    await wait(20)
  }
}

/** A port that was closed a moment ago may be in use by another test for as long as that takes. */
async function openSender(port = 0): Promise<CalledSender> {
  const sender = await until(() => createCalledSender({ bindHost: '127.0.0.1', port }).catch(() => undefined))
  cleanups.push(() => sender.close())
  sender.setSession(session)
  return sender
}

function openReceiver(options = session): { receiver: CallingReceiver; continuity: ContinuityCheck } {
  const receiver = createCallingReceiver(options)
  cleanups.push(() => receiver.close())
  const continuity = new ContinuityCheck()
  receiver.onData((payload) => continuity.push(payload))
  return { receiver, continuity }
}

/** Ways through which the sender sees other addresses and ports than the receiver's own. */
const openRelays = (targetPort: number): Promise<LinkRelay[]> =>
  Promise.all(
    [1, 2, 3].map(async (at) => {
      const relay = await createLinkRelay({
        targetHost: '127.0.0.1',
        targetPort,
        sourceAddress: `127.0.0.${10 + at}`,
        shape: { kbps: 3000, delayMs: at * 10, jitterMs: 5 },
        seed: at,
      })
      cleanups.push(() => relay.close())
      return relay
    }),
  )

test('A stream comes back over every way that the receiver opened, through a cut of one and to its end', async () => {
  const sender = await openSender()
  const relays = await openRelays(sender.port)
  const { receiver, continuity } = openReceiver()
  for (const [at, relay] of relays.entries())
    receiver.addLink({ id: `link${at + 1}`, remoteHost: relay.host, remotePort: relay.port })
  const stream = new TestStream()
  const seen = () => receiver.stats().links
  const sent = () => sender.stats()?.links ?? []
  await streamUntil(
    () => sender,
    stream,
    () => continuity.packets > 1000 && seen().every(({ kbps, up }) => up && kbps > 50),
  )
  expect(
    sent()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['link1', 'link2', 'link3'])
  for (const link of seen()) expect(link.rttMs).toBeGreaterThan(15)
  relays[0]?.cut()
  await streamUntil(
    () => sender,
    stream,
    () => sent().some(({ id, up }) => id === 'link1' && !up) && seen()[0]?.up === false,
  )
  const atCut = continuity.packets
  await streamUntil(
    () => sender,
    stream,
    () => continuity.packets > atCut + moreThanHeld,
  )
  expect(continuity.errors).toBe(0)
  expect(receiver.stats()).toMatchObject({ delayMs: bufferMs, totals: { lost: 0, rejected: 0 } })
  relays[0]?.restore()
  receiver.enableLink('link2', false)
  await streamUntil(
    () => sender,
    stream,
    () => (seen()[0]?.kbps ?? 0) > 50 && seen()[1]?.up === false,
  )
})

test('A link with a new address and a sender that restarted are found again', async () => {
  let sender = await openSender()
  const { port } = sender
  const { receiver, continuity } = openReceiver()
  const link = { id: 'modem', remoteHost: '127.0.0.1', remotePort: port }
  receiver.addLink({ ...link, localAddress: '127.0.0.2' })
  const stream = new TestStream()
  const flows = async () => {
    const before = continuity.packets
    await streamUntil(
      () => sender,
      stream,
      () => continuity.packets > before + moreThanHeld,
    )
  }
  await flows()
  receiver.removeLink('modem')
  receiver.addLink({ ...link, localAddress: '127.0.0.3' })
  await flows()
  expect(sender.stats()?.links).toHaveLength(1)
  await sender.close()
  sender = await openSender(port)
  await flows()
})

test('Without the key of the session no call is answered and nothing is accepted', async () => {
  const sender = await openSender()
  const link = { id: 'modem', remoteHost: '127.0.0.1', remotePort: sender.port }
  const stranger = openReceiver({ ...session, key: new Uint8Array(32).fill(4) })
  stranger.receiver.addLink(link)
  const stream = new TestStream()
  await streamUntil(
    () => sender,
    stream,
    () => (sender.stats()?.rejected ?? 0) > 2,
  )
  expect(sender.stats()?.links).toEqual([])
  expect(stranger.receiver.stats().links).toMatchObject([{ id: 'modem', up: false, kbps: 0 }])
  stranger.receiver.close()
  const { receiver, continuity } = openReceiver()
  receiver.addLink(link)
  await streamUntil(
    () => sender,
    stream,
    () => continuity.packets > 200,
  )
  // The channel is for another unit from now on.
  sender.setSession({ ...session, sessionId: 'next' })
  await streamUntil(
    () => sender,
    stream,
    () => receiver.stats().links[0]?.up === false,
  )
  expect(sender.stats()?.links).toEqual([])
  sender.setSession(undefined)
  expect(sender.stats()).toBeUndefined()
})

test('The sender uses the links as the receiver requests, also after its restart', async () => {
  let sender = await openSender()
  const { port } = sender
  const relays = await openRelays(port)
  const { receiver } = openReceiver()
  for (const [at, relay] of relays.slice(0, 2).entries())
    receiver.addLink({ id: `link${at + 1}`, remoteHost: relay.host, remotePort: relay.port })
  const stream = new TestStream()
  const kbps = () => receiver.stats().links.map((link) => link.kbps)
  const flows = (done: (first: number, second: number) => boolean) =>
    streamUntil(
      () => sender,
      stream,
      () => done(kbps()[0] ?? 0, kbps()[1] ?? 0),
    )
  await flows((first, second) => first > 500 && second > 500)
  expect(sender.stats()?.limitKbps).toBe(Number.POSITIVE_INFINITY)
  receiver.setTerms({ ranks: {}, limits: [{ links: ['link1'], kbps: 400 }] })
  await flows((first, second) => first > 200 && first < 420 && second > 900)
  receiver.setTerms({ ranks: { link1: 1 }, limits: [] })
  await flows((first, second) => first < 20 && second > 1200)
  receiver.setTerms({ ranks: { link2: 1 }, limits: [{ links: ['link1', 'link2'], kbps: 900 }] })
  await flows((first, second) => first > 600 && second < 20)
  expect(sender.stats()?.limitKbps).toBe(900)
  await sender.close()
  sender = await openSender(port)
  await flows(() => sender.stats()?.limitKbps === 900)
})
