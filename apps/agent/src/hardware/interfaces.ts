import { existsSync, readFileSync } from 'node:fs'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { join } from 'node:path'

export interface Interface {
  /** Name of the interface, for example `eth0`; for an explicit local address the address itself. */
  readonly id: string
  readonly kind: 'modem' | 'ethernet' | 'wifi' | 'satellite'
  /** The local address that its sockets are bound to; '' while it has none. */
  readonly address: string
  /** For example `1000BASE-T` or `LTE`, where the machine reports it. */
  readonly technology?: string | undefined
  /** The values of its modem, as far as they are known. */
  readonly imei?: string
  readonly carrier?: string | undefined
  readonly roaming?: boolean | undefined
  readonly activeSim?: 'A' | 'B' | undefined
}

type Addresses = Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>

/** Bridges, containers and tunnels have no way out of their own. */
const virtualNames =
  /^(lo|docker|br-|veth|virbr|cni|flannel|vmnet|vboxnet|dummy|tun|tap|wg|tailscale|utun|awdl|llw)/

export const isVirtual = (id: string): boolean => virtualNames.test(id)

/** The interfaces that can carry pictures now: they are up and have an address beyond this machine. */
export function usableInterfaces(
  addresses: Addresses = networkInterfaces(),
  sysFolder = '/sys/class/net',
): Interface[] {
  return Object.entries(addresses).flatMap(([id, entries]) => {
    if (isVirtual(id)) return []
    const entry = entries?.find(
      ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
    )
    const state = readWord(join(sysFolder, id, 'operstate'))
    if (!entry || state === 'down' || state === 'lowerlayerdown') return []
    const technology = wiredSpeed(join(sysFolder, id))
    const found = { id, kind: kindOf(id, join(sysFolder, id)), address: entry.address }
    return [technology && found.kind === 'ethernet' ? { ...found, technology } : found]
  })
}

/** Explicit local addresses as links: for machines where several ways out are addresses rather than interfaces. */
export function explicitInterfaces(addresses: readonly string[]): Interface[] {
  return addresses.map((address) => ({ id: address, kind: 'ethernet', address }))
}

function kindOf(id: string, folder: string): Interface['kind'] {
  if (existsSync(join(folder, 'wireless')) || existsSync(join(folder, 'phy80211'))) return 'wifi'
  const deviceType = /^DEVTYPE=(\w+)$/m.exec(readText(join(folder, 'uevent')))?.[1]
  if (deviceType === 'wlan') return 'wifi'
  // Modems show as wwan or, when they pretend to be a network card on USB, as usb or enx names of the cdc drivers.
  if (deviceType === 'wwan' || /^(wwan|ppp|rmnet|usb)/.test(id)) return 'modem'
  return 'ethernet'
}

function wiredSpeed(folder: string): string | undefined {
  const megabits = Number(readWord(join(folder, 'speed')))
  return Number.isFinite(megabits) && megabits > 0 ? `${megabits}BASE-T` : undefined
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const readWord = (path: string) => readText(path).trim() || undefined
