/** (f) Restart: core killed under a fleet of 3,000, and how long until its picture of the fleet is exact again. */
import { setTimeout as wait } from 'node:timers/promises'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD, demoGroups } from '@backhaul/contract/examples/demo'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { Unit } from '@backhaul/contract/nouns/units'
import { type Person, signIn } from '../tests/stage/person.ts'
import { openStage } from '../tests/stage/stage.ts'
import { until } from '../tests/stage/until.ts'
import type { Bench, Row } from './bench-result.ts'
import { median, rounded } from './figures.ts'

const units = 3000
const kills = 3
const allowedMs = 15_000
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

async function online(url: string): Promise<number> {
  try {
    const text = await (await fetch(url)).text()
    const all = [...text.matchAll(/^backhaul_core_devices_online\{kind="\w+"\} (\d+)/gm)]
    return all.reduce((sum, [, count]) => sum + Number(count), 0)
  } catch {
    return 0
  }
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

export const benchRestart: Bench = async (stack) => {
  const stage = await openStage({ demo: units })
  stack.defer(stage.stop)
  await stage.start('simulator', { args: ['--no-desks'] })
  const person = await signIn(stage.url, 'media', DEMO_PASSWORD)
  // A few units are switched off permanently soon after they joined, so the whole number is never there at once.
  await until('the fleet', async () => (await online(stage.metricsUrl)) >= 0.9 * units, joinWithinMs)
  await wait(10_000)
  const started = await fillChannels(person)
  await wait(20_000)
  const rows: Row[] = []
  const exactAfter: number[] = []
  for (let kill = 1; kill <= kills; kill++) {
    await wait(steadyAfterMs)
    const before = await readFleet(person)
    const there = await online(stage.metricsUrl)
    const killedAt = Date.now()
    const since = () => rounded((Date.now() - killedAt) / 1000, 2)
    process.kill(stage.pidOf('core'), 'SIGKILL')
    await until(
      'core',
      async () => (await fetch(`${stage.url}/healthz`).catch(() => undefined))?.ok,
      backWithinMs,
    )
    const answers = since()
    await until('all devices', async () => (await online(stage.metricsUrl)) >= there, backWithinMs)
    const connected = since()
    await until(
      'the exact picture',
      async () => wrong(before, await readFleet(person), killedAt) === 0,
      backWithinMs,
    )
    const exact = since()
    exactAfter.push(exact * 1000)
    rows.push({
      who: `kill ${kill}`,
      'core answers after s': answers,
      'all devices back after s': connected,
      'picture exact after s': exact,
      devices: there,
    })
  }
  return {
    name: 'restart',
    title: '(f) Restart under load',
    setting: `${units.toLocaleString('en-GB')} simulated units at 1 Hz, ${started} of them on air; core is killed with SIGKILL and started again by its launcher.`,
    tables: [{ caption: 'Seconds after the kill', rows }],
    ratios: [
      {
        what: 'time until the picture of the fleet is exact, against the 15 s that are allowed',
        ratio: median(exactAfter) / allowedMs,
        lowerIsBetter: true,
      },
    ],
    remarks: [
      'Exact means: every unit that was there has spoken to the new core, and status, transmission, channel and delay are as before the kill.',
      'There is no peer: what is compared with is the limit that the product sets itself. Simulator and core share the machine, and the launcher waits a second before it starts core again.',
    ],
  }
}
