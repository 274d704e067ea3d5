// The Ethernet networks of this machine that IP pipes may lead to, as the kernel has them.
import { readdirSync, readFileSync } from 'node:fs'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { ServerEthernet } from '@backhaul/contract/nouns/ip-pipe'
import { TAP_NAME } from '@backhaul/runtime/ethernet-tap'

const sysFolder = '/sys/class/net'
/** Whether an interface belongs to a connected pipe. */
const isOfPipe = (name: string) => name.startsWith(TAP_NAME)

/** The networks of these bridges that exist. */
export function readEthernets(
  bridges: readonly string[],
  addresses: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
  folder = sysFolder,
): ServerEthernet[] {
  return bridges.flatMap((name) => {
    const mac = readWord(join(folder, name, 'address'))
    if (mac === undefined) return []
    const own = addresses[name] ?? []
    return {
      name,
      mac,
      addresses: own.filter(({ family }) => family === 'IPv4').map(({ address }) => address),
      sockets: portsOf(join(folder, name)).filter((port) => !isOfPipe(port)),
      up: readWord(join(folder, name, 'operstate')) === 'up',
    }
  })
}

function portsOf(folder: string): string[] {
  try {
    return readdirSync(join(folder, 'brif')).sort()
  } catch {
    return []
  }
}

function readWord(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}
