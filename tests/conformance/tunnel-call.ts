/** A unit that calls a server for a tunnel, over two links. */
import { createTunnelCaller, type TunnelCaller } from '@backhaul/bonding/tunnel-caller'
import { sessionKey } from './received-picture.ts'

export function callForTunnel(sessionId: string, remotePort: number): TunnelCaller {
  const caller = createTunnelCaller({
    sessionId,
    key: sessionKey,
    onStream: (_, stream) => stream.destroy(),
    onDatagram: () => {},
  })
  for (const localAddress of ['127.0.0.2', '127.0.0.3'])
    caller.addLink({ id: localAddress, localAddress, remoteHost: '127.0.0.1', remotePort })
  return caller
}

export const areAnswered = (caller: TunnelCaller) => caller.stats().links.every(({ up }) => up)

export const areSilent = (caller: TunnelCaller) => caller.stats().links.every(({ up }) => !up)
