/** (f) Restart: core is killed under a fleet, and how long until its picture of the fleet is exact again. */
import { setTimeout as wait } from 'node:timers/promises'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD, demoGroups } from '@backhaul/contract/examples/demo'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { Unit } from '@backhaul/contract/nouns/units'
import { type Person, signIn } from '../tests/stage/person.ts'
import { openStage, type Stage } from '../tests/stage/stage.ts'
import { until } from '../tests/stage/until.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, rounded } from './figures.ts'
import { startLoad } from './load/load-program.ts'

/** With transmissions, by the simulator. */
const simulatedUnits = 3000
/** The most that one core holds. */
const mostUnits = 15_000
const kills = 3
const goalSeconds = 15
const joinWithinMs = 180_000
const backWithinMs = 120_000
/** After this time a core counts as stable, and its launcher starts it again without a growing pause. */
const steadyAfterMs = 35_000

interface Fleet {
  readonly units: ReadonlyMap<string, Unit>
  readonly channels: readonly Channel[]
}

async function readFleet(person: Person): Promise<Fleet> {
  const fleet = { units: new Map<string, Unit>(), channels: [] as Channel[] }
  for (const { id: group } of demoGroups) {
    for (const unit of await person.call(api.units.ofGroup, { query: { group } }))
      fleet.units.set(unit.uid, unit)
    fleet.channels.push(...(await person.call(api.channels.ofGroup, { query: { group } })))
  }
  return fleet
}

const metricsOf = async (url: string): Promise<string> => {
  const answer = await fetch(url).catch(() => undefined)
  return (await answer?.text()) ?? ''
}

async function online(url: string): Promise<number> {
  const all = [...(await metricsOf(url)).matchAll(/^backhaul_core_devices_online\{kind="\w+"\} (\d+)/gm)]
  return all.reduce((sum, [, count]) => sum + Number(count), 0)
}

/** The number of units that are shown with each status. */
async function statuses(url: string): Promise<string> {
  return ((await metricsOf(url)).match(/^backhaul_core_units\{.*$/gm) ?? []).toSorted().join()
}

/** Puts a ready unit of its group on every free channel. */
async function fillChannels(person: Person): Promise<number> {
  const { units, channels } = await readFleet(person)
  const free = channels.filter(({ status, inputType }) => status === 'idle' && inputType === null)
  const ready = [...units.values()].filter(({ idle, transmission }) => idle && transmission === null)
  let started = 0
  for (const channel of free) {
    const unit = ready.findIndex(({ inventoryId }) => inventoryId === channel.inventoryId)
    const [taken] = unit < 0 ? [] : ready.splice(unit, 1)
    if (!taken) continue
    const start = { params: { id: taken.uid }, body: { channel: channel.uniqueId } }
    started += await person.call(api.unitCommands.start, start).then(
      () => 1,
      () => 0,
    )
  }
  return started
}

/** Number of units that are not yet shown as before, by their own reports since the kill. */
function wrong(before: Fleet, now: Fleet, killedAt: number): number {
  let count = 0
  for (const unit of before.units.values()) {
    if (unit.offline) continue
    const shown = now.units.get(unit.uid)
    const isExact =
      shown !== undefined &&
      (shown.reportedAt ?? 0) > killedAt &&
      shown.status === unit.status &&
      shown.transmission?.id === unit.transmission?.id &&
      shown.channelId === unit.channelId &&
      shown.delay === unit.delay &&
      shown.selChannel?.status === unit.selChannel?.status
    if (!isExact) count++
  }
  return count
}

/** Seconds after a kill. */
interface Kill {
  answers: number
  connected: number
  exact: number
  devices: number
}

interface Scene {
  stage: Stage
  person: Person
  /** The number of devices that are connected. */
  connected: () => Promise<number>
  /** A sign of the picture that costs core less than the list of all units, which proves it. */
  sign: () => Promise<string>
}

async function killCore({ stage, person, connected: connectedNow, sign }: Scene): Promise<Kill> {
  await wait(steadyAfterMs)
  const [before, signBefore] = [await readFleet(person), await sign()]
  const devices = await connectedNow()
  const killedAt = Date.now()
  const since = () => rounded((Date.now() - killedAt) / 1000, 2)
  process.kill(stage.pidOf('core'), 'SIGKILL')
  const isAnswering = async () => (await fetch(`${stage.url}/healthz`).catch(() => undefined))?.ok
  await until('core', isAnswering, backWithinMs)
  const answers = since()
  await until('all devices', async () => (await connectedNow()) >= devices, backWithinMs)
  const connected = since()
  const exact = await until(
    'the exact picture',
    async () => {
      if ((await sign()) !== signBefore) return
      const requestedAfter = since()
      return wrong(before, await readFleet(person), killedAt) === 0 ? requestedAfter : undefined
    },
    backWithinMs,
  )
  return { answers, connected, exact, devices }
}

interface Restart {
  rows: Row[]
  exactAfter: number
}

async function restartsOf(scene: Scene, who: string): Promise<Restart> {
  const all: Kill[] = []
  for (let kill = 1; kill <= kills; kill++) all.push(await killCore(scene))
  const rows = all.map(({ answers, connected, exact, devices }, at) => ({
    who: `${who}, kill ${at + 1}`,
    'core answers after s': answers,
    'all devices back after s': connected,
    'picture exact after s': exact,
    devices,
  }))
  return { rows, exactAfter: median(all.map(({ exact }) => exact)) }
}

/** Units and servers of the simulator, as many of them on air as there are channels. */
async function ofSimulator(stack: AsyncDisposableStack) {
  const stage = await openStage({ demo: simulatedUnits })
  stack.defer(stage.stop)
  await stage.start('simulator', { args: ['--no-desks'] })
  const person = await signIn(stage.url, 'media', DEMO_PASSWORD)
  const connected = () => online(stage.metricsUrl)
  // A few units are switched off permanently soon after they joined, so the whole number is never there at once.
  await until('the fleet', async () => (await connected()) >= 0.9 * simulatedUnits, joinWithinMs)
  await wait(10_000)
  const started = await fillChannels(person)
  await wait(20_000)
  return {
    started,
    ...(await restartsOf({ stage, person, connected, sign: async () => '' }, 'simulated units')),
  }
}

async function ofMost(stack: AsyncDisposableStack): Promise<Restart> {
  const stage = await openStage({ demo: 20 })
  stack.defer(stage.stop)
  const url = `${stage.url.replace(/^http/, 'ws')}/gateway`
  const fleet = startLoad(stack, 'load/returning-fleet', [url, stage.localKey])
  await fleet.request({ join: mostUnits })
  const person = await signIn(stage.url, 'media', DEMO_PASSWORD)
  const connected = async () => (await fleet.request<{ connected: number }>({})).connected
  return await restartsOf({ stage, person, connected, sign: () => statuses(stage.metricsUrl) }, 'units')
}

/** Each fleet on a core of its own, which ends before the next one starts. */
async function alone<T>(stack: AsyncDisposableStack, run: (own: AsyncDisposableStack) => Promise<T>) {
  const own = stack.use(new AsyncDisposableStack())
  const result = await run(own)
  await own.disposeAsync()
  return result
}

export const benchRestart: Bench = async (stack): Promise<BenchResult> => {
  const { started, ...simulated } = await alone(stack, ofSimulator)
  const most = await alone(stack, ofMost)
  const [few, many] = [simulatedUnits, mostUnits].map((count) => count.toLocaleString('en-GB'))
  const ratio = (id: string, of: string, { exactAfter }: Restart) => ({
    id,
    what: `time until the picture of ${of} units is exact`,
    ratio: exactAfter,
    unit: 's',
    goal: goalSeconds,
    lowerIsBetter: true,
  })
  return {
    name: 'restart',
    title: '(f) Restart under load',
    setting: `Core is killed with SIGKILL and started again by its launcher: under ${few} simulated units, ${started} of them on air, and under ${many} units that send what they have measured meanwhile as soon as they are back. All send one status a second and dial with the pauses of the real units.`,
    tables: [{ caption: 'Seconds after the kill', rows: [...simulated.rows, ...most.rows] }],
    ratios: [ratio('restart', few!, simulated), ratio('restart-15000', many!, most)],
    remarks: [
      'Exact means: every unit that was there has spoken to the new core, and status, transmission, channel and delay are as before the kill; the time is that of the request for the list which shows it.',
      'There is no peer: what is compared with is the limit that the product sets itself. Units and core share the machine, and the launcher waits before it starts core again.',
    ],
  }
}
