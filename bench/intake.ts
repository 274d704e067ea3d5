/** (a) Device status intake: core's gateway against bare Node processes and mosquitto, the same fleet with the same bytes. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { memoryOf } from '../scripts/program.ts'
import { signIn } from '../tests/stage/person.ts'
import { openStage, type Stage } from '../tests/stage/stage.ts'
import { until } from '../tests/stage/until.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, rounded } from './figures.ts'
import type { Sent } from './load/load-fleet.ts'
import { freePort, type LoadProgram, startLoad, startProcess } from './load/load-program.ts'
import { cpuMs, residentKb } from './load/process-cost.ts'
import { type Calls, callsOf, whileBusy, worst } from './people.ts'
import { inspected } from './soak/debugger.ts'

/** Each size is measured in turns: core, then each peer, then core again. */
const sizes = [
  { devices: 3000, turns: 10, withBroker: true },
  { devices: 8000, turns: 10, withBroker: false },
] as const
const secondsOfARun = 3
/** Before the runs of each size: a process that has just begun, or taken thousands of units, is still being compiled. */
const secondsToSettle = 30
/** After those sizes, and below the limit of 20,000 open files that a process has here. */
const steps = [11_000, 15_000]
const secondsOfAStep = 10
const mostUnits = 15_000
const answerWithinMs = 200
/** Below this share of a status a second and unit the senders have no processor left, and the step is not counted. */
const leastPace = 0.95

interface Contestant {
  pid: number
  fleet: LoadProgram
  /** Number of statuses that it has received since its start. */
  taken(): Promise<number>
}

interface Core extends Contestant {
  stage: Stage
  /** Bytes that it holds, once garbage is collected. */
  aliveBytes(): Promise<number>
}

export async function openCore(stack: AsyncDisposableStack): Promise<Core> {
  const inspector = await freePort()
  const env = { BACKHAUL_DEMO: '20', NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspector}` }
  const stage = await openStage({ demo: 20, env })
  stack.defer(stage.stop)
  const url = `${stage.url.replace(/^http/, 'ws')}/gateway`
  const pid = stage.pidOf('core')
  return {
    stage,
    pid,
    fleet: startLoad(stack, 'load/gateway-fleet', [url, stage.localKey]),
    taken: () => telemetryTaken(stage.metricsUrl),
    aliveBytes: () => aliveBytes(pid, inspector),
  }
}

/** Opens the inspector for this alone: a program in which it is open costs more. */
async function aliveBytes(pid: number, port: number): Promise<number> {
  process.kill(pid, 'SIGUSR1')
  const url = `http://127.0.0.1:${port}/json/list`
  const listed = await until('the inspector of core', () => fetch(url).catch(() => undefined))
  const [target] = (await listed.json()) as { webSocketDebuggerUrl: string }[]
  const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'
  const close = "setTimeout(() => process.getBuiltinModule('inspector').close(), 100)"
  return await inspected(target?.webSocketDebuggerUrl ?? '', async ({ ask }) => {
    await ask({ method: 'HeapProfiler.collectGarbage' })
    const params = { expression, returnByValue: true }
    const { result } = await ask<{ result: { value: number } }>({ method: 'Runtime.evaluate', params })
    await ask({ method: 'Runtime.evaluate', params: { expression: close } })
    return result.value
  })
}

async function telemetryTaken(url: string): Promise<number> {
  const text = await (await fetch(url)).text()
  const found = /^backhaul_core_gateway_messages_total\{[^}]*type="telemetry"[^}]*\} (\d+)/m.exec(text)
  return Number(found?.[1] ?? 0)
}

/** A Node process that answers the fleet, and any line with the number of statuses that it has taken. */
async function openBare(
  stack: AsyncDisposableStack,
  program: string,
  args: readonly string[] = [],
  nodeOptions: readonly string[] = [],
): Promise<Contestant & { url: string; aliveBytes(): Promise<number> }> {
  const [port, key] = [await freePort(), 'key-of-the-bench']
  const server = startLoad(stack, program, [port, ...args, key], nodeOptions)
  const read = (message: object) => server.request<{ taken: number; aliveBytes: number }>(message)
  const taken = async () => (await read({})).taken
  await taken()
  return {
    url: `http://127.0.0.1:${port}`,
    pid: server.pid,
    fleet: startLoad(stack, 'load/gateway-fleet', [`ws://127.0.0.1:${port}`, key]),
    taken,
    aliveBytes: async () => (await read({ isCollecting: true })).aliveBytes,
  }
}

/** Only the work for a status that core cannot omit, in a copy of core's database. */
async function openLeast(stack: AsyncDisposableStack, { dataFolder }: Stage) {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-least-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'least.db')
  using database = new DatabaseSync(join(dataFolder, 'core', 'backhaul.db'), { timeout: 60_000 })
  database.exec(`vacuum into '${file}'`)
  const least = await openBare(stack, 'peers/least-intake', [file], memoryOf('core').args)
  const call = async () => void (await (await fetch(least.url)).text())
  return { ...least, calls: { list: call, delay: call, page: call } satisfies Calls }
}
type Least = Awaited<ReturnType<typeof openLeast>>

async function openBroker(stack: AsyncDisposableStack): Promise<Contestant | undefined> {
  if (spawnSync('mosquitto', ['-h']).error) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-broker-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const settings = `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`
  writeFileSync(join(folder, 'broker.conf'), settings)
  const broker = startProcess(stack, 'mosquitto', ['-c', join(folder, 'broker.conf')])
  await wait(500)
  const fleet = startLoad(stack, 'load/mqtt-fleet', [port])
  const taken = async () => (await fleet.request<{ received: number }>({})).received
  return { pid: broker.pid, fleet, taken }
}

interface Run {
  cpuMsPer1k: number
  percentOfCore: number
  sent: number
  perSecond: number
  lost: number
}

const lateAtMostMs = 5000

/** The number of messages not taken some time after the last was sent; core handles what it has read in turns. */
async function lostOf(sent: number, takenSince: () => Promise<number>): Promise<number> {
  const untilMs = performance.now() + lateAtMostMs
  let lost = sent
  while (lost > 0 && performance.now() < untilMs) {
    await wait(200)
    lost = sent - (await takenSince())
  }
  return lost
}

/** Before `sendFor`: what is made while it is sent takes processor time from the measured program. */
export const makeFor = ({ fleet }: Contestant, makeSeconds: number, alarming = false): Promise<unknown> =>
  fleet.request({ makeSeconds, alarming })

export async function sendFor(
  { pid, fleet, taken }: Contestant,
  seconds: number,
  alarming = false,
): Promise<Run> {
  const takenBefore = await taken()
  const before = cpuMs(pid)
  const { sent, tookMs } = await fleet.request<Sent>({ sendSeconds: seconds, alarming })
  const spentMs = cpuMs(pid) - before
  const lost = await lostOf(sent, async () => (await taken()) - takenBefore)
  return {
    // The cost of processed figures: those replaced by newer ones while core is late cost next to nothing.
    cpuMsPer1k: (spentMs * 1000) / (sent - lost),
    percentOfCore: (spentMs * 100) / tookMs,
    sent,
    perSecond: (sent * 1000) / tookMs,
    lost,
  }
}

/** Brings more units in; the processor time that each of them cost, in ms. */
async function grow({ pid, fleet }: Contestant, by: number, to: number): Promise<number> {
  const before = cpuMs(pid)
  await fleet.request({ grow: to })
  return (cpuMs(pid) - before) / by
}

interface Cost {
  who: string
  cpuUs: number
  row: Row
}

function costOf(who: string, all: readonly Run[]): Cost {
  const cpuUs = median(all.map((run) => run.cpuMsPer1k))
  return {
    who,
    cpuUs,
    row: {
      who,
      'CPU µs a status': rounded(cpuUs),
      '% of one core': rounded(median(all.map((run) => run.percentOfCore))),
      'statuses sent': all.reduce((sum, run) => sum + run.sent, 0),
      lost: all.reduce((sum, run) => sum + run.lost, 0),
    },
  }
}

/** One run of each after the other, as often as there are turns. */
async function inTurns(contestants: ReadonlyMap<string, Contestant>, turns: number): Promise<Cost[]> {
  const runs = new Map([...contestants.keys()].map((who) => [who, [] as Run[]]))
  for (let turn = 0; turn < turns; turn++)
    for (const [who, contestant] of contestants) {
      await makeFor(contestant, secondsOfARun)
      runs.get(who)?.push(await sendFor(contestant, secondsOfARun))
    }
  return [...runs].map(([who, all]) => costOf(who, all))
}

async function settle(contestants: ReadonlyMap<string, Contestant>): Promise<void> {
  for (const contestant of contestants.values()) {
    await makeFor(contestant, secondsToSettle)
    await sendFor(contestant, secondsToSettle)
  }
}

/** This many units report while a user works. */
async function step(core: Contestant, calls: Calls, count: number): Promise<Row> {
  await makeFor(core, secondsOfAStep)
  const sending = sendFor(core, secondsOfAStep)
  const times = await whileBusy(calls, sending)
  const { percentOfCore, sent, perSecond, lost } = await sending
  return {
    who: `${count} units`,
    'statuses a second': Math.round(perSecond),
    'statuses sent': sent,
    lost,
    'p99 of calls ms': rounded(worst(times)),
    '% of one core': rounded(percentOfCore),
    'memory MB': Math.round(residentKb(core.pid) / 1024),
  }
}

interface Climb {
  rows: Row[]
  /** The processor time for a new unit in ms, by step. */
  joined: number[]
}

/** More and more units until one status is lost or users wait. */
async function climb(core: Contestant, calls: Calls, begun: readonly Row[]): Promise<Climb> {
  const rows = [...begun]
  const joined: number[] = []
  for (const count of steps) {
    if (!rows.every(isHeld)) break
    joined.push(await grow(core, count - unitsOf(rows.at(-1) as Row), count))
    rows.push(await step(core, calls, count))
  }
  return { rows, joined }
}

const unitsOf = (row: Row) => Number.parseInt(row.who, 10)
const isHeld = (row: Row) =>
  row.lost === 0 &&
  Number(row['p99 of calls ms']) <= answerWithinMs &&
  Number(row['statuses a second']) >= leastPace * unitsOf(row)

interface Memory {
  units: number
  aliveKb: number
  residentKb: number
}

const [us, bare, least, mosquitto] = [
  'Backhaul core',
  'ws, JSON.parse and a Map',
  'the required work alone',
  'mosquitto',
] as const

/** The costs of each size, and how it is held; `joined` is the processor time for a new unit in ms. */
async function compare(stack: AsyncDisposableStack, core: Core, calls: Calls, floor: Least) {
  const plain = await openBare(stack, 'peers/bare-intake')
  const [plainKb, plainBytes] = [residentKb(plain.pid), await plain.aliveBytes()]
  const broker = await openBroker(stack)
  const joined = { core: [] as number[], least: [] as number[] }
  const costs = new Map<number, Cost[]>()
  const begun: Row[] = []
  let before = 0
  for (const { devices, turns, withBroker } of sizes) {
    const ofCore = await grow(core, devices - before, devices)
    const ofFloor = await grow(floor, devices - before, devices)
    // The first units are those for which it is compiled.
    if (before > 0) {
      joined.core.push(ofCore)
      joined.least.push(ofFloor)
    }
    await grow(plain, devices - before, devices)
    const contestants = new Map<string, Contestant>([
      [us, core],
      [bare, plain],
      [least, floor],
    ])
    if (broker && withBroker) {
      await grow(broker, devices - before, devices)
      contestants.set(mosquitto, broker)
    }
    await settle(contestants)
    costs.set(devices, await inTurns(contestants, turns))
    begun.push(await step(core, calls, devices))
    before = devices
  }
  const plainMemory: Memory = {
    units: before,
    residentKb: (residentKb(plain.pid) - plainKb) / before,
    aliveKb: ((await plain.aliveBytes()) - plainBytes) / 1000 / before,
  }
  return { costs, joined, begun, plainMemory, hasBroker: broker !== undefined }
}

/** The number of units that the required work alone holds on these cores, next to its senders. */
async function climbOfLeast(floor: Least): Promise<Climb> {
  const begun = await step(floor, floor.calls, sizes.at(-1)?.devices ?? 0)
  return await climb(floor, floor.calls, [begun])
}

const mostHeld = (rows: readonly Row[]): number => {
  const most = rows.findLast(isHeld)
  return most ? unitsOf(most) : 0
}

export const benchIntake: Bench = async (stack): Promise<BenchResult> => {
  const core = await openCore(stack)
  const calls = await callsOf(core.stage, await signIn(core.stage.url, 'chief', DEMO_PASSWORD))
  const [idleKb, idleBytes] = [residentKb(core.pid), await core.aliveBytes()]
  const ofLeast = stack.use(new AsyncDisposableStack())
  const floor = await openLeast(ofLeast, core.stage)
  const peers = stack.use(new AsyncDisposableStack())
  const { begun, joined, ...compared } = await compare(peers, core, calls, floor)
  await peers.disposeAsync()
  const ofFloor = await climbOfLeast(floor)
  await ofLeast.disposeAsync()
  const { rows: held, joined: joinedLater } = await climb(core, calls, begun)
  const units = unitsOf(held.at(-1) as Row)
  const resident = (residentKb(core.pid) - idleKb) / units
  const alive = ((await core.aliveBytes()) - idleBytes) / 1000 / units
  const memory: Memory = { units, aliveKb: alive, residentKb: resident }
  return resultOf({
    ...compared,
    joined: {
      core: [...joined.core, ...joinedLater],
      least: [...joined.least, ...ofFloor.joined],
    },
    held,
    heldByLeast: ofFloor.rows,
    memory,
  })
}

interface Measured {
  costs: ReadonlyMap<number, readonly Cost[]>
  joined: Record<'core' | 'least', readonly number[]>
  /** The memory of a connected unit with its last status and nothing else. */
  plainMemory: Memory
  hasBroker: boolean
  held: readonly Row[]
  heldByLeast: readonly Row[]
  memory: Memory
}

const ratioOf = (costs: readonly Cost[] | undefined, who: string, peer: string): number => {
  const of = (name: string) => costs?.find((cost) => cost.who === name)?.cpuUs ?? Number.NaN
  return of(who) / of(peer)
}

/** Why no program on these tools does better. */
const floorOf = {
  cpu: 'a bare Node process that checks each field of a status by hand, compares it with the last one, puts it into the time series and stores both in SQLite at core’s rhythm, next to the same without all that.',
  memory: 'ws and one parsed status for each connection, in a process that does nothing else.',
  held: 'the process of intake-cpu on the same cores with the same senders, while one trivial call is made every 40 ms.',
  join: 'a WebSocket accepted, the key checked by its hash, the token and the welcome; in the tables of core the rows of a unit, its group, its history and its first events, in transactions that those of the same moment share.',
} as const

function ratiosOf(measured: Measured): BenchResult['ratios'] {
  const { costs, joined, plainMemory, held, heldByLeast, memory, hasBroker } = measured
  const lowerIsBetter = true
  return [
    ...[...costs].map(([devices, all], at) => ({
      id: at === 0 ? 'intake-cpu' : `intake-cpu-${devices}`,
      what: `CPU a status next to ${bare}, ${devices} units`,
      ratio: ratioOf(all, us, bare),
      goal: 2,
      floor: { value: ratioOf(all, least, bare), why: floorOf.cpu },
      lowerIsBetter,
    })),
    {
      id: 'intake-memory',
      what: 'memory alive a unit',
      ratio: memory.aliveKb,
      unit: 'kB',
      goal: 15,
      floor: { value: plainMemory.aliveKb, why: floorOf.memory },
      lowerIsBetter,
    },
    {
      id: 'intake-memory-resident',
      what: 'memory resident a unit',
      ratio: memory.residentKb,
      unit: 'kB',
      goal: 40,
      floor: { value: plainMemory.residentKb, why: floorOf.memory },
      lowerIsBetter,
    },
    {
      id: 'intake-held',
      what: `units held at 1 Hz, p99 of calls at most ${answerWithinMs} ms`,
      ratio: mostHeld(held),
      unit: 'units',
      goal: mostUnits,
      floor: { value: mostHeld(heldByLeast), why: floorOf.held },
      lowerIsBetter: false,
    },
    {
      id: 'join',
      what: 'processor time to register a new unit',
      ratio: median(joined.core),
      unit: 'ms',
      goal: 0.5,
      floor: { value: median(joined.least), why: floorOf.join },
      lowerIsBetter,
    },
    ...(hasBroker
      ? [
          {
            what: 'CPU a status next to mosquitto',
            ratio: ratioOf([...costs.values()][0], us, mosquitto),
            lowerIsBetter,
          },
        ]
      : []),
  ]
}

const aUnit = (who: string, joinedMs: readonly number[], memory?: Memory): Row => ({
  who,
  'ms of processor to register it': joinedMs.length > 0 ? rounded(median(joinedMs), 2) : '–',
  'kB alive': memory ? rounded(memory.aliveKb) : '–',
  'kB resident': memory ? rounded(memory.residentKb) : '–',
  'of this many units': memory ? memory.units : '–',
})

function resultOf(measured: Measured): BenchResult {
  const { costs, joined, plainMemory, hasBroker, held, heldByLeast, memory } = measured
  return {
    name: 'intake',
    title: '(a) Device status intake',
    setting:
      `One status of six links a second and unit, spread over the second; runs of ${secondsOfARun} s in turns, medians ` +
      `(${sizes.map(({ devices, turns }) => `${turns} turns at ${devices} units`).join(', ')}), after ${secondsToSettle} s of each that do not count. Core checks each status against the ` +
      'contract, derives the live state and keeps the time series and the last known state on disk; one bare process reads ' +
      'it with ws and JSON.parse and puts it into a Map, another also checks, compares and stores it as core must; mosquitto ' +
      'hands it on to one reader.',
    tables: [
      ...[...costs].map(([devices, all]) => ({
        caption: `Cost at ${devices} units`,
        rows: all.map(({ row }) => row),
      })),
      { caption: 'Units held by one core process, while a user works', rows: held },
      {
        caption: 'Units held by the required work alone, while one trivial call follows the other',
        rows: heldByLeast,
      },
      {
        caption: 'A unit',
        rows: [aUnit(us, joined.core, memory), aUnit(bare, [], plainMemory), aUnit(least, joined.least)],
      },
    ],
    ratios: ratiosOf(measured),
    remarks: [
      'The senders run on the same machine and take their share of it, although all that they send is made before: a step that they could not send at full pace ends the climb.',
      'A broker in C that only forwards is no equal: what mosquitto hands on, a consumer must still check, derive and store.',
      'Alive is what a process holds after a forced collection, beyond what it held before the first unit; resident is without one, directly after the last step.',
      'The required work alone derives nothing but what has changed, knows no tenants, alerts, usage and readers, and limits no flood.',
      ...(hasBroker ? [] : ['mosquitto is not installed: no broker in this run.']),
    ],
  }
}
