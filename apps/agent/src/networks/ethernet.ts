// The Ethernet sockets of the unit as settings: by the port of their link, read every few seconds, changed on trial.
import { type Ethernet, socketChanges } from '@backhaul/contract/nouns/unit-settings'
import { type FollowOptions, followDevices } from './followed-devices.ts'
import { type EthernetSocket, readSockets, tryAddresses } from './network-service.ts'

export type EthernetSettings = Record<string, Ethernet>

export interface EthernetSockets {
  /** The sockets by port; undefined where no service manages any. */
  settings(): EthernetSettings | undefined
  /** Resolves when the addresses are in use and core is reached; rejects with the reason, and has changed nothing then. */
  apply(wanted: EthernetSettings): Promise<void>
  stop(): void
}

const settingsOf = (sockets: ReadonlyMap<number, EthernetSocket>): EthernetSettings =>
  Object.fromEntries([...sockets].map(([port, { ethernet }]) => [port, ethernet]))

export function followEthernet(options: FollowOptions): EthernetSockets {
  const { bus, log } = options
  const sockets = followDevices(options, 'Ethernet sockets', readSockets, settingsOf)

  async function change(wanted: EthernetSettings): Promise<void> {
    const now = sockets.now()
    const changes = socketChanges(wanted, settingsOf(now)).flatMap(([port, next]) => {
      const socket = now.get(Number(port))
      return socket ? [{ socket, wanted: next }] : []
    })
    const interfaces = changes.map(({ socket }) => socket.id)
    log.info({ interfaces }, 'addresses changed on trial')
    await tryAddresses(bus, changes, { ...options.trial, fellBack: 'ethernet.fellBack' })
    log.info({ interfaces }, 'addresses kept: core is reached')
  }

  return {
    settings: () => (sockets.now().size > 0 ? settingsOf(sockets.now()) : undefined),
    apply: (wanted) =>
      sockets.change(
        () => change(wanted),
        (reason) => log.warn({ reason }, 'addresses not changed'),
      ),
    stop: sockets.stop,
  }
}
