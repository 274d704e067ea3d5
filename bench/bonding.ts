/** (d) Bonding: our RIST sender and receiver against librist's over the same three rate-limited links. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { memoryOf } from '../scripts/program.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import type { Count } from './bonding/count.ts'
import { type BenchLinks, type LinkShape, openLinks } from './bonding/links.ts'
import { median } from './figures.ts'
import { startProcess } from './load/load-program.ts'
import { cpuMs, residentKb } from './load/process-cost.ts'

const bufferMs = 800
const streamKbps = 3000
const inputPort = 6100
const outputPort = 6000
const program = (name: string) => join(import.meta.dirname, 'bonding', `${name}.ts`)

/** Node as it runs a hub. */
const node = [process.execPath, ...memoryOf('hub').args]

type Contestant = {
  who: string
  sender: (links: BenchLinks, shapes: readonly LinkShape[]) => string[]
  receiver: (links: BenchLinks) => string[]
}
type Scenario = {
  what: string
  links: readonly LinkShape[]
  happens: readonly { afterS: number; act: (links: BenchLinks) => void }[]
  seconds: number
  /** From the beginning of the stream to the first second that counts; 3 where absent, for the handshake and to learn the links. */
  settleSeconds?: number
  /** The rate of the stream that is carried, where the links carry less than all of it for a time. */
  carriedKbps?: number
}
type Cost = {
  senderMs: number
  receiverMs: number
  wireBytes: number | null
  senderKb: number
  receiverKb: number
}

const ours = (keyed: boolean): Contestant => ({
  who: keyed ? 'Backhaul, encrypted' : 'Backhaul',
  sender: (links) => [
    ...node,
    program('our-sender'),
    String(inputPort),
    String(bufferMs),
    ...links.targets.map((target) => `${target.id}=${target.host}:${target.port}`),
    ...(keyed ? ['--keyed'] : []),
  ],
  receiver: (links) => [
    ...node,
    program('our-receiver'),
    links.listen.host,
    String(links.listen.port),
    String(bufferMs),
    String(outputPort),
    ...(keyed ? ['--keyed'] : []),
  ],
})

/** librist shares packets by fixed weights on its command line; it gets the true rates. Only its main profile has encryption. */
const librist = (keyed: boolean): Contestant => {
  const profile = keyed ? ['-p', '1', '-e', '256', '-s', 'secret-of-the-bench'] : ['-p', '0']
  return {
    who: keyed ? 'librist, encrypted' : 'librist',
    sender: (links, shapes) => {
      const urls = links.targets.map(
        ({ host, port }, at) =>
          `rist://${host}:${port}?buffer=${bufferMs}&weight=${Math.round((shapes[at]?.kbps ?? 0) / 100)}`,
      )
      return [
        'ristsender',
        ...profile,
        '-v',
        '3',
        '-i',
        `udp://@127.0.0.1:${inputPort}`,
        '-o',
        urls.join(','),
      ]
    },
    receiver: ({ listen }) => {
      const input = `rist://@${listen.host}:${listen.port}?buffer=${bufferMs}`
      return ['ristreceiver', ...profile, '-v', '3', '-i', input, '-o', `udp://127.0.0.1:${outputPort}`]
    },
  }
}

/** Each end forwards the datagrams; `sender` and `receiver` are the programs with their first arguments. */
const relay = (who: string, sender: readonly string[], receiver: readonly string[]): Contestant => ({
  who,
  sender: (links) => [
    ...node,
    ...sender,
    '127.0.0.1',
    String(inputPort),
    ...links.targets.map((target) => `${target.host}:${target.port}`),
  ],
  receiver: ({ listen }) => [
    ...node,
    ...receiver,
    listen.host,
    String(listen.port),
    `127.0.0.1:${outputPort}`,
  ],
})
const floor = relay(
  'Node without bonding, encrypted and answered',
  [program('sealed-relay'), 'seal'],
  [program('sealed-relay'), 'open'],
)

const equalLinks: readonly LinkShape[] = [{ kbps: 2000 }, { kbps: 2000 }, { kbps: 2000 }]
/** Three mobile networks: the slower, the later and the more uneven. */
const mobileLinks: readonly LinkShape[] = [
  { kbps: 3000, delayMs: 20, jitterMs: 10 },
  { kbps: 1600, delayMs: 45, jitterMs: 20 },
  { kbps: 900, delayMs: 80, jitterMs: 30 },
]
const lossy = (lossPercent: number) => mobileLinks.map((link) => ({ ...link, lossPercent }))

const scenarios: readonly Scenario[] = [
  {
    what: 'one of three equal links cut for 6 s',
    links: equalLinks,
    happens: [
      { afterS: 5, act: (links) => links.cut(0) },
      { afterS: 11, act: (links) => links.restore(0) },
    ],
    seconds: 15,
  },
  {
    what: 'one of three equal links swallows everything',
    links: equalLinks,
    happens: [{ afterS: 5, act: (links) => links.blackHole(1) }],
    seconds: 11,
  },
  {
    what: 'one of three equal links fades to 0.5 Mbit/s',
    links: equalLinks,
    happens: [{ afterS: 3, act: (links) => links.setRate(2, 500) }],
    seconds: 11,
  },
  {
    what: 'unequal links of 3.2, 1.6 and 0.6 Mbit/s',
    links: [{ kbps: 3200 }, { kbps: 1600 }, { kbps: 600 }],
    happens: [],
    seconds: 10,
  },
  { what: 'unequal links with delay and jitter', links: mobileLinks, happens: [], seconds: 12 },
  { what: 'the same with 2 % of loss', links: lossy(2), happens: [], seconds: 12 },
  {
    what: 'the same, and the fastest cut for 4 s',
    links: lossy(2),
    happens: [
      { afterS: 5, act: (links) => links.cut(0) },
      { afterS: 9, act: (links) => links.restore(0) },
    ],
    seconds: 15,
    // The two that are left carry 2,500 kbit/s, of which 2 % are lost once.
    carriedKbps: (11 * streamKbps + 4 * 2500 * 0.98) / 15,
  },
]

async function compete(
  whole: AsyncDisposableStack,
  contestant: Contestant,
  scenario: Scenario,
): Promise<Row> {
  const stack = whole.use(new AsyncDisposableStack())
  const start = (command: readonly string[], stdio?: 'pipe') =>
    startProcess(stack, command[0] ?? '', command.slice(1), stdio)
  try {
    const links = await openLinks(scenario.links)
    stack.defer(links.close)
    const counter = start([...links.onHub, process.execPath, program('count'), String(outputPort)], 'pipe')
    const counts = createInterface({ input: counter.stdout! })[Symbol.asyncIterator]()
    await counts.next()
    const count = async () => {
      counter.stdin?.write('\n')
      return JSON.parse(String((await counts.next()).value)) as Count
    }
    const receiver = start([...links.onHub, ...contestant.receiver(links)])
    await wait(700)
    const sender = start([...links.onUnit, ...contestant.sender(links, scenario.links)])
    await wait(1500)
    start([...links.onUnit, process.execPath, program('feed'), String(inputPort), String(streamKbps)])
    await wait((scenario.settleSeconds ?? 3) * 1000)
    const [from, costFrom] = [await count(), costOf(sender.pid, receiver.pid, links)]
    const startMs = performance.now()
    for (const event of scenario.happens) {
      await wait(startMs + event.afterS * 1000 - performance.now())
      event.act(links)
    }
    await wait(startMs + scenario.seconds * 1000 - performance.now())
    const [to, costTo] = [await count(), costOf(sender.pid, receiver.pid, links)]
    return rowOf(contestant, scenario, links, { from, to, costFrom, costTo, ms: performance.now() - startMs })
  } finally {
    await stack.disposeAsync()
  }
}

function costOf(sender: number, receiver: number, links: BenchLinks): Cost {
  return {
    senderMs: cpuMs(sender),
    receiverMs: cpuMs(receiver),
    wireBytes: links.sentBytes(),
    senderKb: residentKb(sender),
    receiverKb: residentKb(receiver),
  }
}

type Run = { from: Count; to: Count; costFrom: Cost; costTo: Cost; ms: number }

function rowOf(contestant: Contestant, scenario: Scenario, links: BenchLinks, run: Run) {
  const { from, to, costFrom, costTo, ms } = run
  const bytes = to.bytes - from.bytes
  const wire =
    costTo.wireBytes !== null && costFrom.wireBytes !== null ? costTo.wireBytes - costFrom.wireBytes : null
  return {
    who: contestant.who,
    how: links.how,
    load: scenario.what,
    'links carry kbit/s': Math.round(scenario.carriedKbps ?? streamKbps),
    'goodput kbit/s': Math.round((bytes * 8) / ms),
    'continuity errors': to.errors - from.errors,
    'longest pause ms': Math.round(to.longestPauseMs),
    'wire bytes per byte': wire === null ? 'unknown' : Math.round((wire / bytes) * 1000) / 1000,
    'sender % of one core': Math.round(((costTo.senderMs - costFrom.senderMs) / ms) * 1000) / 10,
    'receiver % of one core': Math.round(((costTo.receiverMs - costFrom.receiverMs) / ms) * 1000) / 10,
    'sender MB': Math.round(costTo.senderKb / 1024),
    'receiver MB': Math.round(costTo.receiverKb / 1024),
  }
}

function installed(tool: string): boolean {
  return !spawnSync(tool, ['--help'], { stdio: 'ignore' }).error
}

const costRuns = 3
/** Nothing happens in it: only the cost is wanted. A program that has just begun is still being compiled, and runs for days. */
const steady: Scenario = {
  what: 'three equal links',
  links: equalLinks,
  happens: [],
  seconds: 10,
  settleSeconds: 25,
}
const goals = { cpu: 1.3, goodput: 0.95 }

/** Runs for about eight minutes; leaves no process and no namespace behind. */
export const benchBonding: Bench = async (stack): Promise<BenchResult> => {
  const peer = installed('ristsender') && installed('ristreceiver')
  const both = (keyed: boolean) => [ours(keyed), ...(peer ? [librist(keyed)] : [])]
  const rows: Row[] = []
  for (const scenario of scenarios)
    for (const contestant of both(false)) rows.push(await compete(stack, contestant, scenario))
  const costs: Row[] = []
  for (let run = 0; run < costRuns; run++)
    for (const contestant of [...both(true), floor]) costs.push(await compete(stack, contestant, steady))
  return {
    name: 'bonding',
    title: '(d) Bonding over three links',
    setting: `A made-up transport stream of ${streamKbps / 1000} Mbit/s over three links with a queue of 300 ms, a buffer of ${bufferMs} ms; each contestant alone, one after the other. Links of a rate alone are ${rows[0]?.how}, those with delay, jitter and loss relays in user space. RIST Simple Profile on both; encrypted, librist uses its Main Profile with AES-256. Figures are of the run after 3 s of settling, those of the cost after ${steady.settleSeconds} s.`,
    tables: [
      { caption: 'Each contestant in each situation', rows },
      { caption: 'Cost, encrypted', rows: costs },
    ],
    ratios: peer ? [...qualityRatios(rows), ...costRatios(costs)] : [],
    remarks: [
      'librist is C in a few megabytes; ours is a JavaScript process of its own here, in the product it shares the process of the agent or the hub.',
      'librist gets the initial rates of the links as weights, ours finds them itself.',
      'In the last situation two links carry less than the stream while the third is cut: any sender must lose packets there, so that its continuity errors are shown, and not judged.',
      'Node without bonding is the floor of the cost: a program that only receives each datagram, seals or opens it as Backhaul does, and sends it on; each link gets a signed report and an answer every 100 ms.',
      ...(peer ? [] : ['ristsender and ristreceiver are not installed: no peer in this run.']),
    ],
  }
}

function qualityRatios(rows: readonly Row[]): BenchResult['ratios'] {
  const rowsOf = (who: string) => rows.filter((row) => row.who === who)
  const of = (who: string, column: string) => rowsOf(who).map((row) => Number(row[column]))
  const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0)
  const theirErrors = of('librist', 'continuity errors')
  const isJudged = (row: Row, at: number) =>
    (theirErrors[at] ?? 0) > 0 && Number(row['links carry kbit/s']) >= streamKbps
  const judgedErrors = rowsOf('Backhaul')
    .filter(isJudged)
    .map((row) => Number(row['continuity errors']))
  const shares = rowsOf('Backhaul').map(
    (row) => Number(row['goodput kbit/s']) / Number(row['links carry kbit/s']),
  )
  return [
    {
      id: 'bonding-quality',
      what: 'least goodput in any situation, of what the links carry of the stream',
      ratio: Math.min(...shares),
      lowerIsBetter: false,
      goal: goals.goodput,
    },
    {
      id: 'bonding-quality-errors',
      what: 'continuity errors in the situations in which the links carry the stream and librist has any',
      ratio: sum(judgedErrors),
      lowerIsBetter: true,
      goal: 0,
    },
    {
      what: 'longest pause ms',
      ratio: sum(of('Backhaul', 'longest pause ms')) / sum(of('librist', 'longest pause ms')),
      lowerIsBetter: true,
    },
  ]
}

function costRatios(costs: readonly Row[]): BenchResult['ratios'] {
  const ratioOf = (who: string, peer: string, column: string) => {
    const of = (name: string) => costs.filter((row) => row.who === name).map((row) => Number(row[column]))
    return median(of(who)) / median(of(peer))
  }
  const costlierEnd = (who: string, peer: string) => {
    const sender = ratioOf(who, peer, 'sender % of one core')
    const receiver = ratioOf(who, peer, 'receiver % of one core')
    return {
      ratio: Math.max(sender, receiver),
      ends: `sender ${sender.toFixed(2)}, receiver ${receiver.toFixed(2)}`,
    }
  }
  const librist = 'librist, encrypted'
  const ours = costlierEnd('Backhaul, encrypted', librist)
  const least = costlierEnd(floor.who, librist)
  return [
    {
      id: 'bonding-cpu',
      what: `processor time of the costlier end (${ours.ends}), encrypted`,
      ratio: ours.ratio,
      lowerIsBetter: true,
      goal: goals.cpu,
      floor: {
        value: least.ratio,
        why: 'a bare Node process that seals or opens each datagram with OpenSSL and answers a signed report of each link every 100 ms, without bonding and repair.',
      },
    },
    {
      what: `the same of ${floor.who} (${least.ends}), relative to librist`,
      ratio: least.ratio,
      lowerIsBetter: true,
    },
  ]
}
