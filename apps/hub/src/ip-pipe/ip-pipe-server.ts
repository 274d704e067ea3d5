// IP pipes at the hub: who is admitted, and the networks of this machine that its owner has opened to them.
import { isDeepStrictEqual } from 'node:util'
import { openTunnelPort, type TunnelPort } from '@backhaul/bonding/tunnel-port'
import type {
  AdmittedIpPipe,
  ServerActual,
  ServerFailure,
  ServerWanted,
} from '@backhaul/contract/gateway/servers'
import type { ServerHardware } from '@backhaul/device/server-hardware'
import { tapFault } from '@backhaul/runtime/ethernet-tap'
import type { Log } from '@backhaul/runtime/log'
import { failureOf, withFailures } from '../failures.ts'
import { type KeptPort, keepPort } from '../kept-port.ts'
import { readEthernets } from './ethernets.ts'
import { createPipeEnd } from './pipe-end.ts'

const lookPeriodMs = 10_000

export interface IpPipeServer {
  /** Why its port is not open. */
  failures(): ServerFailure[]
  facts(): Pick<ServerActual, 'ipPipePort' | 'ethernets'>
  apply(wanted: Pick<ServerWanted, 'ipPipe' | 'ipPipes'>): Promise<void>
  /** The networks have changed; there is one listener, and a second one replaces it. */
  onChange(listener: () => void): void
  stop(): Promise<void>
}

export interface IpPipeServerOptions {
  /** The address that units call. */
  host: string
  /** Names of bridges of this machine. */
  networks: readonly string[]
  log: Log
}

interface Open {
  readonly admitted: AdmittedIpPipe
  close(): void
}

/** Undefined where this machine cannot join an interface to any of the networks. */
export async function openIpPipeServer(options: IpPipeServerOptions): Promise<IpPipeServer | undefined> {
  const { host, log } = options
  const networks: string[] = []
  for (const bridge of options.networks) {
    const fault = await tapFault(bridge)
    if (fault === undefined) networks.push(bridge)
    else log.warn({ bridge, fault }, 'without an interface in the bridge no IP pipe leads there')
  }
  if (networks.length === 0) return undefined
  let onChange = () => {}
  let ethernets = readEthernets(networks)
  let kept: { port: number; held: KeptPort<TunnelPort> } | undefined
  let wanted: readonly AdmittedIpPipe[] = []
  const open = new Map<string, Open>()
  const timer = setInterval(() => {
    const now = readEthernets(networks)
    if (isDeepStrictEqual(now, ethernets)) return
    ethernets = now
    onChange()
  }, lookPeriodMs)

  function admit(port: TunnelPort, admitted: AdmittedIpPipe): void {
    const { id, key, unitId, channel, interface: network } = admitted
    if (!networks.includes(network)) {
      log.warn({ unitId, network }, 'IP pipe into a network that is not open to it ignored')
      return
    }
    const end = createPipeEnd({ network, log: log.child({ unitId, channel, network }) })
    const tunnel = port.admit({
      sessionId: id,
      key: Buffer.from(key, 'base64'),
      onStream: (_, stream) => end.use(stream),
      onDatagram: () => {},
    })
    open.set(id, {
      admitted,
      close() {
        tunnel.close()
        end.close()
      },
    })
  }

  function release(isKept: (one: AdmittedIpPipe) => boolean): void {
    for (const [id, one] of open) {
      if (isKept(one.admitted)) continue
      one.close()
      open.delete(id)
    }
  }

  async function usePort(port: number | undefined): Promise<void> {
    if (port === kept?.port) return
    release(() => false)
    await kept?.held.close()
    kept = port === undefined ? undefined : { port, held: hold(port) }
  }

  const hold = (port: number) =>
    keepPort<TunnelPort>({
      name: 'IP pipes',
      port: () => port,
      open: () => openTunnelPort(host, port),
      onChange() {
        follow()
        onChange()
      },
      log,
    })

  function follow(): void {
    release((one) => wanted.some((next) => isDeepStrictEqual(next, one)))
    const port = kept?.held.opened()
    for (const one of wanted) if (port && !open.has(one.id)) admit(port, one)
  }

  return {
    failures() {
      const failure = kept?.held.failure()
      return failure ? [failureOf('ipPipeFailed', failure)] : []
    },
    facts: () => ({ ipPipePort: kept?.held.opened()?.port ?? null, ethernets }),
    async apply({ ipPipe, ipPipes = [] }) {
      wanted = ipPipes
      await usePort(ipPipe?.enabled ? ipPipe.port : undefined)
      follow()
    },
    onChange(listener) {
      onChange = listener
    },
    async stop() {
      clearInterval(timer)
      release(() => false)
      await kept?.held.close()
    },
  }
}

/** Adds IP pipes to a server where the machine supports them. */
export function withIpPipes(hardware: ServerHardware, pipes: IpPipeServer | undefined): ServerHardware {
  if (!pipes) return hardware
  return {
    ...hardware,
    facts() {
      const facts = hardware.facts()
      return { ...facts, ...pipes.facts(), capabilities: { ...facts.capabilities, ipPipe: true } }
    },
    sample: () => withFailures(hardware.sample(), pipes.failures()),
    async apply(wanted, signal) {
      await hardware.apply(wanted, signal)
      await pipes.apply(wanted)
    },
    onChange(listener) {
      hardware.onChange(listener)
      pipes.onChange(listener)
    },
  }
}
