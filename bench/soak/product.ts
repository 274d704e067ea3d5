/** The product as `npm start` runs it, with a small demo, and its real unit live on its real hub. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { channels } from '@backhaul/contract/api/channels'
import { client } from '@backhaul/contract/api/client'
import { unitCommands, units } from '@backhaul/contract/api/units'
import { builtMain, type ProgramName, programs } from '../../scripts/parts.ts'
import { repository } from '../../scripts/places.ts'
import type { Person } from '../../tests/stage/person.ts'
import { until } from '../../tests/stage/until.ts'
import { inspected, type ProgramHeap, programHeap } from './debugger.ts'

export interface Product {
  readonly url: string
  /** Process ids now; a program that has ended and was started again has another one. */
  pids(): Map<ProgramName, number>
  heaps(): Promise<Map<ProgramName, ProgramHeap>>
  /** The numbers of starts of the unit's encoder and of ends of programs, from their logs. */
  readonly counts: { encoderStarts: number; rateChanges: number; programEnds: number }
  stop(): Promise<void>
}

export async function startProduct(dataFolder: string, env: NodeJS.ProcessEnv): Promise<Product> {
  const launcher = spawn(process.execPath, [join(repository, 'scripts', 'launch.ts')], {
    cwd: repository,
    env: {
      ...process.env,
      ...env,
      BACKHAUL_DATA: dataFolder,
      BACKHAUL_LOG: 'json',
      NODE_OPTIONS: '--inspect=127.0.0.1:0',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const counts = { encoderStarts: 0, rateChanges: 0, programEnds: 0 }
  const lastLines: string[] = []
  const debuggers = createDebuggers()
  createInterface({ input: launcher.stderr! }).on('line', (line) => {
    lastLines.splice(0, lastLines.length - 30)
    lastLines.push(line)
    debuggers.note(line)
    if (line.includes('"msg":"on air"')) counts.encoderStarts++
    if (line.includes('"msg":"changing the video rate"')) counts.rateChanges++
    if (line.includes('a program ended, restarting')) counts.programEnds++
  })
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: launcher.stdout! }).on('line', (line) => {
      if (line.includes('"ready"')) resolve((JSON.parse(line) as { url: string }).url)
    })
    launcher.once('exit', () => reject(new Error(`the launcher ended:\n${lastLines.join('\n')}`)))
  })
  const pids = () => programsBelow(launcher.pid!)
  return { url, counts, pids, heaps: () => debuggers.heaps(pids()), stop: () => stopLauncher(launcher) }
}

/** Each program prints the address of its debugger, but not its name. */
function createDebuggers() {
  const addressOf = new Map<number, string>()
  let unknown: string[] = []

  async function learn(address: string): Promise<void> {
    const command = { method: 'Runtime.evaluate', params: { expression: 'process.pid' } }
    const { result } = await inspected(address, ({ ask }) => ask<{ result: { value: number } }>(command))
    addressOf.set(result.value, address)
  }

  return {
    note(line: string): void {
      const [, address] = /^Debugger listening on (ws:\S+)/.exec(line) ?? []
      if (address !== undefined) unknown.push(address)
    },
    async heaps(pids: ReadonlyMap<ProgramName, number>): Promise<Map<ProgramName, ProgramHeap>> {
      const learning = unknown
      unknown = []
      // A program that ended since does not answer.
      for (const address of learning) await learn(address).catch(() => {})
      const heaps = new Map<ProgramName, ProgramHeap>()
      for (const [name, pid] of pids) {
        const address = addressOf.get(pid)
        const heap = address !== undefined && (await programHeap(address).catch(() => undefined))
        if (heap) heaps.set(name, heap)
      }
      return heaps
    },
  }
}

async function stopLauncher(launcher: ChildProcess): Promise<void> {
  if (launcher.exitCode !== null) return
  const ended = new Promise((resolve) => launcher.once('exit', resolve))
  launcher.kill('SIGTERM')
  await ended
}

function programsBelow(launcherPid: number): Map<ProgramName, number> {
  const found = new Map<ProgramName, number>()
  for (const folder of readdirSync('/proc')) {
    if (!/^\d+$/.test(folder)) continue
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${folder}/status`, 'utf8'))?.[1]
      if (Number(parent) !== launcherPid) continue
      const command = readFileSync(`/proc/${folder}/cmdline`, 'utf8')
      const name = programs.find((program) => command.includes(builtMain(repository, program)))
      if (name) found.set(name, Number(folder))
    } catch {
      // It ended during the scan.
    }
  }
  return found
}

export interface Air {
  readonly groupId: string
  readonly unitId: string
  readonly channelId: string
}

/** The agent's unit starts to send to a free channel of the real hub. */
export async function goLive(person: Person, unitName: string, hubName: string): Promise<Air> {
  const air = await until(
    `${unitName} and ${hubName} are there`,
    () => findAir(person, unitName, hubName),
    60_000,
  )
  const params = { id: air.unitId }
  await person.call(unitCommands.start, { params, body: { channel: air.channelId } })
  await until(
    'the channel collects',
    async () => {
      const { status } = await person.call(channels.status, { params: { id: air.channelId } })
      return status === 'collecting'
    },
    60_000,
  )
  return air
}

async function findAir(person: Person, unitName: string, hubName: string): Promise<Air | undefined> {
  for (const { uid: group } of await person.call(client.lightGroups, {})) {
    const unit = (await person.call(units.ofGroup, { query: { group } })).find(
      ({ name, offline }) => name === unitName && !offline,
    )
    const channel = (await person.call(channels.ofGroup, { query: { group } })).find(
      ({ serverName, status, inputType }) =>
        serverName === hubName && status === 'idle' && inputType === null,
    )
    if (unit && channel) return { groupId: group, unitId: unit.uid, channelId: channel.uniqueId }
  }
  return undefined
}
