// Requests to an address that a user entered: never one of the operator's own network, unless the operator allows it.

import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { because } from '@backhaul/contract/define/refusals'
import { type OutwardAddresses, OutwardFailure } from './outward-address.ts'

export interface OutwardRequest {
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}

export type SendOutward = (address: string, request: OutwardRequest) => Promise<string>

const timeoutMs = 20_000
const bytesAtMost = 4 * 1024 * 1024

/**
 * Answers the text at the address; redirects are not followed.
 * @throws OutwardFailure
 */
export function createSendOutward({ lookup, requireOpen }: OutwardAddresses): SendOutward {
  return async (address, { method, headers = {}, body }) => {
    const url = URL.parse(address)
    if (!url || !/^https?:$/.test(url.protocol)) throw new OutwardFailure('outward.notWeb')
    requireOpen(url.hostname)
    const send = url.protocol === 'https:' ? requestSecure : requestPlain
    return await new Promise((resolve, reject) => {
      const fail = (error: Error) =>
        reject(
          error instanceof OutwardFailure
            ? error
            : new OutwardFailure(because('webhook.noAnswer', { error: error.message })),
        )
      const signal = AbortSignal.timeout(timeoutMs)
      const outgoing = send(url, { method, headers, lookup, signal }, (response) => {
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
