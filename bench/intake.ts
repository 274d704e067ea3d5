/** (a) Device status intake: core's gateway against mosquitto, the same herd with the same bytes. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openStage, type Stage } from '../tests/stage/stage.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, rounded } from './figures.ts'
import type { Sent } from './load/herd.ts'
import { freePort, type LoadProgram, startLoad, startProcess } from './load/load-program.ts'
import { cpuMs, residentKb } from './load/process-cost.ts'

const devices = 3000
const secondsOfARun = 8
const runs = 3
/** Ends below the limit of 20,000 open files that a process has here. */
const steps = [1000, 3000, 5000, 8000, 11_000, 15_000]
const secondsOfAStep = 8
const mostOfACore = 90
/** Below this share of a status a second and unit the senders have no processor left, and the step is not counted. */
const leastPace = 0.95

interface Contestant {
  pid: number
  herd: LoadProgram
  /** Number of statuses that it has received since its start. */
  taken(): Promise<number>
}

export async function openCore(stack: AsyncDisposableStack): Promise<Contestant & { stage: Stage }> {
  const stage = await openStage()
  stack.defer(stage.stop)
  const url = `${stage.url.replace(/^http/, 'ws')}/gateway`
  return {
    stage,
    pid: stage.pidOf('core'),
    herd: startLoad(stack, 'load/gateway-herd', [url, stage.localKey]),
    taken: () => telemetryTaken(stage.metricsUrl),
  }
}

async function telemetryTaken(url: string): Promise<number> {
  const text = await (await fetch(url)).text()
  const found = /^backhaul_core_gateway_messages_total\{[^}]*type="telemetry"[^}]*\} (\d+)/m.exec(text)
  return Number(found?.[1] ?? 0)
}

async function openBroker(stack: AsyncDisposableStack): Promise<Contestant | undefined> {
  if (spawnSync('mosquitto', ['-h']).error) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-broker-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const settings = `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`
  writeFileSync(join(folder, 'broker.conf'), settings)
  const broker = startProcess(stack, 'mosquitto', ['-c', join(folder, 'broker.conf')])
  await wait(500)
  const herd = startLoad(stack, 'load/mqtt-herd', [port])
  const taken = async () => (await herd.request<{ received: number }>({})).received
  return { pid: broker.pid, herd, taken }
}

interface Run {
  cpuMsPer1k: number
  percentOfCore: number
  sent: number
  perSecond: number
  lost: number
}

export async function sendFor(
  { pid, herd, taken }: Contestant,
  seconds: number,
  alarming = false,
): Promise<Run> {
  const takenBefore = await taken()
  const before = cpuMs(pid)
  const { sent, tookMs } = await herd.request<Sent>({ sendSeconds: seconds, alarming })
  const spentMs = cpuMs(pid) - before
  await wait(500)
  const lost = sent - ((await taken()) - takenBefore)
  return {
    cpuMsPer1k: (spentMs * 1000) / sent,
    percentOfCore: (spentMs * 100) / tookMs,
    sent,
    perSecond: (sent * 1000) / tookMs,
    lost,
  }
}

interface Cost {
  who: string
  cpuMsPer1k: number
  kbPerDevice: number
  row: Row
}

async function costOf(who: string, contestant: Contestant): Promise<Cost> {
  const idleKb = residentKb(contestant.pid)
  await contestant.herd.request({ grow: devices })
  const all: Run[] = []
  for (let run = 0; run < runs; run++) all.push(await sendFor(contestant, secondsOfARun))
  const kbPerDevice = (residentKb(contestant.pid) - idleKb) / devices
  const cpuMsPer1k = median(all.map((run) => run.cpuMsPer1k))
  return {
    who,
    cpuMsPer1k,
    kbPerDevice,
    row: {
      who,
      'CPU µs a status': rounded(cpuMsPer1k),
      '% of one core': rounded(median(all.map((run) => run.percentOfCore))),
      'memory kB a unit': rounded(kbPerDevice),
      'statuses sent': all.reduce((sum, run) => sum + run.sent, 0),
      lost: all.reduce((sum, run) => sum + run.lost, 0),
    },
  }
}

/** More and more units until one status is lost or core needs nearly a whole core. */
async function climb(core: Contestant): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of steps) {
    if (count > devices) await core.herd.request({ grow: count })
    if (count < devices) continue
    const { percentOfCore, sent, perSecond, lost } = await sendFor(core, secondsOfAStep)
    rows.push({
      who: `${count} units`,
      'statuses a second': Math.round(perSecond),
      'statuses sent': sent,
      lost,
      '% of one core': rounded(percentOfCore),
      'memory MB': Math.round(residentKb(core.pid) / 1024),
    })
    if (lost > 0 || percentOfCore >= mostOfACore || perSecond < leastPace * count) break
  }
  return rows
}

const isHeld = (row: Row) =>
  row.lost === 0 &&
  Number(row['% of one core']) < mostOfACore &&
  Number(row['statuses a second']) >= leastPace * Number.parseInt(row.who, 10)

export const benchIntake: Bench = async (stack): Promise<BenchResult> => {
  const parts = stack.use(new AsyncDisposableStack())
  const broker = await openBroker(parts)
  const brokerCost = broker && (await costOf('mosquitto', broker))
  await parts.disposeAsync()
  const core = await openCore(stack)
  const coreCost = await costOf('Backhaul core', core)
  const held = await climb(core)
  const most = held.findLast(isHeld)?.who ?? 'less than the first step'
  return {
    name: 'intake',
    title: '(a) Device status intake',
    setting:
      `${devices} units, one status of six links a second each, spread over the second; ${runs} runs of ${secondsOfARun} s, ` +
      'medians. Core checks each status against the contract, derives the live state and keeps the time series and the ' +
      'last known state on disk; mosquitto hands each on to one reader.',
    tables: [
      { caption: 'Cost', rows: [coreCost.row, ...(brokerCost ? [brokerCost.row] : [])] },
      { caption: 'Units held by one core process without loss', rows: held },
    ],
    ratios: brokerCost
      ? [
          { what: 'CPU a status', ratio: coreCost.cpuMsPer1k / brokerCost.cpuMsPer1k, lowerIsBetter: true },
          {
            what: 'memory a unit',
            ratio: coreCost.kbPerDevice / brokerCost.kbPerDevice,
            lowerIsBetter: true,
          },
        ]
      : [],
    remarks: [
      `Largest step held with nothing lost and below ${mostOfACore} % of a core: ${most}. The senders run on the same machine and take their share of it: a step that they could not send at full pace ends the climb.`,
      'We lose both ratios. A broker in C that only forwards is the floor, not an equal: what mosquitto hands on, a consumer must still check, derive and store.',
      'The memory of a unit holds its live state, its open time series and its socket; part of it is garbage that the runtime has not yet collected.',
      ...(broker ? [] : ['mosquitto is not installed: no peer in this run.']),
    ],
  }
}
