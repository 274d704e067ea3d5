// The rule for addresses that are in the network of the operator rather than in the public internet.
import { BlockList, isIP } from 'node:net'

/** All addresses outside the public internet (RFC 6890, RFC 4291, RFC 8215); also IPv6 addresses that map IPv4. */
const own = {
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  ipv6: [
    '::/96',
    '::ffff:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2001::/32',
    '2002::/16',
    'fc00::/7',
    'fe80::/10',
    'fec0::/10',
    'ff00::/8',
  ],
} as const
const closed = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const family of ['ipv4', 'ipv6'] as const)
  for (const network of own[family]) {
    const [address = '', bits] = network.split('/')
    closed[family].addSubnet(address, Number(bits), family)
  }

export function isOwnNetwork(address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return closed[family].check(address, family)
}

/** For a host as a user writes it; undefined for a name that has to be looked up. */
export function isOwnHost(host: string): boolean | undefined {
  // Parsed as in a browser, which also accepts 0x7f000001, 2130706433 and 127.1 as addresses.
  const read = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$|\.$/g, '') ?? host
  if (isIP(read) !== 0) return isOwnNetwork(read)
  return /(^|\.)localhost$/i.test(read) ? true : undefined
}

/** The host of an address such as rtmp://name:password@host:1935/app; '' where there is none. */
export const hostOf = (url: string): string =>
  /^\w+:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)/.exec(url)?.[1] ?? ''
