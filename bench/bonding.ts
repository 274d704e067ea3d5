/** (d) Bonding: our RIST sender and receiver against librist's over the same three rate-limited links. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import type { Count } from './bonding/count.ts'
import { type BenchLinks, openLinks } from './bonding/links.ts'
import { startProcess } from './load/load-program.ts'
import { cpuMs, residentKb } from './load/process-cost.ts'

const bufferMs = 800
const streamKbps = 3000
const inputPort = 6100
const outputPort = 6000
const program = (name: string) => join(import.meta.dirname, 'bonding', `${name}.ts`)

type Contestant = {
  who: string
  sender: (links: BenchLinks, ratesKbps: readonly number[]) => string[]
  receiver: (links: BenchLinks) => string[]
}
type Scenario = {
  what: string
  ratesKbps: readonly number[]
  happens: readonly { afterS: number; act: (links: BenchLinks) => void }[]
  seconds: number
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
    process.execPath,
    program('our-sender'),
    String(inputPort),
    String(bufferMs),
    ...links.targets.map((target) => `${target.id}=${target.host}:${target.port}`),
    ...(keyed ? ['--keyed'] : []),
  ],
  receiver: (links) => [
    process.execPath,
    program('our-receiver'),
    links.listen.host,
    String(links.listen.port),
    String(bufferMs),
    String(outputPort),
    ...(keyed ? ['--keyed'] : []),
  ],
})

/** librist shares packets by fixed weights on its command line; it gets the true rates. */
const librist: Contestant = {
  who: 'librist',
  sender: (links, ratesKbps) => {
    const urls = links.targets.map(
      ({ host, port }, at) =>
        `rist://${host}:${port}?buffer=${bufferMs}&weight=${Math.round((ratesKbps[at] ?? 0) / 100)}`,
    )
    return ['ristsender', '-p', '0', '-v', '3', '-i', `udp://@127.0.0.1:${inputPort}`, '-o', urls.join(',')]
  },
  receiver: ({ listen }) => {
    const input = `rist://@${listen.host}:${listen.port}?buffer=${bufferMs}`
    return ['ristreceiver', '-p', '0', '-v', '3', '-i', input, '-o', `udp://127.0.0.1:${outputPort}`]
  },
}

const scenarios: readonly Scenario[] = [
  {
    what: 'one of three equal links cut for 6 s',
    ratesKbps: [2000, 2000, 2000],
    happens: [
      { afterS: 5, act: (links) => links.cut(0) },
      { afterS: 11, act: (links) => links.restore(0) },
    ],
    seconds: 15,
  },
  {
    what: 'one of three equal links swallows everything',
    ratesKbps: [2000, 2000, 2000],
    happens: [{ afterS: 5, act: (links) => links.blackHole(1) }],
    seconds: 11,
  },
  {
    what: 'one of three equal links fades to 0.5 Mbit/s',
    ratesKbps: [2000, 2000, 2000],
    happens: [{ afterS: 3, act: (links) => links.setRate(2, 500) }],
    seconds: 11,
  },
  {
    what: 'unequal links of 3.2, 1.6 and 0.6 Mbit/s',
    ratesKbps: [3200, 1600, 600],
    happens: [],
    seconds: 10,
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
    const links = await openLinks(scenario.ratesKbps)
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
    const sender = start([...links.onUnit, ...contestant.sender(links, scenario.ratesKbps)])
    await wait(1500)
    start([...links.onUnit, process.execPath, program('feed'), String(inputPort), String(streamKbps)])
    // The first seconds belong to the handshake and to learning the links.
    await wait(3000)
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

/** Runs for about two minutes; leaves no process and no namespace behind. */
export const benchBonding: Bench = async (stack): Promise<BenchResult> => {
  const peer = installed('ristsender') && installed('ristreceiver')
  const contestants = [ours(false), ...(peer ? [librist] : [])]
  const rows: Row[] = []
  for (const scenario of scenarios) {
    for (const contestant of contestants) rows.push(await compete(stack, contestant, scenario))
  }
  rows.push(await compete(stack, ours(true), scenarios[0]!))
  const total = (who: string, column: string) =>
    rows.filter((row) => row.who === who).reduce((sum, row) => sum + Number(row[column]), 0)
  const ratio = (column: string, lowerIsBetter: boolean) => ({
    what: column,
    // One is added where nought is the best there is.
    ratio:
      column === 'continuity errors'
        ? (total('Backhaul', column) + 1) / (total('librist', column) + 1)
        : total('Backhaul', column) / total('librist', column),
    lowerIsBetter,
  })
  return {
    name: 'bonding',
    title: '(d) Bonding over three links',
    setting: `A made-up transport stream of ${streamKbps / 1000} Mbit/s over three links (${rows[0]?.how}) with a queue of 300 ms and no delay of their own, a buffer of ${bufferMs} ms, RIST Simple Profile on both; each contestant alone, one after the other. Figures are of the run after 3 s of settling.`,
    tables: [{ caption: 'Each contestant in each situation', rows }],
    ratios: peer
      ? [
          ratio('goodput kbit/s', false),
          ratio('continuity errors', true),
          ratio('longest pause ms', true),
          ratio('sender % of one core', true),
          ratio('receiver % of one core', true),
        ]
      : [],
    remarks: [
      'librist is C in a few megabytes; ours is a JavaScript process of its own here, in the product it shares the process of the agent or the hub.',
      'librist gets the initial rates of the links as weights, ours finds them itself.',
      'The kernel of the bench gives rate and cuts, not the delay and jitter of a mobile network.',
      ...(peer ? [] : ['ristsender and ristreceiver are not installed: no peer in this run.']),
    ],
  }
}
