// The destinations that the owner of the hub allows for databridges; operators cannot set others.
import { lookup } from 'node:dns/promises'
import { BlockList, isIPv4 } from 'node:net'

export interface AllowedPlaces {
  /** An allowed address of the host; rejects where there is none, so that a name cannot lead elsewhere later. */
  addressOf(host: string, port: number): Promise<string>
}

interface Rule {
  readonly addresses: BlockList
  /** Undefined for every port. */
  readonly port: number | undefined
}

/** `192.0.2.10:21`, `10.1.0.0/16`, `10.1.0.0/16:443`; undefined for anything else. */
function readRule(text: string): Rule | undefined {
  const [, address = '', bits = '32', port] = /^([\d.]+)(?:\/(\d{1,2}))?(?::(\d{1,5}))?$/.exec(text) ?? []
  if (!isIPv4(address) || Number(bits) > 32) return undefined
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined
  const addresses = new BlockList()
  addresses.addSubnet(address, Number(bits), 'ipv4')
  return { addresses, port: port === undefined ? undefined : Number(port) }
}

export const isPlaceRule = (text: string): boolean => readRule(text) !== undefined

export function createAllowedPlaces(texts: readonly string[]): AllowedPlaces {
  const rules = texts.flatMap((text) => readRule(text) ?? [])
  const allows = (address: string, port: number) =>
    rules.some((rule) => (rule.port ?? port) === port && rule.addresses.check(address, 'ipv4'))
  return {
    async addressOf(host, port) {
      const found = await lookup(host, { family: 4, all: true })
      const allowed = found.find(({ address }) => allows(address, port))
      if (!allowed) throw new Error('the owner of the gateway does not allow this host and port')
      return allowed.address
    },
  }
}
