// Where a socket comes from: its peer or, when that is a trusted proxy, the address that the proxy names.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Answers '' where a trusted proxy names anything but an address. */
export type AddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/** Names of networks as in the setting of requests, see the documentation of Fastify's trustProxy. */
const networks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * The same rule as for requests, for upgrades: what a proxy on this machine forwards comes from elsewhere, and must
 * not count as this machine, since core connects back to where a server dialled from.
 */
export function createAddressOf(trustedProxies: readonly string[]): AddressOf {
  const proxies = new BlockList()
  for (const network of trustedProxies.flatMap((name) => networks[name] ?? [name])) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) proxies.addAddress(address, familyOf(address))
    else proxies.addSubnet(address, Number(bits), familyOf(address))
  }
  return ({ headers, socket }) => {
    const named = [headers['x-forwarded-for'] ?? []].flat().join().split(',')
    let address = plain(socket.remoteAddress ?? '')
    while (isIP(address) !== 0 && proxies.check(address, familyOf(address))) {
      const before = named.pop()?.trim()
      if (!before) return address
      address = plain(before)
    }
    return isIP(address) === 0 ? '' : address
  }
}

/**
 * One customer line has a whole /64 of IPv6 addresses, however their zeros are written: limits by address count
 * these as one.
 */
export function lineOf(address: string): string {
  if (isIP(address) !== 6 || address.includes('.')) return address
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail]
    .slice(0, 4)
    .map((word) => Number.parseInt(word, 16).toString(16))
    .join(':')
}

const plain = (address: string): string => address.replace(/^::ffff:/, '')

/** An address as it is written in a URL. */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)
