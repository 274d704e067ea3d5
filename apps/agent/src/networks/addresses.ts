// The addresses of an Ethernet socket, in the words of NetworkManager and in ours.
import type { Ethernet } from '@backhaul/contract/nouns/unit-settings'
import { Variant } from '@jellybrick/dbus-next'
import type { Properties } from './bus.ts'
import type { ProfilePart } from './profiles.ts'

export const maskOf = (prefix: number): string =>
  textOf((prefix === 0 ? 0 : 0xffffffff << (32 - prefix)) >>> 0)

export const prefixOf = (mask: string): number =>
  mask.split('.').reduce((bits, part) => bits + Number(part).toString(2).replaceAll('0', '').length, 0)

const textOf = (bits: number): string => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.')

/** The bytes in the order of the network, read as a number of this machine. */
const numberOf = (address: string): number =>
  new Uint32Array(Uint8Array.from(address.split('.').map(Number)).buffer)[0] ?? 0

const addressOfNumber = (value: number): string => new Uint8Array(Uint32Array.of(value).buffer).join('.')

/** The fields that a request replaces; routes, metrics and rules of the profile are kept. */
const replaced = ['method', 'addresses', 'address-data', 'gateway', 'dns', 'dns-data', 'ignore-auto-dns']

/** The part `ipv4` of a profile with the wanted addresses. */
export function ipv4Part(wanted: Ethernet, before: ProfilePart = {}): ProfilePart {
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => !replaced.includes(name)))
  if (wanted.dhcp) return { ...kept, method: new Variant('s', 'auto') }
  const { ip, subnetMask, defaultGateway, dns1, dns2 } = wanted
  const address = { address: new Variant('s', ip), prefix: new Variant('u', prefixOf(subnetMask)) }
  const servers = [dns1, dns2].filter(Boolean)
  return {
    ...kept,
    method: new Variant('s', 'manual'),
    'address-data': new Variant('aa{sv}', [address]),
    ...(defaultGateway && { gateway: new Variant('s', defaultGateway) }),
    ...(servers.length > 0 && { dns: new Variant('au', servers.map(numberOf)) }),
  }
}

interface AddressData {
  address: string
  prefix: number
}

/**
 * The socket as its profile requests it, with the addresses of the lease under DHCP. Undefined where the profile does
 * something else, for instance shares the connection: then the machine's owner has set it up.
 */
export function ethernetOf(
  mac: string,
  profile: Properties | undefined,
  current: Properties | undefined,
): Ethernet | undefined {
  const method = profile?.method ?? 'auto'
  if (method === 'auto') return { mac, dhcp: true, ...leased(current ?? {}) }
  const [address] = (profile?.['address-data'] ?? []) as AddressData[]
  if (method !== 'manual' || !address) return undefined
  const [dns1 = '', dns2 = ''] = ((profile?.dns ?? []) as number[]).map(addressOfNumber)
  const { address: ip, prefix } = address
  const defaultGateway = (profile?.gateway as string | undefined) ?? ''
  return { mac, dhcp: false, ip, subnetMask: maskOf(prefix), defaultGateway, dns1, dns2 }
}

function leased(current: Properties): Omit<Ethernet, 'mac' | 'dhcp'> {
  const [address] = (current.AddressData ?? []) as AddressData[]
  const servers = (current.NameserverData ?? []) as { address: string }[]
  const [dns1 = '', dns2 = ''] = servers.map((server) => server.address)
  return {
    ip: address?.address ?? '',
    subnetMask: address ? maskOf(address.prefix) : '',
    defaultGateway: (current.Gateway as string | undefined) ?? '',
    dns1,
    dns2,
  }
}
