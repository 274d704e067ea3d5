// NetworkManager over D-Bus: the Ethernet sockets that it manages, and a change of their addresses on trial.
import { because } from '@backhaul/contract/define/refusals'
import type { Ethernet } from '@backhaul/contract/nouns/unit-settings'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import { Variant } from '@jellybrick/dbus-next'
import { ethernetOf, ipv4Part, type ProfilePart } from './addresses.ts'
import { type Bus, isAbsent, type Properties, plain, propertiesOf, type Target } from './bus.ts'

const service = 'org.freedesktop.NetworkManager'
const root = '/org/freedesktop/NetworkManager'
/** Numbers of NetworkManager: an Ethernet socket, and that of a machine in a container. */
const wiredTypes = [1, 20]
const deletesNewConnections = 0x02
const inMemory = 0x02
const connectedState = 100
const connectedWithinMs = 10_000
const activationStates = { activated: 2, deactivating: 3 }
/** Why a device is not connected; other numbers are shown as such. */
const stateReasons: Readonly<Record<number, string>> = {
  4: 'the addresses cannot be set up',
  5: 'no addresses were obtained',
  6: 'the addresses are no longer valid',
  7: 'the password of the network is missing or wrong',
  15: 'DHCP did not start',
  16: 'DHCP failed',
  17: 'DHCP gave no addresses',
  40: 'the cable is not plugged in',
}

const target = (path: string, name = ''): Target => ({
  service,
  path,
  interface: name ? `${service}.${name}` : service,
})
const manager = target(root)
const profileOf = (path: string) => target(path, 'Settings.Connection')
const none = '/'

/** Whether the machine's owner lets the account of the agent change addresses, by the rules of polkit. */
export async function mayChange(bus: Bus): Promise<boolean> {
  const [permissions] = await bus.call(manager, 'GetPermissions')
  const needed = ['network-control', 'settings.modify.system', 'checkpoint-rollback']
  return needed.every((name) => (permissions as Record<string, string>)[`${service}.${name}`] === 'yes')
}

interface NetworkDevice {
  path: string
  /** Name of the interface. */
  id: string
  properties: Properties
}

/** An Ethernet socket and the profile that is active on it. */
export interface EthernetSocket extends NetworkDevice {
  profilePath: string | undefined
  ethernet: Ethernet
}

async function wiredDevices(bus: Bus): Promise<NetworkDevice[]> {
  const [paths] = await bus.call(manager, 'GetDevices')
  const devices = await Promise.all(
    (paths as string[]).map(async (path) => {
      const properties = await propertiesOf(bus, target(path, 'Device')).catch(() => undefined)
      return properties && { path, id: String(properties.Interface), properties }
    }),
  )
  return devices.flatMap((device) =>
    device?.properties.Managed === true && wiredTypes.includes(Number(device.properties.DeviceType))
      ? [device]
      : [],
  )
}

/** Those that NetworkManager manages and whose addresses a user may choose. */
export async function readSockets(bus: Bus): Promise<EthernetSocket[]> {
  const devices = await wiredDevices(bus)
  const sockets = await Promise.all(devices.map((device) => readSocket(bus, device)))
  return sockets.flatMap((socket) => socket ?? [])
}

async function readSocket(bus: Bus, device: NetworkDevice): Promise<EthernetSocket | undefined> {
  const { ActiveConnection: activePath, Ip4Config: configPath, HwAddress: mac } = device.properties
  const active = await optional(bus, String(activePath), 'Connection.Active')
  const current = await optional(bus, String(configPath), 'IP4Config')
  const profilePath = active && String(active.Connection)
  const profile = profilePath && (await unlessGone(readProfile(bus, profilePath)))
  const ipv4 = profile ? (plain(profile.ipv4) as Properties) : undefined
  const ethernet = ethernetOf(String(mac ?? '').toLowerCase(), ipv4, current)
  return ethernet && { ...device, profilePath, ethernet }
}

/** The properties of an object, where there is one. */
async function optional(bus: Bus, path: string, name: string): Promise<Properties | undefined> {
  if (path === none || !path.startsWith('/')) return undefined
  return await unlessGone(propertiesOf(bus, target(path, name)))
}

/** Undefined for an object that ended meanwhile. */
async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

type Profile = Record<string, ProfilePart>

async function readProfile(bus: Bus, path: string): Promise<Profile> {
  const [profile] = await bus.call(profileOf(path), 'GetSettings')
  return profile as Profile
}

/** An update replaces the whole profile; what is secret in it is read by a call of its own. */
async function withSecrets(bus: Bus, path: string, profile: Profile): Promise<Profile> {
  const name = '802-1x'
  if (!profile[name]) return profile
  const [secrets] = await bus.call(profileOf(path), 'GetSecrets', 's', [name])
  return { ...profile, [name]: { ...profile[name], ...(secrets as Profile)[name] } }
}

export interface Trial {
  clock: Clock
  /** After this time without core the change is undone. */
  withinS: number
  reachesCore: () => Promise<boolean>
}

/**
 * Gives sockets their wanted addresses, on trial:
 * 1. NetworkManager notes the present state, and returns to it by itself when we do not answer in time, or no longer run;
 * 2. the profiles are changed in memory alone, so that a machine that loses power returns to the previous ones too;
 * 3. they are activated;
 * 4. as soon as core is reached the profiles are stored;
 * 5. otherwise the previous state is restored.
 * Rejects with the reason, and has changed nothing then.
 */
export async function tryAddresses(
  bus: Bus,
  changes: readonly { socket: EthernetSocket; wanted: Ethernet }[],
  trial: Trial,
): Promise<void> {
  const { clock, withinS } = trial
  const untilMs = clock.monotonicMs() + withinS * 1000
  const paths = changes.map(({ socket }) => socket.path)
  // A little later than our own end of the trial.
  const noted = [paths, withinS + 15, deletesNewConnections]
  const [checkpoint] = await bus.call(manager, 'CheckpointCreate', 'aouu', noted)
  try {
    const profiles: string[] = []
    for (const { socket, wanted } of changes) profiles.push(await joinAs(bus, socket, wanted, trial, untilMs))
    if (!(await reachedBefore(untilMs, trial)))
      throw new Refused(because('ethernet.fellBack', { seconds: withinS }))
    for (const path of profiles) await bus.call(profileOf(path), 'Save')
    await bus.call(manager, 'CheckpointDestroy', 'o', [checkpoint])
  } catch (error) {
    // It may have been restored already.
    await bus.call(manager, 'CheckpointRollback', 'o', [checkpoint]).catch(() => {})
    await Promise.all(paths.map((path) => connected(bus, path, clock)))
    throw error
  }
}

/** Resolves when the device is connected again, or after a while. */
async function connected(bus: Bus, path: string, clock: Clock): Promise<void> {
  const untilMs = clock.monotonicMs() + connectedWithinMs
  while (clock.monotonicMs() < untilMs) {
    const device = await optional(bus, path, 'Device').catch(() => undefined)
    if (device?.State === connectedState) return
    await pause(clock, 250)
  }
}

/** Answers the path of the profile, which is active then. */
async function joinAs(
  bus: Bus,
  { path, id, profilePath }: EthernetSocket,
  wanted: Ethernet,
  trial: Trial,
  untilMs: number,
): Promise<string> {
  const profile = profilePath
    ? await changeProfile(bus, profilePath, wanted)
    : await addProfile(bus, id, wanted)
  const [active] = await bus.call(manager, 'ActivateConnection', 'ooo', [profile, path, none])
  await activated(bus, { path, active: String(active) }, trial, untilMs)
  return profile
}

async function changeProfile(bus: Bus, path: string, wanted: Ethernet): Promise<string> {
  const before = await withSecrets(bus, path, await readProfile(bus, path))
  const next = { ...before, ipv4: ipv4Part(wanted, before.ipv4) }
  await bus.call(profileOf(path), 'Update2', 'a{sa{sv}}ua{sv}', [next, inMemory, {}])
  return path
}

async function addProfile(bus: Bus, id: string, wanted: Ethernet): Promise<string> {
  const profile = {
    connection: {
      id: new Variant('s', id),
      type: new Variant('s', '802-3-ethernet'),
      'interface-name': new Variant('s', id),
    },
    ipv4: ipv4Part(wanted),
  }
  const settings = target(`${root}/Settings`, 'Settings')
  const [path] = await bus.call(settings, 'AddConnectionUnsaved', 'a{sa{sv}}', [profile])
  return String(path)
}

/** Resolves when the connection works as its profile says; rejects with the reason when it does not come about. */
async function activated(
  bus: Bus,
  { path, active }: { path: string; active: string },
  { clock, withinS }: Trial,
  untilMs: number,
): Promise<void> {
  for (;;) {
    const state = Number(
      (await optional(bus, active, 'Connection.Active'))?.State ?? activationStates.deactivating,
    )
    if (state === activationStates.activated) return
    if (state >= activationStates.deactivating) {
      const { StateReason: reason } = await propertiesOf(bus, target(path, 'Device'))
      throw new Refused(because('network.failed', { error: stateReason(reason) }))
    }
    if (clock.monotonicMs() > untilMs) throw new Refused(because('ethernet.fellBack', { seconds: withinS }))
    await pause(clock, 250)
  }
}

/** Of the property StateReason: the state, and a number. */
function stateReason(value: unknown): string {
  const number = Number(Array.isArray(value) ? value[1] : value)
  return stateReasons[number] ?? `reason ${number}`
}

async function reachedBefore(untilMs: number, { clock, reachesCore }: Trial): Promise<boolean> {
  while (clock.monotonicMs() < untilMs) {
    if (await reachesCore()) return true
    await pause(clock, 500)
  }
  return false
}

const pause = (clock: Clock, ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms))
