// NetworkManager over D-Bus: the profiles by which modems join the networks of their carriers.
import type { Clock } from '@backhaul/runtime/clock'
import { type Bus, plain } from './bus.ts'
import {
  type AccessChanges,
  accessOf,
  firstAccess,
  type GsmAccess,
  newProfile,
  withAccess,
} from './gsm-profile.ts'
import {
  activate,
  activeProfile,
  addInMemory,
  changeInMemory,
  deleteProfile,
  managedDevices,
  type NetworkDevice,
  optional,
  pause,
  readProfile,
  readWhole,
  secretsOf,
  storeProfile,
  unlessGone,
} from './profiles.ts'
import { late, onTrial, type Trial } from './trial.ts'

const modemType = 8
/** From here on it connects, or disconnects, but for `connectedState`. */
const preparingState = 40
const connectedState = 100
/** A stored profile is dialled after this time at the latest. */
const dialsWithinMs = 60_000

/** A modem that NetworkManager connects. */
export interface GsmDevice extends NetworkDevice {
  /** Its object of ModemManager. */
  modemPath: string
  profilePath: string | undefined
  access: GsmAccess
}

export async function readGsmDevices(bus: Bus): Promise<GsmDevice[]> {
  const devices = await managedDevices(bus, [modemType])
  return await Promise.all(
    devices.map(async (device) => {
      const profilePath = await profileOf(bus, device)
      const profile = profilePath === undefined ? undefined : await unlessGone(readProfile(bus, profilePath))
      const secrets = profilePath && profile ? await secretsOf(bus, profilePath, 'gsm') : {}
      const access = profile ? accessOf(profile, Boolean(plain(secrets.password))) : firstAccess
      return { ...device, modemPath: String(device.properties.Udi), profilePath, access }
    }),
  )
}

/** The active one; else the first that the modem could use. */
async function profileOf(bus: Bus, device: NetworkDevice): Promise<string | undefined> {
  const active = await activeProfile(bus, device)
  if (active !== undefined) return active
  for (const path of (device.properties.AvailableConnections ?? []) as string[]) {
    const profile = await unlessGone(readProfile(bus, path))
    if (profile && plain(profile.connection?.type) === 'gsm') return path
  }
  return undefined
}

/** Changes are on trial where the modem is connected; one that is not cannot disconnect the unit. */
export async function changeAccess(
  bus: Bus,
  device: GsmDevice,
  changes: AccessChanges,
  trial: Trial,
): Promise<void> {
  if ((await stateAfterDialling(bus, device, trial.clock, trial.withinS * 1000)) === connectedState) {
    let changed: ChangedProfile | undefined
    await onTrial(bus, [device.path], trial, async () => {
      changed = await changeProfile(bus, device, changes)
      await activate(bus, changed.path, device.path, patienceOf(trial))
      return [changed.path]
    })
    if (changed?.replaced) await deleteProfile(bus, changed.replaced)
    return
  }
  const { path, replaced } = await changeProfile(bus, device, changes)
  await storeProfile(bus, path)
  if (replaced) await deleteProfile(bus, replaced)
  void dial(bus, device, path, trial).catch(() => {})
}

/** A stored profile may be dialled at once by NetworkManager itself, whose failure must not meet ours. */
async function dial(bus: Bus, device: GsmDevice, profile: string, trial: Trial): Promise<void> {
  const state = await stateAfterDialling(bus, device, trial.clock, dialsWithinMs)
  if (state !== connectedState) await activate(bus, profile, device.path, patienceOf(trial))
}

/**
 * The state of a modem that no longer dials, or the one after `withinMs`. NetworkManager 1.42 aborts (an assertion of
 * nm-device-modem.c) when a dial fails while the next one, or the deletion of its profile, is taking its place. It dials again at
 * once after a failure, so that a modem without a connection must be seen twice.
 */
async function stateAfterDialling(
  bus: Bus,
  { path }: GsmDevice,
  clock: Clock,
  withinMs: number,
): Promise<number> {
  const untilMs = clock.monotonicMs() + withinMs
  for (let seen = 0; ; ) {
    const state = Number((await optional(bus, path, 'Device'))?.State ?? 0)
    seen = state >= preparingState ? 0 : seen + 1
    if (state === connectedState || seen === 2 || clock.monotonicMs() > untilMs) return state
    await pause(clock, 250)
  }
}

const patienceOf = (trial: Trial) => ({
  clock: trial.clock,
  untilMs: trial.clock.monotonicMs() + trial.withinS * 1000,
  late: late(trial),
})

/** The choice of the network, which takes effect when the modem connects again. */
export async function storeNetwork(bus: Bus, device: GsmDevice, network: string): Promise<void> {
  const { path } = await changeProfile(bus, device, { network })
  await storeProfile(bus, path)
}

interface ChangedProfile {
  path: string
  /** The profile that it takes the place of. */
  replaced?: string
}

async function changeProfile(
  bus: Bus,
  { profilePath, id, path }: GsmDevice,
  changes: AccessChanges,
): Promise<ChangedProfile> {
  if (profilePath === undefined) {
    const modem = await optional(bus, path, 'Device.Modem')
    const profile = newProfile(id, String(modem?.DeviceId ?? ''))
    return { path: await addInMemory(bus, withAccess(profile, changes)) }
  }
  const before = await readWhole(bus, profilePath, ['gsm'])
  if (changes.password === '') {
    // An update without any secret keeps those that are stored.
    const { uuid: _, ...connection } = before.connection ?? {}
    const fresh = withAccess({ ...before, connection }, changes)
    return { path: await addInMemory(bus, fresh), replaced: profilePath }
  }
  await changeInMemory(bus, profilePath, withAccess(before, changes))
  return { path: profilePath }
}
