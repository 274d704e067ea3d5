// NetworkManager over D-Bus: its devices, and the profiles by which they join networks.
import { because } from '@backhaul/contract/define/refusals'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import type { Variant } from '@jellybrick/dbus-next'
import { type Bus, isAbsent, type Properties, propertiesOf, type Target } from './bus.ts'

const service = 'org.freedesktop.NetworkManager'
const root = '/org/freedesktop/NetworkManager'
const storage = { disk: 0x01, memory: 0x02 }
const activationStates = { activated: 2, deactivating: 3 }
/** Why a device is not connected; other numbers are shown as such. */
const stateReasons: Readonly<Record<number, string>> = {
  4: 'the addresses cannot be set up',
  5: 'no addresses were obtained',
  6: 'the addresses are no longer valid',
  7: 'the password of the network is missing or wrong',
  8: 'the network ended the connection',
  9: 'the network does not accept the configuration',
  10: 'the network does not accept the password',
  11: 'the network does not answer',
  15: 'DHCP did not start',
  16: 'DHCP failed',
  17: 'DHCP gave no addresses',
  23: 'the modem is busy',
  25: 'the modem was not connected',
  26: 'the modem was not connected in time',
  27: 'the modem was not connected',
  29: 'the network does not accept the APN',
  30: 'the modem finds no network',
  31: 'the network does not admit the SIM',
  32: 'the registration took too long',
  33: 'the modem was not registered',
  40: 'the cable is not plugged in',
  45: 'there is no SIM',
  46: 'the SIM needs its PIN',
  53: 'the network was not found',
}

export const target = (path: string, name = ''): Target => ({
  service,
  path,
  interface: name ? `${service}.${name}` : service,
})
export const manager = target(root)
const profileOf = (path: string) => target(path, 'Settings.Connection')
const none = '/'

/** Whether the machine's owner lets the account of the agent do all of these, by the rules of polkit. */
export async function mayChange(bus: Bus): Promise<boolean> {
  const [permissions] = await bus.call(manager, 'GetPermissions')
  const needed = ['network-control', 'settings.modify.system', 'checkpoint-rollback']
  return needed.every((name) => (permissions as Record<string, string>)[`${service}.${name}`] === 'yes')
}

export interface NetworkDevice {
  path: string
  /** Name of the interface, or of the control port of a modem. */
  id: string
  properties: Properties
}

/** The devices of these types that NetworkManager manages. */
export async function managedDevices(bus: Bus, types: readonly number[]): Promise<NetworkDevice[]> {
  const [paths] = await bus.call(manager, 'GetDevices')
  const devices = await Promise.all(
    (paths as string[]).map(async (path) => {
      const properties = await propertiesOf(bus, target(path, 'Device')).catch(() => undefined)
      return properties && { path, id: String(properties.Interface), properties }
    }),
  )
  return devices.flatMap((device) =>
    device?.properties.Managed === true && types.includes(Number(device.properties.DeviceType))
      ? [device]
      : [],
  )
}

/** The properties of an object, where there is one. */
export async function optional(bus: Bus, path: string, name: string): Promise<Properties | undefined> {
  if (path === none || !path.startsWith('/')) return undefined
  return await unlessGone(propertiesOf(bus, target(path, name)))
}

/** Undefined for an object that ended meanwhile. */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** One part of a profile, for instance `ipv4`, as it is sent. */
export type ProfilePart = Record<string, Variant>
export type Profile = Record<string, ProfilePart>

/** The profile that is active on a device. */
export async function activeProfile(bus: Bus, { properties }: NetworkDevice): Promise<string | undefined> {
  const active = await optional(bus, String(properties.ActiveConnection), 'Connection.Active')
  return active && String(active.Connection)
}

/** A profile without its secrets. */
export async function readProfile(bus: Bus, path: string): Promise<Profile> {
  const [profile] = await bus.call(profileOf(path), 'GetSettings')
  return profile as Profile
}

/** The secrets in a part of a profile; nothing where the service does not have it. */
export async function secretsOf(bus: Bus, path: string, part: string): Promise<ProfilePart> {
  const answer = await bus.call(profileOf(path), 'GetSecrets', 's', [part]).catch(() => [])
  return (answer[0] as Profile | undefined)?.[part] ?? {}
}

/** An update replaces the whole profile: what is secret in these parts comes with it. */
export async function readWhole(bus: Bus, path: string, secretParts: readonly string[]): Promise<Profile> {
  const profile = await readProfile(bus, path)
  for (const name of secretParts)
    if (profile[name]) profile[name] = { ...profile[name], ...(await secretsOf(bus, path, name)) }
  return profile
}

/** In memory alone, so that a machine that loses power returns to the stored one. */
export async function changeInMemory(bus: Bus, path: string, profile: Profile): Promise<void> {
  await bus.call(profileOf(path), 'Update2', 'a{sa{sv}}ua{sv}', [profile, storage.memory, {}])
}

export async function changeOnDisk(bus: Bus, path: string, profile: Profile): Promise<void> {
  await bus.call(profileOf(path), 'Update2', 'a{sa{sv}}ua{sv}', [profile, storage.disk, {}])
}

/** Answers its path. */
export async function addInMemory(bus: Bus, profile: Profile): Promise<string> {
  const settings = target(`${root}/Settings`, 'Settings')
  const [path] = await bus.call(settings, 'AddConnectionUnsaved', 'a{sa{sv}}', [profile])
  return String(path)
}

export const storeProfile = async (bus: Bus, path: string) => void (await bus.call(profileOf(path), 'Save'))

export const deleteProfile = async (bus: Bus, path: string) =>
  void (await bus.call(profileOf(path), 'Delete'))

interface Patience {
  clock: Clock
  /** The end of the wait by the monotonic clock. */
  untilMs: number
  /** The refusal when it takes longer. */
  late: Refused
}

/** Resolves when the device is connected according to its profile; rejects with the reason when it cannot connect. */
export async function activate(
  bus: Bus,
  profile: string,
  device: string,
  { clock, untilMs, late }: Patience,
): Promise<void> {
  const [active] = await bus.call(manager, 'ActivateConnection', 'ooo', [profile, device, none])
  for (;;) {
    const now = await optional(bus, String(active), 'Connection.Active')
    const state = Number(now?.State ?? activationStates.deactivating)
    if (state === activationStates.activated) return
    if (state >= activationStates.deactivating) {
      const { StateReason: reason } = await propertiesOf(bus, target(device, 'Device'))
      throw new Refused(because('network.failed', { error: stateReason(reason) }))
    }
    if (clock.monotonicMs() > untilMs) throw late
    await pause(clock, 250)
  }
}

/** Reads the property StateReason: the state, and a number. */
function stateReason(value: unknown): string {
  const number = Number(Array.isArray(value) ? value[1] : value)
  return stateReasons[number] ?? `reason ${number}`
}

export const pause = (clock: Clock, ms: number) =>
  new Promise<void>((resolve) => clock.setTimeout(resolve, ms))
