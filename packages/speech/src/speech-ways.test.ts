// Speech between a unit and a server over real sockets, through relays that act as the networks in between.
import { createLinkRelay, type LinkRelay, type LinkRelayOptions } from '@backhaul/bonding/testing/link-relay'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { everyFrame } from './pace.ts'
import { createSpeechBuffer } from './speech-buffer.ts'
import { createSpeechCaller, type SpeechCaller } from './speech-caller.ts'
import { openSpeechPort, type SpeechPort, type SpeechWay } from './speech-port.ts'

const key = new Uint8Array(32).fill(5)
const session = { sessionId: 'ic-1', key }
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

interface Heard {
  frame: number
  instance: number
}

async function openPort(port = 0): Promise<SpeechPort> {
  const opened = await until(() => openSpeechPort('127.0.0.1', port).catch(() => undefined))
  cleanUps.push(() => opened.close())
  return opened
}

/** The unit is admitted; its speech is collected. */
function admit(port: SpeechPort, entry = session): { way: SpeechWay; heard: Heard[] } {
  const heard: Heard[] = []
  const way = port.admit({ ...entry, onFrame: ({ frame, instance }) => heard.push({ frame, instance }) })
  return { way, heard }
}

function call(entry = session): { caller: SpeechCaller; heard: Heard[] } {
  const heard: Heard[] = []
  const caller = createSpeechCaller({
    ...entry,
    onFrame: (frame, _, instance) => heard.push({ frame, instance }),
  })
  cleanUps.push(() => caller.close())
  return { caller, heard }
}

/** Sends a frame each 20 ms from now on, and returns what counts them. */
function talk(send: (frame: number, payload: Uint8Array) => void): () => number {
  let frame = 0
  cleanUps.push(everyFrame(() => send(++frame, Buffer.from(`word ${frame}`))))
  return () => frame
}

async function relay(port: number, options: Partial<LinkRelayOptions> = {}): Promise<LinkRelay> {
  const opened = await createLinkRelay({ targetHost: '127.0.0.1', targetPort: port, ...options })
  cleanUps.push(() => opened.close())
  return opened
}

const upOf = (caller: SpeechCaller) => caller.stats().links.map(({ up }) => up)
const numbers = (heard: readonly Heard[]) => heard.map(({ frame }) => frame)
const hasTwice = (heard: readonly Heard[]) => new Set(numbers(heard)).size !== heard.length

test('every frame goes over all links in both directions and is heard once, whichever of them loses it', async () => {
  const port = await openPort()
  const { way, heard } = admit(port)
  const { caller, heard: back } = call()
  for (const at of [1, 2, 3]) {
    const { host, port: near } = await relay(port.port, {
      sourceAddress: `127.0.0.${10 + at}`,
      shape: { delayMs: at * 10, jitterMs: 30, lossPercent: 20 },
      seed: at,
    })
    caller.addLink({ id: `modem ${at}`, remoteHost: host, remotePort: near })
  }
  await until(() => upOf(caller).every(Boolean) && way.links().length === 3)
  expect(way.links().toSorted()).toEqual(['modem 1', 'modem 2', 'modem 3'])
  talk(caller.send)
  talk(way.send)
  await until(() => heard.length > 150 && back.length > 150)
  for (const one of [heard, back]) {
    expect(hasTwice(one)).toBe(false)
    // Each link loses a fifth; all three lose the same frame in one of 125 cases.
    const sent = Math.max(...numbers(one)) - Math.min(...numbers(one)) + 1
    expect(one.length / sent).toBeGreaterThan(0.93)
  }
  for (const { rttMs } of caller.stats().links) expect(rttMs).toBeGreaterThan(15)
})

test('a link that is cut ends nothing, and comes back; one that is switched off is silent', async () => {
  const port = await openPort()
  const { way, heard } = admit(port)
  const { caller, heard: back } = call()
  const ways = [await relay(port.port, { sourceAddress: '127.0.0.11' }), await relay(port.port)]
  for (const [at, { host, port: near }] of ways.entries())
    caller.addLink({ id: `modem ${at}`, remoteHost: host, remotePort: near })
  await until(() => upOf(caller).every(Boolean))
  const spoken = talk(caller.send)
  talk(way.send)
  ways[0]?.cut()
  await until(() => upOf(caller)[0] === false && way.links().length === 1)
  const [before, backBefore] = [heard.length, back.length]
  await until(() => heard.length > before + 50 && back.length > backBefore + 50)
  await until(() => spoken() - heard.length < 25)
  ways[0]?.restore()
  await until(() => upOf(caller).every(Boolean) && way.links().length === 2)
  caller.enableLink('modem 1', false)
  await until(() => way.links().join() === 'modem 0' && upOf(caller)[1] === false)
})

test('a network that gives a link another address is followed, and so is a server that was started again', async () => {
  let port = await openPort()
  let { way, heard } = admit(port)
  const { caller, heard: back } = call()
  const first = await createLinkRelay({
    targetHost: '127.0.0.1',
    targetPort: port.port,
    sourceAddress: '127.0.0.11',
  })
  caller.addLink({ id: 'modem', remoteHost: first.host, remotePort: first.port })
  talk(caller.send)
  cleanUps.push(everyFrame(() => way.send(back.length + 1, Buffer.from('word'))))
  await until(() => heard.length > 10 && back.length > 10)
  const { port: near } = first
  await first.close()
  const silentSince = back.length
  // The relay at the same address is another one for the server: it sends from an address of its own.
  await until(() =>
    relay(port.port, { listenPort: near, sourceAddress: '127.0.0.12' }).catch(() => undefined),
  )
  await until(() => back.length > silentSince + 20)
  expect(way.links()).toEqual(['modem'])
  const place = port.port
  await port.close()
  port = await openPort(place)
  ;({ way, heard } = admit(port))
  const lost = back.length
  await until(() => heard.length > 10 && back.length > lost + 10)
  expect(new Set(back.map(({ instance }) => instance)).size).toBe(2)
})

test('without the key of a session nothing is answered, heard or sent', async () => {
  const port = await openPort()
  const { way, heard } = admit(port)
  const wrong = call({ ...session, key: new Uint8Array(32).fill(6) })
  const other = call({ ...session, sessionId: 'ic-2' })
  for (const { caller } of [wrong, other])
    caller.addLink({ id: 'modem', remoteHost: '127.0.0.1', remotePort: port.port })
  const right = call()
  right.caller.addLink({ id: 'modem', remoteHost: '127.0.0.1', remotePort: port.port })
  for (const { caller } of [wrong, other, right]) talk(caller.send)
  talk(way.send)
  await until(() => heard.length > 50 && right.heard.length > 50)
  expect([upOf(wrong.caller), upOf(other.caller), upOf(right.caller)]).toEqual([[false], [false], [true]])
  expect([wrong.heard, other.heard]).toEqual([[], []])
  expect(hasTwice(heard)).toBe(false)
  // A session that has ended is for no unit any more.
  way.close()
  await until(() => upOf(right.caller)[0] === false)
  expect(way.links()).toEqual([])
})

test('sound that waits too long on the way is dropped: what is played is close to what is sent', async () => {
  const port = await openPort()
  const buffer = createSpeechBuffer()
  /** The number of frames by which each was played later than it was sent. */
  const behind: number[] = []
  port.admit({ ...session, onFrame: ({ frame, payload }) => buffer.put(frame, payload) })
  const { caller } = call()
  const slow = await relay(port.port, { shape: { delayMs: 20, jitterMs: 40 }, seed: 4 })
  caller.addLink({ id: 'modem', remoteHost: slow.host, remotePort: slow.port })
  await until(() => upOf(caller)[0])
  const said = talk(caller.send)
  cleanUps.push(
    everyFrame(() => {
      const played = buffer.take()
      if (played.kind === 'sound')
        behind.push(said() - Number(Buffer.from(played.payload).toString().split(' ')[1]))
    }),
  )
  await until(() => behind.length > 50)
  // A second of sound comes late and all at once.
  slow.setShape({ delayMs: 1000 })
  const before = said()
  await until(() => said() > before + 50)
  slow.setShape({ delayMs: 20 })
  const after = said()
  await until(() => said() > after + 120)
  expect(buffer.dropped()).toBeGreaterThan(10)
  await until(() => Math.max(...behind.slice(-30)) < 16)
})
