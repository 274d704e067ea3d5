// Asking an address that a person typed: never one of the operator's own network, unless the operator says so.
import { lookup } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Everything that is not a place in the public internet (RFC 6890, RFC 4291, RFC 8215); IPv6 also where it stands for IPv4. */
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

/** Its message is for the person who typed the address. */
class OutwardFailure extends Error {}

export interface OutwardRequest {
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

export type AskOutward = (address: string, request: OutwardRequest) => Promise<string>

const timeoutMs = 20_000
const bytesAtMost = 4 * 1024 * 1024

/**
 * Answers the text that the address gives. A name is looked up once and connected to as it was found, so that it cannot
 * lead elsewhere between check and connection; it is not followed to another address.
 * @throws OutwardFailure
 */
export function createAskOutward({ mayReachOwnNetwork }: { mayReachOwnNetwork: boolean }): AskOutward {
  const isClosed = (address: string) => !mayReachOwnNetwork && isOwnNetwork(address)
  const refusal = () => new OutwardFailure('The address leads into the own network of this installation')

  const openLookup: LookupFunction = (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const open = found.filter(({ address }) => !isClosed(address))
      const [first] = open
      if (!first) return done(refusal(), '')
      if (options.all) done(null, open)
      else done(null, first.address, first.family)
    })

  return async (address, { method, headers = {}, body }) => {
    const url = URL.parse(address)
    if (!url || !/^https?:$/.test(url.protocol)) throw new OutwardFailure('The address is not one of the web')
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && isClosed(host)) throw refusal()
    const send = url.protocol === 'https:' ? requestSecure : requestPlain
    return await new Promise((resolve, reject) => {
      const fail = (error: Error) =>
        reject(error instanceof OutwardFailure ? error : new OutwardFailure(`No answer: ${error.message}`))
      const signal = AbortSignal.timeout(timeoutMs)
      const asked = send(url, { method, headers, lookup: openLookup, signal }, (response) => {
        const { statusCode = 0 } = response
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > bytesAtMost) return response.destroy(new OutwardFailure('The answer is too large'))
          chunks.push(chunk)
        })
        response.on('error', fail)
        response.on('end', () => {
          if (statusCode < 200 || statusCode > 299)
            fail(new OutwardFailure(`The answer is HTTP ${statusCode}`))
          else resolve(Buffer.concat(chunks).toString('utf8'))
        })
      })
      asked.on('error', fail)
      asked.end(body)
    })
  }
}
