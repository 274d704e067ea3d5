// The source address of a socket: its peer or, when that is a trusted proxy, the address that the proxy names.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { all, compile } from '@fastify/proxy-addr'

/** Answers '' where a trusted proxy names anything but an address. */
export type AddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/**
 * The same rule as for requests, for upgrades: what a proxy on this machine forwards comes from elsewhere, and must
 * not count as this machine, since core connects back to where a server dialled from.
 */
export function createAddressOf(trustedProxies: readonly string[]): AddressOf {
  const isTrusted = compile([...trustedProxies])
  return ({ headers, socket }) => {
    const named = { 'x-forwarded-for': [headers['x-forwarded-for'] ?? []].flat().join() }
    const address = plain(
      all({ headers: named, socket } as unknown as IncomingMessage, isTrusted).at(-1) ?? '',
    )
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
