// NetworkManager over D-Bus: the Wi-Fi interfaces that it manages, what is in the air, and the network that each joins.

import { because } from '@backhaul/contract/define/refusals'
import type { WifiJoin, WifiNetwork, WifiSecurity } from '@backhaul/contract/nouns/unit-networks'
import { Refused } from '@backhaul/device/refused'
import type { Clock } from '@backhaul/runtime/clock'
import { type Bus, type Properties, plain, propertiesOf } from './bus.ts'
import {
  activate,
  activeProfile,
  addInMemory,
  changeOnDisk,
  deleteProfile,
  managedDevices,
  type NetworkDevice,
  optional,
  pause,
  readProfile,
  readWhole,
  target,
  unlessGone,
} from './profiles.ts'
import { late, onTrial, type Trial } from './trial.ts'
import { joinsByItself, networksOf, securityOf, ssidOf, wifiProfile } from './wifi-values.ts'

const wifiType = 2
const scannedWithinMs = 20_000
const wireless = 'Device.Wireless'
const secretPart = '802-11-wireless-security'

export interface WifiDevice extends NetworkDevice {
  /** The network that the device is connected to. */
  ssid: string | null
  security: WifiSecurity | null
}

export async function readWifis(bus: Bus): Promise<WifiDevice[]> {
  const devices = await managedDevices(bus, [wifiType])
  return await Promise.all(
    devices.map(async (device) => {
      const radio = await optional(bus, device.path, wireless)
      const point = await optional(bus, String(radio?.ActiveAccessPoint), 'AccessPoint')
      const ssid = point ? ssidOf(point.Ssid) : ''
      return {
        ...device,
        ssid: ssid || null,
        security: (point && ssid && securityOf(point)) || null,
      }
    }),
  )
}

/** The profiles with which the device can join networks that it sees, by name. */
async function knownProfiles(bus: Bus, device: string): Promise<Map<string, string[]>> {
  const now = await optional(bus, device, 'Device')
  const found = new Map<string, string[]>()
  for (const path of (now?.AvailableConnections ?? []) as string[]) {
    const profile = await unlessGone(readProfile(bus, path))
    const part = plain(profile?.['802-11-wireless'] ?? {}) as Properties
    const ssid = ssidOf(part.ssid)
    if (ssid) found.set(ssid, [...(found.get(ssid) ?? []), path])
  }
  return found
}

/** Without force, what the service knows of its own scans is enough. */
export async function scanWifi(
  bus: Bus,
  { path }: WifiDevice,
  isForced: boolean,
  clock: Clock,
): Promise<WifiNetwork[]> {
  if (isForced) await scanNow(bus, path, clock)
  const [points] = await bus.call(target(path, wireless), 'GetAllAccessPoints')
  const found = await Promise.all((points as string[]).map((point) => optional(bus, point, 'AccessPoint')))
  const known = await knownProfiles(bus, path)
  return networksOf(
    found.filter((point) => point !== undefined),
    new Set(known.keys()),
  )
}

async function scanNow(bus: Bus, path: string, clock: Clock): Promise<void> {
  const lastScan = async () => String((await propertiesOf(bus, target(path, wireless))).LastScan)
  const before = await lastScan()
  // Refused where a scan is running or has just ended: its results are as good.
  const isStarted = await bus.call(target(path, wireless), 'RequestScan', 'a{sv}', [{}]).then(
    () => true,
    () => false,
  )
  const untilMs = clock.monotonicMs() + scannedWithinMs
  while (isStarted && clock.monotonicMs() < untilMs && (await lastScan()) === before) await pause(clock, 250)
}

/** Joins a network on trial; rejects with the reason, and has changed nothing then. */
export async function joinWifi(
  bus: Bus,
  { id, path }: WifiDevice,
  join: Omit<WifiJoin, 'port'>,
  trial: Trial,
): Promise<void> {
  const known = (await knownProfiles(bus, path)).get(join.ssid) ?? []
  const isNew = join.security === 'open' || join.password !== undefined
  const [before] = known
  if (!isNew && before === undefined) throw new Refused(because('wifi.notInRange', { ssid: join.ssid }))
  await onTrial(bus, [path], trial, async (untilMs) => {
    const profile = isNew ? await addInMemory(bus, wifiProfile(id, join)) : (before ?? '')
    await activate(bus, profile, path, { clock: trial.clock, untilMs, late: late(trial) })
    return isNew ? [profile] : []
  })
  if (!isNew) return await setJoining(bus, before ?? '', true)
  for (const old of known) await deleteProfile(bus, old).catch(() => {})
}

/** Leaves the network on trial, and does not join it again by itself. */
export async function leaveWifi(bus: Bus, device: WifiDevice, trial: Trial): Promise<void> {
  const profile = await activeProfile(bus, device)
  await onTrial(bus, [device.path], trial, async () => {
    await bus.call(target(device.path, 'Device'), 'Disconnect')
    return []
  })
  if (profile) await setJoining(bus, profile, false)
}

async function setJoining(bus: Bus, path: string, autoconnect: boolean): Promise<void> {
  await changeOnDisk(bus, path, joinsByItself(await readWhole(bus, path, [secretPart]), autoconnect))
}
