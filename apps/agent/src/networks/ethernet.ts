// The Ethernet sockets of the unit as settings: by the port of their link, read every few seconds, changed on trial.
import { isDeepStrictEqual } from 'node:util'
import { type Ethernet, socketChanges } from '@backhaul/contract/nouns/unit-settings'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { type Bus, refusalOf } from './bus.ts'
import { type EthernetSocket, readSockets, tryAddresses } from './network-service.ts'
import { mayChange } from './profiles.ts'
import type { Trial } from './trial.ts'

const readPeriodMs = 5000

export type EthernetSettings = Record<string, Ethernet>

export interface EthernetSockets {
  /** By port; undefined where no service manages any. */
  settings(): EthernetSettings | undefined
  /** Resolves when the addresses are in use and core is reached; rejects with the reason, and has changed nothing then. */
  apply(wanted: EthernetSettings): Promise<void>
  stop(): void
}

export interface EthernetOptions {
  bus: Bus
  clock: Clock
  log: Log
  /** Undefined for an interface that is no link of the unit. */
  portOf: (id: string) => number | undefined
  trial: Omit<Trial, 'fellBack'>
  onChange: () => void
}

export function followEthernet(options: EthernetOptions): EthernetSockets {
  const { bus, clock, log } = options
  let sockets: ReadonlyMap<string, EthernetSocket> = new Map()
  let isTrying = false

  const settings = () => Object.fromEntries([...sockets].map(([port, { ethernet }]) => [port, ethernet]))

  async function read(): Promise<void> {
    const before = settings()
    try {
      const found = sockets.size > 0 || (await mayChange(bus)) ? await readSockets(bus) : []
      sockets = new Map(
        found.flatMap((socket) => {
          const port = options.portOf(socket.id)
          return port === undefined ? [] : [[String(port), socket] as const]
        }),
      )
    } catch (error) {
      log.debug({ err: error }, 'Ethernet sockets not read')
      sockets = new Map()
    }
    if (!isDeepStrictEqual(before, settings())) options.onChange()
  }

  async function change(wanted: EthernetSettings): Promise<void> {
    const changes = socketChanges(wanted, settings()).flatMap(([port, next]) => {
      const socket = sockets.get(port)
      return socket ? [{ socket, wanted: next }] : []
    })
    const interfaces = changes.map(({ socket }) => socket.id)
    log.info({ interfaces }, 'addresses changed on trial')
    await tryAddresses(bus, changes, { ...options.trial, fellBack: 'ethernet.fellBack' })
    log.info({ interfaces }, 'addresses kept: core is reached')
  }

  void read()
  const timer = clock.setInterval(() => {
    if (!isTrying) void read()
  }, readPeriodMs)

  return {
    settings: () => (sockets.size > 0 ? settings() : undefined),
    async apply(wanted) {
      isTrying = true
      try {
        await change(wanted)
      } catch (error) {
        const why = refusalOf(error)
        log.warn({ reason: why.message }, 'addresses not changed')
        throw why
      } finally {
        isTrying = false
        await read()
      }
    },
    stop: () => clock.clearInterval(timer),
  }
}
