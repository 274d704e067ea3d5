// NetworkManager over D-Bus: the Ethernet sockets that it manages, and a change of their addresses on trial.
import type { Ethernet } from '@backhaul/contract/nouns/unit-settings'
import { Variant } from '@jellybrick/dbus-next'
import { ethernetOf, ipv4Part } from './addresses.ts'
import { type Bus, type Properties, plain } from './bus.ts'
import {
  activate,
  activeProfile,
  addInMemory,
  changeInMemory,
  managedDevices,
  type NetworkDevice,
  optional,
  readProfile,
  readWhole,
  unlessGone,
} from './profiles.ts'
import { late, onTrial, type Trial } from './trial.ts'

/** Numbers of NetworkManager: an Ethernet socket, and that of a machine in a container. */
const wiredTypes = [1, 20]

/** An Ethernet socket and the profile that is active on it. */
export interface EthernetSocket extends NetworkDevice {
  profilePath: string | undefined
  ethernet: Ethernet
}

/** The sockets that NetworkManager manages and whose addresses a user may set. */
export async function readSockets(bus: Bus): Promise<EthernetSocket[]> {
  const devices = await managedDevices(bus, wiredTypes)
  const sockets = await Promise.all(devices.map((device) => readSocket(bus, device)))
  return sockets.flatMap((socket) => socket ?? [])
}

async function readSocket(bus: Bus, device: NetworkDevice): Promise<EthernetSocket | undefined> {
  const { Ip4Config: configPath, HwAddress: mac } = device.properties
  const current = await optional(bus, String(configPath), 'IP4Config')
  const profilePath = await activeProfile(bus, device)
  const profile = profilePath && (await unlessGone(readProfile(bus, profilePath)))
  const ipv4 = profile ? (plain(profile.ipv4) as Properties) : undefined
  const ethernet = ethernetOf(String(mac ?? '').toLowerCase(), ipv4, current)
  return ethernet && { ...device, profilePath, ethernet }
}

/** Gives sockets their wanted addresses, on trial; rejects with the reason, and has changed nothing then. */
export async function tryAddresses(
  bus: Bus,
  changes: readonly { socket: EthernetSocket; wanted: Ethernet }[],
  trial: Trial,
): Promise<void> {
  const devices = changes.map(({ socket }) => socket.path)
  await onTrial(bus, devices, trial, async (untilMs) => {
    const profiles: string[] = []
    for (const { socket, wanted } of changes) {
      const { profilePath } = socket
      const profile = profilePath
        ? await changeProfile(bus, profilePath, wanted)
        : await addInMemory(bus, newProfile(socket.id, wanted))
      await activate(bus, profile, socket.path, { clock: trial.clock, untilMs, late: late(trial) })
      profiles.push(profile)
    }
    return profiles
  })
}

async function changeProfile(bus: Bus, path: string, wanted: Ethernet): Promise<string> {
  const before = await readWhole(bus, path, ['802-1x'])
  await changeInMemory(bus, path, { ...before, ipv4: ipv4Part(wanted, before.ipv4) })
  return path
}

const newProfile = (id: string, wanted: Ethernet) => ({
  connection: {
    id: new Variant('s', id),
    type: new Variant('s', '802-3-ethernet'),
    'interface-name': new Variant('s', id),
  },
  ipv4: ipv4Part(wanted),
})
