/**
 * The product over a long time: `npm run soak -- [minutes] [--file <path>]`. Starts it as `npm start` does with a demo of 20
 * units, sends the real unit's picture to the real hub, keeps the unit list and the wall open in Chromium, and prints each
 * minute the memory of everything. Ends with slopes and a verdict: 0 when memory is flat and no picture was lost.
 */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { client } from '@backhaul/contract/api/client'
import { signIn } from '../tests/stage/person.ts'
import { ownKb } from './load/process-cost.ts'
import { goLive, startProduct } from './soak/product.ts'
import { watchStream } from './soak/stream-watch.ts'
import { openTab } from './soak/tabs.ts'
import { flatHeapKb, flatOwnKb, type Sample, trendOf } from './soak/trend.ts'

const unitName = 'soak-unit'
const hubName = 'soak-hub'
const password = 'Soak-Desk-1-long'
/** Caches fill and code is compiled: left out of the slopes, at most this much and at most a third. */
const warmUpMinutes = 20
const settleMs = 30_000
const longestSettleMs = 5 * 60_000
const settledIdleShare = 0.15

const { positionals, values } = parseArgs({ allowPositionals: true, options: { file: { type: 'string' } } })
const minutes = Number(positionals[0] ?? 60)
if (!(minutes >= 1)) {
  process.stderr.write('Give the number of minutes, 1 or more: npm run soak -- 60 --file soak.txt\n')
  process.exit(2)
}
if (values.file) writeFileSync(values.file, '')

function print(line: string): void {
  process.stdout.write(`${line}\n`)
  if (values.file) appendFileSync(values.file, `${line}\n`)
}

const stack = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stack.disposeAsync().finally(() => process.exit(130)))

try {
  process.exitCode = await soak()
} catch (error) {
  print(`The soak failed: ${error instanceof Error ? error.stack : String(error)}`)
  process.exitCode = 2
} finally {
  await stack.disposeAsync()
}

async function soak(): Promise<number> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'backhaul-soak-'))
  stack.defer(() => rmSync(dataFolder, { recursive: true, force: true }))
  const product = await startProduct(dataFolder, {
    BACKHAUL_DEMO: '20',
    BACKHAUL_HOST: '127.0.0.1',
    BACKHAUL_PORT: '0',
    BACKHAUL_HUB_MEDIA_PORT: '0',
    BACKHAUL_HUB_ADDRESS: '127.0.0.1',
    BACKHAUL_HUB_INPUTS: ',',
    BACKHAUL_ADMIN_PASSWORD: password,
    BACKHAUL_UNIT_NAME: unitName,
    BACKHAUL_HUB_NAME: hubName,
  })
  stack.defer(product.stop)
  const person = await signIn(product.url, 'admin', password)
  const air = await goLive(person, unitName, hubName)
  await person.call(client.savePreferences, { body: { groupId: air.groupId } })
  const tabs = [
    await openTab(stack, 'list', product.url, '/unit/list?ignoreRouteDefault=1', password),
    await openTab(stack, 'wall', product.url, '/unit/multiview?ignoreRouteDefault=1', password),
  ]
  await settle()
  const stream = watchStream(product.url, person, air.channelId)
  stack.defer(stream.close)
  print(
    `Live on ${air.channelId}; ${minutes} minutes. Memory in kB; gaps of picture are read where the hub's`,
  )
  print(
    'MPEG-TS leaves for browsers (WebSocket, by way of core): by stamp (never sent) and by arrival (late or never).',
  )

  const memory = new Map<string, { samples: Sample[]; flat: number }>()
  const startedMs = performance.now()
  const before = { ...product.counts }
  for (let minute = 1; minute <= minutes; minute++) {
    await wait(Math.max(0, startedMs + minute * 60_000 - performance.now()))
    for (const { name, kb, flat } of await readMemory()) {
      const { samples = [] } = memory.get(name) ?? {}
      if (Number.isFinite(kb)) memory.set(name, { samples: [...samples, { minute, value: kb }], flat })
    }
    const row = [...memory].map(([name, { samples }]) => `${name} ${samples.at(-1)?.value}`)
    print(`${clockTime()} minute ${minute}: ${row.join(', ')}; ${picture()}`)
  }
  return verdict()

  async function readMemory(): Promise<{ name: string; kb: number; flat: number }[]> {
    const rows: { name: string; kb: number; flat: number }[] = []
    const addOwn = (name: string, kb: number) => rows.push({ name, kb, flat: flatOwnKb })
    const addHeap = (name: string, kb: number) => rows.push({ name, kb, flat: flatHeapKb })
    const heaps = await product.heaps()
    for (const [name, pid] of product.pids()) {
      const { objects = Number.NaN, code = Number.NaN } = heaps.get(name) ?? {}
      addOwn(name, ownKb(pid))
      addHeap(`${name} objects`, objects)
      addHeap(`${name} code`, code)
    }
    for (const tab of tabs) {
      const read = await tab.read().catch(() => ({ ownKb: Number.NaN, heapKb: Number.NaN }))
      addOwn(tab.name, read.ownKb)
      addHeap(`${tab.name} heap`, read.heapKb)
    }
    return rows
  }

  function picture(): string {
    const seen = stream.read()
    const by = (count: number, longestMs: number) => `${count} (longest ${Math.round(longestMs)} ms)`
    return (
      `frames ${seen.frames}, gaps by stamp ${by(seen.stampGaps, seen.longestStampGapMs)}, ` +
      `by arrival ${by(seen.arrivalGaps, seen.longestArrivalGapMs)}, continuity errors ${seen.continuityErrors}, ` +
      `reconnects ${seen.reconnects}, encoder starts ${product.counts.encoderStarts - before.encoderStarts}, ` +
      `rate changes ${product.counts.rateChanges - before.rateChanges}, programs ended ${product.counts.programEnds}`
    )
  }

  function verdict(): number {
    const from = Math.min(warmUpMinutes, Math.floor(minutes / 3))
    print(`Slopes after ${from} minutes, kB a minute ± noise (two standard errors):`)
    let isGood = true
    for (const [name, { samples, flat }] of memory) {
      const lasting = samples.filter(({ minute }) => minute > from)
      const trend = trendOf(lasting, flat)
      if (!trend) {
        print(`  ${name}: too few samples`)
        continue
      }
      isGood &&= trend.isFlat
      const slope = `${trend.perMinute.toFixed(0)} ± ${trend.noise.toFixed(0)}`
      print(`  ${name}: ${slope}: ${trend.isFlat ? 'flat within noise' : 'not flat'}`)
    }
    const seen = stream.read()
    const faults: [string, number][] = [
      ['gaps by stamp', seen.stampGaps],
      ['continuity errors', seen.continuityErrors],
      ['reconnects', seen.reconnects],
      ['programs ended', product.counts.programEnds],
      ['no frames', seen.frames === 0 ? 1 : 0],
    ]
    for (const [what, count] of faults) if (count > 0) print(`  ${what}: ${count}`)
    isGood &&= faults.every(([, count]) => count === 0)
    print(picture())
    print(isGood ? 'Passed.' : 'Not passed.')
    return isGood ? 0 : 1
  }
}

/** Two browsers that start, and the first compilation, take every core: a loss meanwhile is the machine's, not the product's. */
async function settle(): Promise<void> {
  const endMs = performance.now() + longestSettleMs
  let before = processorTime()
  while (performance.now() < endMs) {
    await wait(settleMs)
    const now = processorTime()
    if ((now.idle - before.idle) / (now.total - before.total) >= settledIdleShare) return
    before = now
  }
}

function processorTime(): { idle: number; total: number } {
  const times = cpus().map((cpu) => cpu.times)
  const idle = times.reduce((sum, time) => sum + time.idle, 0)
  return { idle, total: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) }
}

function clockTime(): string {
  return new Date().toISOString().slice(11, 19)
}
