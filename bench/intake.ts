/** (a) Device status intake: core's gateway beside mosquitto, the same herd with the same bytes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openStage } from '../tests/stage/stage.ts'
import type { BenchResult } from './bench-result.ts'
import { cpuMs, residentKb } from './load/process-cost.ts'

const devices = 3000
const seconds = 15
const herd = (name: string) => join(import.meta.dirname, 'load', `${name}.ts`)

type Cost = { cpuMsPer1k: number; kbPerDevice: number; cpuPercent: number; sent: number; lost: number }

/** Runs a herd against a process and takes the difference in that process' books. */
async function costOf(
  pid: number,
  command: readonly string[],
  received: (said: Said) => Promise<number>,
): Promise<Cost> {
  const idleKb = residentKb(pid)
  const child = spawn(process.execPath, [...command], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  const joinedKb = residentKb(pid)
  const before = cpuMs(pid)
  const said = JSON.parse(((await lines.next()).value as string | undefined) ?? '{}') as Said
  const spentMs = cpuMs(pid) - before
  const lost = said.sent - (await received(said))
  await once(child, 'exit')
  return {
    cpuMsPer1k: (spentMs * 1000) / said.sent,
    kbPerDevice: (joinedKb - idleKb) / devices,
    cpuPercent: (spentMs * 100) / said.tookMs,
    sent: said.sent,
    lost,
  }
}

type Said = { sent: number; received: number; tookMs: number }

async function coreCost(): Promise<Cost> {
  const stage = await openStage()
  try {
    const counted = async () => {
      const text = await (await fetch(`${stage.url}/metrics`)).text()
      return Number(
        /^backhaul_gateway_messages_total\{[^}]*type="telemetry"[^}]*\} (\d+)/m.exec(text)?.[1] ?? 0,
      )
    }
    const gateway = `${stage.url.replace(/^http/, 'ws')}/gateway`
    const pid = stage.pidOf('core')
    return await costOf(
      pid,
      [herd('gateway-herd'), gateway, stage.localKey, String(devices), String(seconds)],
      counted,
    )
  } finally {
    await stage.stop()
  }
}

async function brokerCost(): Promise<Cost | undefined> {
  if (spawnSync('mosquitto', ['-h']).error) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-broker-'))
  const port = await freePort()
  writeFileSync(
    join(folder, 'broker.conf'),
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`,
  )
  const broker: ChildProcess = spawn('mosquitto', ['-c', join(folder, 'broker.conf')], { stdio: 'ignore' })
  try {
    await new Promise((resolve) => setTimeout(resolve, 500))
    return await costOf(
      broker.pid!,
      [herd('mqtt-herd'), String(port), String(devices), String(seconds)],
      async (said) => said.received,
    )
  } finally {
    broker.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

const rowOf = (who: string, cost: Cost) => ({
  who,
  'CPU ms per 1,000 statuses': round(cost.cpuMsPer1k),
  '% of one core': round(cost.cpuPercent),
  'kB per unit': round(cost.kbPerDevice),
  'statuses sent': cost.sent,
  lost: cost.lost,
})
const round = (value: number) => Math.round(value * 10) / 10

export async function benchIntake(): Promise<BenchResult> {
  const core = await coreCost()
  const broker = await brokerCost()
  return {
    name: 'intake',
    title: '(a) Device status intake',
    setting: `${devices} units, one status of six links a second each, ${seconds} s. Core checks each status against the contract, derives the live state and keeps the time series; mosquitto hands each on to one reader.`,
    rows: [rowOf('Backhaul core', core), ...(broker ? [rowOf('mosquitto', broker)] : [])],
    ratios: broker
      ? [
          { what: 'CPU per status', ratio: core.cpuMsPer1k / broker.cpuMsPer1k, lowerIsBetter: true },
          { what: 'memory per unit', ratio: core.kbPerDevice / broker.kbPerDevice, lowerIsBetter: true },
        ]
      : [],
    remarks: [
      'A broker in C that only forwards is the floor, not an equal: what mosquitto hands on, a consumer must still check, derive and store.',
      ...(broker ? [] : ['mosquitto is not installed: no peer in this run.']),
    ],
  }
}
