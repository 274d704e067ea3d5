/** The desks of the demo: users who start and stop units through the public API, as an operator would. */
import { channels } from '@backhaul/contract/api/channels'
import { client } from '@backhaul/contract/api/client'
import { unitCommands, units } from '@backhaul/contract/api/units'
import { videoReturn } from '@backhaul/contract/api/video-return'
import type { Call } from '@backhaul/contract/define/client'
import { Refusal } from '@backhaul/contract/define/errors'
import { demoDesks } from '@backhaul/contract/examples/demo'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Fleet } from '../fleet/fleet.ts'
import { Random, seedOf } from '../random.ts'
import { commentFor, planDesk, planReturn, type Start } from './desk-plan.ts'
import { originOf, signIn } from './sign-in.ts'

export interface DeskOptions {
  coreUrl: string
  password: string
  seed: number
  liveShare: () => number
  /** A desk only operates simulated devices. */
  fleet: Fleet
  clock: Clock
  log: Log
}

/** A desk with much to do starts the next round soon, else later. */
const busyPeriodMs = 4000
const calmPeriodMs = 20_000
const afterFailureMs = 15_000

export function startDesks(options: DeskOptions): { stop(): void } {
  const stops = demoDesks.map((username) => startDesk(username, options))
  return {
    stop() {
      for (const stop of stops) stop()
    },
  }
}

function startDesk(username: string, options: DeskOptions): () => void {
  const { coreUrl, password, clock, log } = options
  const operate = createOperating(username, options)
  let call: Call | undefined
  let timer: Timer | undefined
  let stopped = false

  /** Returns the number of starts and stops. */
  async function operateAll(): Promise<number> {
    call ??= await signIn(originOf(coreUrl), username, password)
    let done = 0
    for (const { uid: group } of await call(client.lightGroups, {})) done += await operate(call, group)
    return done
  }

  async function round(): Promise<void> {
    let nextMs = afterFailureMs
    try {
      nextMs = (await operateAll()) > 4 ? busyPeriodMs : calmPeriodMs
    } catch (error) {
      // The sign-in may have expired, or core is unreachable.
      call = undefined
      log.info(
        { username, reason: error instanceof Error ? error.message : String(error) },
        'desk round failed, retrying',
      )
    }
    if (!stopped) timer = clock.setTimeout(() => void round(), nextMs)
  }

  timer = clock.setTimeout(() => void round(), busyPeriodMs)
  return () => {
    stopped = true
    clock.clearTimeout(timer)
  }
}

/** Creates the function that operates a group; it answers the number of starts and stops. */
function createOperating(username: string, { seed, liveShare, fleet, log }: DeskOptions) {
  const serialNumbers = new Set(fleet.units.map(({ serialNumber }) => serialNumber))
  const serverNames = new Set(fleet.servers.map(({ name }) => name))
  const returnServerNames = new Set(fleet.returnServers.map(({ name }) => name))
  const random = new Random(seedOf('desk', seed, username))
  const isSport = username === 'desk-sport'
  const commented = new Set<string>()

  /** Crews see the studio while they are on air. */
  async function operateReturns(
    call: Call,
    groupId: string,
    { staying, stopped }: { staying: readonly Unit[]; stopped: readonly string[] },
  ): Promise<void> {
    const all = await call(videoReturn.ofGroup, { params: { groupId } })
    const simulated = all.filter(({ serverName }) => returnServerNames.has(serverName))
    for (const id of stopped) {
      if (simulated.some(({ unitUid }) => unitUid === id))
        await allowed(call(videoReturn.stop, { params: { id } }))
    }
    const next = planReturn(staying, simulated, random)
    if (next === undefined) return
    const params = { id: next.uid }
    await allowed(call(videoReturn.select, { params, body: { channel: next.channelId } }))
    await allowed(call(videoReturn.start, { params }))
  }

  async function startUnit(call: Call, { uid: id, channelId, delayMs }: Start): Promise<void> {
    if (delayMs !== undefined)
      await allowed(call(unitCommands.setDelay, { params: { id }, body: { delay: delayMs } }))
    await allowed(call(unitCommands.start, { params: { id }, body: { channel: channelId } }))
  }

  /** Another user may have been faster, or the unit disconnected: the next round decides again. */
  async function allowed(request: Promise<unknown>): Promise<void> {
    try {
      await request
    } catch (error) {
      if (!(error instanceof Refusal) || error.status === 401 || error.status === 0) throw error
      log.debug({ username, reason: error.message }, 'request of the desk refused')
    }
  }

  return async (call: Call, group: string): Promise<number> => {
    const [itsUnits, itsChannels] = await Promise.all([
      call(units.ofGroup, { query: { group } }),
      call(channels.ofGroup, { query: { group } }),
    ])
    const ours = itsUnits.filter(({ serialNumber }) => serialNumbers.has(serialNumber))
    const simulated = itsChannels.filter(({ serverName }) => serverNames.has(serverName))
    const { starts, stops } = planDesk(username, ours, simulated, liveShare(), isSport, random)
    for (const id of stops) await allowed(call(unitCommands.stop, { params: { id } }))
    for (const start of starts) await startUnit(call, start)
    const staying = ours.filter(({ uid }) => !stops.includes(uid))
    await operateReturns(call, group, { staying, stopped: stops })
    for (const unit of ours) {
      if (commented.has(unit.uid)) continue
      commented.add(unit.uid)
      const comment = commentFor(unit, isSport, random)
      if (comment) await allowed(call(units.update, { params: { id: unit.uid }, body: { comment } }))
    }
    return starts.length + stops.length
  }
}
