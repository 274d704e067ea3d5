/** (i) Users and devices together: how long typical calls take while core is idle, while the fleet reports, while it joins. */
import { setTimeout as wait } from 'node:timers/promises'
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD, type DemoGroupId } from '@backhaul/contract/examples/demo'
import { joinDevice } from '../tests/stage/device.ts'
import { type Person, signIn } from '../tests/stage/person.ts'
import { openStage, type Stage } from '../tests/stage/stage.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { rounded } from './figures.ts'
import { type LoadProgram, startLoad } from './load/load-program.ts'

const devices = 3000
const measuredSeconds = 20
const pauseMs = 40
const goalMs = 200
/** The fleet joins another one: the length of the list does not change. */
const group: DemoGroupId = 'paris-news'

export interface Calls {
  list: () => Promise<unknown>
  delay: () => Promise<unknown>
  page: () => Promise<unknown>
}

type Times = Record<keyof Calls, number[]>

/** One user who makes one call after the other until `isOver`. */
async function timesOf(calls: Calls, isOver: () => boolean): Promise<Times> {
  const times: Times = { list: [], delay: [], page: [] }
  const names = Object.keys(calls) as (keyof Calls)[]
  for (let at = 0; !isOver(); at++) {
    const name = names[at % names.length] as keyof Calls
    const startedMs = performance.now()
    await calls[name]()
    times[name].push(performance.now() - startedMs)
    await wait(pauseMs)
  }
  return times
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

function rowOf(who: string, times: Times): Row {
  const figures: Record<string, number> = {}
  for (const [name, values] of Object.entries(times)) {
    figures[`${name} p50 ms`] = rounded(quantile(values, 0.5))
    figures[`${name} p99 ms`] = rounded(quantile(values, 0.99))
  }
  return { who, calls: Object.values(times).flat().length, ...figures }
}

/** Typical calls of a user of the demo. */
export async function callsOf(stage: Stage, person: Person): Promise<Calls> {
  const unit = await joinDevice(stage, { name: 'ONE', groupId: group })
  const query = { group }
  let delay = 1000
  return {
    list: () => person.call(api.units.ofGroup, { query }),
    delay: async () => {
      delay = delay === 1000 ? 2000 : 1000
      await person.call(api.unitCommands.setDelay, { params: { id: unit.id }, body: { delay } })
    },
    page: async () => void (await (await fetch(`${stage.url}/unit/list`)).text()),
  }
}

/** The times that calls take until `busy` is over. */
export async function whileBusy(calls: Calls, busy: Promise<unknown>): Promise<Times> {
  let isOver = false
  const end = busy.finally(() => {
    isOver = true
  })
  const times = await timesOf(calls, () => isOver)
  await end
  return times
}

export const worst = (times: Times): number => quantile(Object.values(times).flat(), 0.99)

export const benchPeople: Bench = async (stack): Promise<BenchResult> => {
  const stage = await openStage({ demo: 20 })
  stack.defer(stage.stop)
  const url = `${stage.url.replace(/^http/, 'ws')}/gateway`
  const calls = await callsOf(stage, await signIn(stage.url, 'chief', DEMO_PASSWORD))
  const fleet: LoadProgram = startLoad(stack, 'load/gateway-fleet', [url, stage.localKey])
  const idle = await whileBusy(calls, wait(measuredSeconds * 1000))
  const joining = await whileBusy(calls, fleet.request({ grow: devices, atOnce: devices }))
  const reporting = await whileBusy(calls, fleet.request({ sendSeconds: measuredSeconds }))
  const goal = (times: Times, what: string) => ({
    id: `people-p99-${what}`,
    what: `p99 of calls while ${what}, to ${goalMs} ms`,
    ratio: worst(times) / goalMs,
    goal: 1,
    lowerIsBetter: true,
  })
  return {
    name: 'people',
    title: '(i) Users together with devices',
    setting:
      `One user lists the units of a group, changes a delay and opens the console, one call every ${pauseMs} ms: with an ` +
      `idle core, while ${devices} units register at the same moment, and while they report once a second each.`,
    tables: [
      {
        caption: 'Time to the answer',
        rows: [rowOf('idle', idle), rowOf('joining', joining), rowOf('reporting', reporting)],
      },
    ],
    ratios: [goal(reporting, 'reporting'), goal(joining, 'joining')],
    remarks: ['The senders run on the same machine and take their share of it.'],
  }
}
