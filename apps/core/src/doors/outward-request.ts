// Requests to an address that a user entered: never one of the operator's own network, unless the operator allows it.

import { lookup } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { because, english, type Reason } from '@backhaul/contract/define/refusals'
import { isOwnNetwork } from '@backhaul/runtime/own-network'

/** Its message is for the user who entered the address. */
export class OutwardFailure extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super(english(reason))
    this.reason = reason
  }
}

export interface OutwardRequest {
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

export type SendOutward = (address: string, request: OutwardRequest) => Promise<string>

const timeoutMs = 20_000
const bytesAtMost = 4 * 1024 * 1024

/**
 * Answers the text at the address. A name is resolved once and connected to by that result, so that it cannot
 * lead elsewhere between check and connection; redirects are not followed.
 * @throws OutwardFailure
 */
export function createSendOutward({ mayReachOwnNetwork }: { mayReachOwnNetwork: boolean }): SendOutward {
  const isClosed = (address: string) => !mayReachOwnNetwork && isOwnNetwork(address)
  const refusal = () => new OutwardFailure('outward.internal')

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
    if (!url || !/^https?:$/.test(url.protocol)) throw new OutwardFailure('outward.notWeb')
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && isClosed(host)) throw refusal()
    const send = url.protocol === 'https:' ? requestSecure : requestPlain
    return await new Promise((resolve, reject) => {
      const fail = (error: Error) =>
        reject(
          error instanceof OutwardFailure
            ? error
            : new OutwardFailure(because('webhook.noAnswer', { error: error.message })),
        )
      const signal = AbortSignal.timeout(timeoutMs)
      const outgoing = send(url, { method, headers, lookup: openLookup, signal }, (response) => {
        const { statusCode = 0 } = response
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > bytesAtMost) return response.destroy(new OutwardFailure('outward.tooLarge'))
          chunks.push(chunk)
        })
        response.on('error', fail)
        response.on('end', () => {
          if (statusCode < 200 || statusCode > 299)
            fail(new OutwardFailure(because('outward.status', { status: statusCode })))
          else resolve(Buffer.concat(chunks).toString('utf8'))
        })
      })
      outgoing.on('error', fail)
      outgoing.end(body)
    })
  }
}
