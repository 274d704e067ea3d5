import type { WantedTransmission } from '@backhaul/contract/gateway/units'

type Target = WantedTransmission['targets'][number]

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** The receiver's address that a link can reach: an address of this machine from here, one of the network from there. */
export function targetFor(localAddress: string, targets: readonly Target[]): Target {
  const isLocal = isLoopback(localAddress)
  return targets.find(({ host }) => isLoopback(host) === isLocal) ?? targets[0]!
}
