// Hosts that a user entered: never one of the operator's own network, unless the operator allows it.
import { lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { english, type Reason } from '@backhaul/contract/define/refusals'
import { isOwnNetwork } from '@backhaul/runtime/own-network'

/** Its message is for the user who entered the address. */
export class OutwardFailure extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super(english(reason))
    this.reason = reason
  }
}

export interface OutwardAddresses {
  /** For connections to a name: it is resolved once and connected to by that result, so that it cannot lead elsewhere. */
  lookup: LookupFunction
  /** Throws OutwardFailure for an address, without or with brackets, that is closed; a name is checked when it is looked up. */
  requireOpen(host: string): void
  /** One address of the host, which is open. Throws OutwardFailure, and the system's error for a name that is not found. */
  resolve(host: string): Promise<string>
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

export function createOutwardAddresses({
  mayReachOwnNetwork,
}: {
  mayReachOwnNetwork: boolean
}): OutwardAddresses {
  const isClosed = (address: string) => !mayReachOwnNetwork && isOwnNetwork(address)
  const refusal = () => new OutwardFailure('outward.internal')

  const lookup: LookupFunction = (hostname, options, done) =>
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const open = found.filter(({ address }) => !isClosed(address))
      const [first] = open
      if (!first) return done(refusal(), '')
      if (options.all) done(null, open)
      else done(null, first.address, first.family)
    })

  function requireOpen(host: string): void {
    const address = withoutBrackets(host)
    if (isIP(address) !== 0 && isClosed(address)) throw refusal()
  }

  return {
    lookup,
    requireOpen,
    async resolve(host) {
      requireOpen(host)
      const name = withoutBrackets(host)
      if (isIP(name) !== 0) return name
      return await new Promise((resolve, reject) =>
        lookup(name, {}, (error, address) => (error ? reject(error) : resolve(address as string))),
      )
    },
  }
}
