// The port on which units send files over all their links: each calls with the key of its own upload.
import { openTunnelPort, type TunnelPort } from '@backhaul/bonding/tunnel-port'
import type { UploadTunnels } from '@backhaul/device/server-hardware'
import type { Log } from '@backhaul/runtime/log'
import { openingFault } from '../failures.ts'
import { openPreferredPort } from '../preferred-port.ts'

export interface UploadPort extends UploadTunnels {
  readonly port: number
  close(): Promise<void>
}

export interface UploadPortOptions {
  /** The address that units call. */
  host: string
  /** Another one is taken where it is in use; 0 takes any free one. */
  port: number
  log: Log
}

/** Undefined where no port can be opened: files come through core. */
export async function openUploadPort({
  host,
  port,
  log,
}: UploadPortOptions): Promise<UploadPort | undefined> {
  let tunnels: TunnelPort
  try {
    tunnels = await openPreferredPort({
      name: 'files of units',
      port,
      open: async (at) => await openTunnelPort(host, at),
      log,
    })
  } catch (error) {
    const { message } = openingFault(error, port)
    log.error({ host, port, reason: message }, 'port for files of units not opened: files come through core')
    return undefined
  }
  return {
    port: tunnels.port,
    admit({ id, key }, onStream) {
      const tunnel = tunnels.admit({
        sessionId: id,
        key: Buffer.from(key, 'base64'),
        onStream: (_, stream) => onStream(stream),
        onDatagram: () => {},
      })
      return { isCalled: () => tunnel.links().length > 0, close: tunnel.close }
    },
    close: tunnels.close,
  }
}
