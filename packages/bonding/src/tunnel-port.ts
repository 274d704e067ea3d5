// The other end of all tunnels on one UDP port, which units call over each of their links.
import type { CallSession } from './call-seal.ts'
import { type Caller, openCalledPort } from './called-port.ts'
import { type BondingClock, steadyClock } from './clock.ts'
import { createTunnel, type Tunnel, type TunnelEnd, type TunnelUse } from './tunnel.ts'

const TICK_MS = 20
/** A link that does not call for this long carries nothing. */
const FORGET_AFTER_MS = 1500

export interface TunnelEntry extends CallSession, TunnelUse {}

export interface AdmittedTunnel extends Tunnel {
  /** Ids of the links that call now. */
  links(): string[]
  close(): void
}

export interface TunnelPort {
  readonly port: number
  /** Admits a unit with the key. Throws RangeError for a key that is not 32 bytes. */
  admit(entry: TunnelEntry): AdmittedTunnel
  close(): Promise<void>
}

/** Resolves when the port is bound, 0 being any free one; rejects with the system's error. */
export async function openTunnelPort(
  host: string,
  port: number,
  clock: BondingClock = steadyClock,
): Promise<TunnelPort> {
  const called = await openCalledPort({ host, port, forgetAfterMs: FORGET_AFTER_MS, clock })
  const admitted = new Map<TunnelEnd, Caller>()

  const timer = setInterval(() => {
    for (const [tunnel, caller] of admitted) {
      tunnel.setLinks(caller.links())
      tunnel.tick()
    }
  }, TICK_MS)

  return {
    port: called.port,
    admit({ onStream, onDatagram, ...of }) {
      const caller = called.admit({
        ...of,
        onFrame: ({ payload }) => tunnel.receive(payload),
        onNewLink: () => tunnel.setLinks(caller.links()),
      })
      const tunnel = createTunnel({
        end: 'port',
        clock,
        onStream,
        onDatagram,
        send: (ids, packet) => caller.send(0, packet, ids),
      })
      admitted.set(tunnel, caller)
      return {
        open: tunnel.open,
        sendDatagram: tunnel.sendDatagram,
        streams: tunnel.streams,
        links: caller.links,
        close() {
          tunnel.close()
          caller.close()
          admitted.delete(tunnel)
        },
      }
    },
    close() {
      clearInterval(timer)
      // The socket first: the other end learns of it from the next life of this one, which begins from the start.
      const closed = called.close()
      for (const tunnel of admitted.keys()) tunnel.close()
      admitted.clear()
      return closed
    },
  }
}
