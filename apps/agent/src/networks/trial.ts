// Changes of networks on trial: what cuts the unit off from core is undone.
import { because } from '@backhaul/contract/define/refusals'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { Bus } from './bus.ts'
import { manager, optional, pause, storeProfile } from './profiles.ts'

const deletesNewConnections = 0x02
const connectedState = 100
const connectedWithinMs = 10_000

export interface Trial {
  clock: Clock
  /** The time without core after which the change is undone. */
  withinS: number
  reachesCore: () => Promise<boolean>
  /** The message to the operator in that case. */
  fellBack: 'ethernet.fellBack' | 'network.fellBack'
}

export const late = ({ fellBack, withinS }: Trial) => new Refused(because(fellBack, { seconds: withinS }))

const end = ({ clock, withinS }: Trial): number => clock.monotonicMs() + withinS * 1000

async function requireCore(trial: Trial, untilMs: number): Promise<void> {
  while (trial.clock.monotonicMs() < untilMs) {
    if (await trial.reachesCore()) return
    await pause(trial.clock, 500)
  }
  throw late(trial)
}

/**
 * Changes how devices join their networks:
 * 1. NetworkManager notes the present state, and returns to it by itself when we do not answer in time, or no longer run;
 * 2. `change` changes profiles in memory alone, so that a machine that loses power returns to the previous ones too,
 *    activates them, and answers their paths;
 * 3. as soon as core is reached the profiles are stored;
 * 4. otherwise the previous state is restored.
 * Rejects with the reason, and has changed nothing then.
 */
export async function onTrial(
  bus: Bus,
  devices: readonly string[],
  trial: Trial,
  change: (untilMs: number) => Promise<readonly string[]>,
): Promise<void> {
  const untilMs = end(trial)
  const before = await Promise.all(devices.map((path) => isConnected(bus, path)))
  // A little later than our own end of the trial.
  const noted = [devices, trial.withinS + 15, deletesNewConnections]
  const [checkpoint] = await bus.call(manager, 'CheckpointCreate', 'aouu', noted)
  try {
    const profiles = await change(untilMs)
    await requireCore(trial, untilMs)
    for (const path of profiles) await storeProfile(bus, path)
    await bus.call(manager, 'CheckpointDestroy', 'o', [checkpoint])
  } catch (error) {
    // It may have been restored already.
    await bus.call(manager, 'CheckpointRollback', 'o', [checkpoint]).catch(() => {})
    await Promise.all(
      devices.filter((_, at) => before[at]).map((path) => connectedAgain(bus, path, trial.clock)),
    )
    throw error
  }
}

async function isConnected(bus: Bus, path: string): Promise<boolean> {
  const device = await optional(bus, path, 'Device').catch(() => undefined)
  return device?.State === connectedState
}

/** Resolves when the device is connected again, or after a while. */
async function connectedAgain(bus: Bus, path: string, clock: Clock): Promise<void> {
  const untilMs = clock.monotonicMs() + connectedWithinMs
  while (clock.monotonicMs() < untilMs && !(await isConnected(bus, path))) await pause(clock, 250)
}

/** Undoes changes that NetworkManager does not record; one that could not be undone is named only in the reason. */
export async function orUndo(
  trial: Trial,
  change: () => Promise<void>,
  undo: () => Promise<void>,
): Promise<void> {
  try {
    await change()
    await requireCore(trial, end(trial))
  } catch (error) {
    await undo().catch(() => {})
    throw error
  }
}
