/** (b) Push: changes delivered to browsers by core, by socket.io and by a NATS server, in CPU and in time. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { PushMessage } from '@backhaul/contract/define/topic'
import type { Page } from 'playwright-core'
import { memoryOf } from '../scripts/program.ts'
import { openChromium, signInOnPage } from '../tests/stage/browser.ts'
import { signIn } from '../tests/stage/person.ts'
import { adminPassword, openStage, type Stage } from '../tests/stage/stage.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, quantile, rounded } from './figures.ts'
import type { Sent } from './load/load-fleet.ts'
import { freePort, type LoadProgram, startLoad, startProcess } from './load/load-program.ts'
import { cpuMs } from './load/process-cost.ts'
import { topicsOf } from './load/topics.ts'

const units = 50
const readers = 200
const runs = 3
const secondsOfARun = 6
/** As many as the page of socket.io has rows, and a whole fleet. */
const shownUnits = 200
const fleetUnits = 3000
const goalMs = { p50: 40, p99: 100 } as const
const secondsOfLatency = 15

interface Delivery {
  cpuUs: number
  delivered: number
  wanted: number
  bytes: number
}

const asDelivery = (runsOfOne: readonly Delivery[], who: string): Row => ({
  who,
  'CPU µs a delivered change': rounded(median(runsOfOne.map(({ cpuUs }) => cpuUs)), 2),
  'changes delivered': runsOfOne.reduce((sum, { delivered }) => sum + delivered, 0),
  'of changes wanted %': rounded(
    (100 * runsOfOne.reduce((sum, { delivered }) => sum + delivered, 0)) /
      runsOfOne.reduce((sum, { wanted }) => sum + wanted, 0),
  ),
})

interface Counted {
  changes: number
  bytes: number
  example: PushMessage[]
}

/** Measures the load of 200 readers on core: the same fleet is measured before they come. */
async function deliverByCore(
  stack: AsyncDisposableStack,
): Promise<{ all: Delivery[]; example: PushMessage[] }> {
  const stage = await openStage()
  stack.defer(stage.stop)
  const pid = stage.pidOf('core')
  const fleet = fleetOf(stack, stage)
  await fleet.request({ grow: units })
  const person = await signIn(stage.url, 'admin', adminPassword)
  const topics = await topicsOf(person)
  const spent = async () => {
    const before = cpuMs(pid)
    await fleet.request({ sendSeconds: secondsOfARun })
    return cpuMs(pid) - before
  }
  const withoutReaders = median([await spent(), await spent(), await spent()])
  const crowd = startLoad(stack, 'load/push-readers', ['core', stage.url, person.cookie])
  let counted = await crowd.request<Counted>({ sockets: readers, topics })
  const all: Delivery[] = []
  for (let run = 0; run < runs; run++) {
    const ms = (await spent()) - withoutReaders
    await wait(500)
    const now = await crowd.request<Counted>({})
    all.push(deliveryOf(ms, counted, now))
    counted = now
  }
  return { all, example: counted.example }
}

function deliveryOf(ms: number, before: Counted, now: Counted): Delivery {
  const delivered = now.changes - before.changes
  return {
    cpuUs: (ms * 1000) / delivered,
    delivered,
    wanted: units * readers * secondsOfARun,
    bytes: now.bytes - before.bytes,
  }
}

function fleetOf(stack: AsyncDisposableStack, stage: Stage): LoadProgram {
  return startLoad(stack, 'load/gateway-fleet', [
    `${stage.url.replace(/^http/, 'ws')}/gateway`,
    stage.localKey,
  ])
}

/** A server that makes the changes itself, or its publisher, and its readers; the cost is that of the process `pid`. */
interface Peer {
  pid: number
  maker: LoadProgram
  crowd: LoadProgram
  /** The topics that the readers follow; none where the server sends everything to all. */
  topics: readonly string[]
}

async function deliverByPeer(
  { pid, maker, crowd, topics }: Peer,
  example: PushMessage[],
  more: object = {},
): Promise<Delivery[]> {
  let counted = await crowd.request<Counted>({ sockets: readers, topics })
  const all: Delivery[] = []
  for (let run = 0; run < runs; run++) {
    const before = cpuMs(pid)
    await maker.request({ sendSeconds: secondsOfARun, topics: units, example, ...more })
    const ms = cpuMs(pid) - before
    await wait(500)
    const now = await crowd.request<Counted>({})
    all.push(deliveryOf(ms, counted, now))
    counted = now
  }
  return all
}

const peerTopics = Array.from({ length: units }, (_, at) => `unit.${at}`)

async function deliverBySocketIo(
  stack: AsyncDisposableStack,
  example: PushMessage[],
  isCollecting: boolean,
): Promise<Delivery[]> {
  const port = await freePort()
  const maker = startLoad(stack, 'peers/socket-io-server', [port])
  await maker.request({})
  const crowd = startLoad(stack, 'load/push-readers', ['socket.io', `http://127.0.0.1:${port}`])
  return await deliverByPeer({ pid: maker.pid, maker, crowd, topics: peerTopics }, example, { isCollecting })
}

/** The same frames from a process that only joins, frames and writes them. */
async function deliverLeast(stack: AsyncDisposableStack, example: PushMessage[]): Promise<Delivery[]> {
  const port = await freePort()
  const maker = startLoad(stack, 'peers/least-push', [port], memoryOf('core').args)
  await maker.request({})
  const crowd = startLoad(stack, 'load/push-readers', ['least', `http://127.0.0.1:${port}`])
  return await deliverByPeer({ pid: maker.pid, maker, crowd, topics: [] }, example)
}

/** Undefined where no NATS server is installed. */
async function deliverByNats(
  stack: AsyncDisposableStack,
  example: PushMessage[],
): Promise<Delivery[] | undefined> {
  if (spawnSync('nats-server', ['--version']).error) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-nats-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const [port, webSocketPort] = [await freePort(), await freePort()]
  const settings = `listen: 127.0.0.1:${port}\nwebsocket { listen: "127.0.0.1:${webSocketPort}", no_tls: true }\n`
  writeFileSync(join(folder, 'nats.conf'), settings)
  const { pid } = startProcess(stack, 'nats-server', ['-c', join(folder, 'nats.conf')])
  await wait(1000)
  const maker = startLoad(stack, 'peers/nats-publisher', [port])
  const crowd = startLoad(stack, 'load/push-readers', ['nats', `ws://127.0.0.1:${webSocketPort}`])
  return await deliverByPeer({ pid, maker, crowd, topics: peerTopics }, example)
}

/** Notes when a round-trip time appears anywhere in the page: the fleet puts a number there that comes only once. */
async function watchMarks(page: Page): Promise<() => Promise<[number, number][]>> {
  await page.evaluate(() => {
    const { document, MutationObserver } = globalThis as unknown as {
      document: { body: unknown }
      MutationObserver: new (
        run: (records: { target: { textContent: string | null } }[]) => void,
      ) => { observe(target: unknown, options: object): void }
    }
    const seen = new Map<number, number>()
    Object.assign(globalThis, { seenMarks: seen })
    new MutationObserver((records) => {
      const now = performance.timeOrigin + performance.now()
      for (const { target } of records) {
        const mark = Number(/^(\d{5,}) ms$/.exec(target.textContent ?? '')?.[1])
        if (mark && !seen.has(mark)) seen.set(mark, now)
      }
    }).observe(document.body, { subtree: true, characterData: true, childList: true })
  })
  return () =>
    page.evaluate(() => [...(globalThis as unknown as { seenMarks: Map<number, number> }).seenMarks])
}

async function latencies(page: Page, fleet: LoadProgram): Promise<number[]> {
  const marksSeen = await watchMarks(page)
  const { marks } = await fleet.request<Sent>({ sendSeconds: secondsOfLatency, marked: true })
  await wait(1000)
  const sentAt = new Map(marks)
  const seen = await marksSeen()
  return seen.flatMap(([mark, atMs]) => {
    const sentMs = sentAt.get(mark)
    return sentMs === undefined ? [] : [atMs - sentMs]
  })
}

async function latencyOfCore(stack: AsyncDisposableStack, count: number): Promise<number[]> {
  const stage = await openStage()
  stack.defer(stage.stop)
  const fleet = fleetOf(stack, stage)
  await fleet.request({ grow: count })
  const browser = await openChromium()
  stack.defer(browser.close)
  await signInOnPage(browser.page, stage.url, 'admin', adminPassword)
  await browser.page.waitForSelector('[data-column="rtt"]')
  // The first status of every unit, and the page at rest.
  await fleet.request({ sendSeconds: 3 })
  return await latencies(browser.page, fleet)
}

async function latencyOfSocketIo(stack: AsyncDisposableStack): Promise<number[]> {
  const port = await freePort()
  const server = startLoad(stack, 'peers/socket-io-server', [port])
  await server.request({})
  const url = `http://127.0.0.1:${port}`
  const fleet = startLoad(stack, 'load/socket-io-fleet', [url])
  await fleet.request({ grow: shownUnits })
  const browser = await openChromium()
  stack.defer(browser.close)
  await browser.page.goto(url)
  await browser.page.waitForFunction('document.title === "ready"')
  await fleet.request({ sendSeconds: 3 })
  return await latencies(browser.page, fleet)
}

const asLatency = (who: string, ms: readonly number[]): Row => ({
  who,
  'p50 ms': rounded(median(ms)),
  'p99 ms': rounded(quantile(ms, 0.99)),
  'least ms': rounded(quantile(ms, 0)),
  changes: ms.length,
})

async function alone<T>(stack: AsyncDisposableStack, part: (stack: AsyncDisposableStack) => Promise<T>) {
  const own = stack.use(new AsyncDisposableStack())
  try {
    return await part(own)
  } finally {
    await own.disposeAsync()
  }
}

export const benchPush: Bench = async (stack): Promise<BenchResult> => {
  const core = await alone(stack, deliverByCore)
  const peer = await alone(stack, (own) => deliverBySocketIo(own, core.example, false))
  const collecting = await alone(stack, (own) => deliverBySocketIo(own, core.example, true))
  const least = await alone(stack, (own) => deliverLeast(own, core.example))
  const nats = await alone(stack, (own) => deliverByNats(own, core.example))
  const ours = await alone(stack, (own) => latencyOfCore(own, shownUnits))
  const ofFleet = await alone(stack, (own) => latencyOfCore(own, fleetUnits))
  const theirs = await alone(stack, latencyOfSocketIo)
  const cpu = (all: readonly Delivery[]) => median(all.map(({ cpuUs }) => cpuUs))
  const bytes = Buffer.byteLength(JSON.stringify(core.example))
  return {
    name: 'push',
    title: '(b) Push to browsers',
    setting:
      `CPU: ${units} units change once a second, ${readers} sockets follow all of them, ${runs} runs of ${secondsOfARun} s, medians; ` +
      `a change is ${bytes} bytes of JSON. Of core it is what the readers add to the same fleet without readers; the socket.io ` +
      'server makes the same changes itself and emits each to the room of its unit; a NATS server gets them from a publisher. ' +
      `Time: ${shownUnits} and ${fleetUnits} units change once a second, from the send in the device to the change of the cell in ` +
      'Chromium (MutationObserver), in the unit list and in a bare socket.io page.',
    tables: [
      {
        caption: 'CPU',
        rows: [
          asDelivery(core.all, 'Backhaul core'),
          asDelivery(peer, 'socket.io'),
          asDelivery(collecting, 'socket.io that collects 100 ms too'),
          asDelivery(least, 'the required work alone'),
          ...(nats ? [asDelivery(nats, 'nats-server')] : []),
        ],
      },
      {
        caption: 'Device to cell in the browser',
        rows: [
          asLatency(`Backhaul unit list, ${shownUnits} units`, ours),
          asLatency(`Backhaul unit list, ${fleetUnits} units`, ofFleet),
          asLatency(`socket.io page, ${shownUnits} units`, theirs),
        ],
      },
    ],
    ratios: [
      ...(nats
        ? [
            {
              id: 'push-cpu',
              what: 'CPU a delivered change next to nats-server',
              ratio: cpu(core.all) / cpu(nats),
              lowerIsBetter: true,
              goal: 1,
            },
          ]
        : []),
      {
        id: 'push-cpu-socket-io',
        what: 'CPU a delivered change next to a socket.io that collects too',
        ratio: cpu(core.all) / cpu(collecting),
        lowerIsBetter: true,
        goal: 0.5,
        floor: { value: cpu(least) / cpu(collecting), why: whyFloor },
      },
      { what: 'the same next to a usual socket.io', ratio: cpu(core.all) / cpu(peer), lowerIsBetter: true },
      timeGoal('p50', median(ofFleet)),
      timeGoal('p99', quantile(ofFleet, 0.99)),
      { what: 'time to the cell, p50', ratio: median(ours) / median(theirs), lowerIsBetter: true },
      {
        what: 'time to the cell, p99',
        ratio: quantile(ours, 0.99) / quantile(theirs, 0.99),
        lowerIsBetter: true,
      },
    ],
    remarks: [
      'Core collects changes for 100 ms where more than 100 browsers follow, as here for the CPU, and sends each reader one frame, here of 5 changes; for 50 ms where more than 20 do, else for 25 ms. socket.io sends each immediately: we lose both times to it.',
      'The socket.io that collects sends one text to all, since here all readers follow everything; core keeps for each reader which units it follows, what it may read and which revision it holds.',
      'The time of core includes the check against the contract, the derived state and a grid of 15 columns; the peer writes one cell.',
      ...(nats ? [] : ['nats-server is not installed: left out of this run.']),
    ],
  }
}

const whyFloor =
  'a bare Node process that joins the changes of 100 ms, frames them once and writes the frame to the socket of each reader.'

const timeGoal = (name: keyof typeof goalMs, ms: number) => ({
  id: `push-time-${name}`,
  what: `time to the cell at ${fleetUnits} units, ${name}`,
  ratio: ms,
  unit: 'ms',
  lowerIsBetter: true,
  goal: goalMs[name],
})
