// Whether an output may be sent where its address leads, when the operator has closed the own network to destinations.

import { lookup } from 'node:dns/promises'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { hostOf, isOwnHost, isOwnNetwork } from '@backhaul/runtime/own-network'

/**
 * Why not, or undefined. A name is looked up at each start of the program, which then looks it up once more: whoever
 * answers for the name may answer otherwise the second time, which only a firewall closes.
 */
export async function ownNetworkRefusal(url: string): Promise<PlainCode | undefined> {
  if (isListener(url)) return undefined
  const host = hostOf(url)
  const isOwn = isOwnHost(host) ?? (await addressesOf(host)).some(isOwnNetwork)
  return isOwn ? 'output.ownNetwork' : undefined
}

/** It goes nowhere, whoever comes is served. */
export const isListener = (url: string): boolean => /[?&]mode=listener\b/.test(url)

/** None of a name that nobody knows: the program says so itself. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
