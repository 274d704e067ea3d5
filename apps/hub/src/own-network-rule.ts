// Checks whether an output may be sent to its address, when the operator has closed the own network to destinations.

import { lookup } from 'node:dns/promises'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { hostOf, isOwnHost, isOwnNetwork } from '@backhaul/runtime/own-network'

/**
 * Why not, or undefined. A name is looked up at each start of the program, which then looks it up again: the
 * name server may answer differently the second time, which only a firewall prevents.
 */
export async function ownNetworkRefusal(url: string): Promise<PlainCode | undefined> {
  if (isListener(url)) return undefined
  const host = hostOf(url)
  const isOwn = isOwnHost(host) ?? (await addressesOf(host)).some(isOwnNetwork)
  return isOwn ? 'output.ownNetwork' : undefined
}

/** It dials no address and serves its callers. */
export const isListener = (url: string): boolean => /[?&]mode=listener\b/.test(url)

/** The addresses of a host; empty for an unknown name, which the program reports itself. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
