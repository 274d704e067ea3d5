// Files of the unit on their way to servers: each through a tunnel of its own, over the links that can be used at present.
import type { Duplex } from 'node:stream'
import { UPLOAD_STREAM, type UploadTunnel } from '@backhaul/contract/gateway/uploads'
import { Refused } from '@backhaul/device/refused'
import type { UnitHardware } from '@backhaul/device/unit-hardware'
import { type Call, startCall } from '../tunnels/call.ts'
import { type CalledTunnel, type CalledTunnelOptions, opened } from '../tunnels/called-tunnel.ts'

export type UploadTunnelsOptions = Omit<CalledTunnelOptions, 'onLost' | 'onChange'>

export interface UploadTunnels extends Pick<CalledTunnel, 'kbpsOf' | 'useLinks' | 'close'> {
  readonly open: NonNullable<UnitHardware['openUploadTunnel']>
}

export function createUploadTunnels({ usable, terms, clock, log }: UploadTunnelsOptions): UploadTunnels {
  const calls = new Set<Call>()

  function start(wanted: UploadTunnel, onStream: (stream: Duplex) => void): Call {
    return startCall(
      {
        purpose: {
          name: 'upload',
          silent: 'upload.serverSilent',
          async open(_, tunnel) {
            onStream(tunnel.open(UPLOAD_STREAM))
            return { close() {} }
          },
        },
        terms,
        clock,
        log,
        // Its stream has ended, which ends the upload.
        onLost() {},
      },
      wanted,
      usable(),
    )
  }

  return {
    async open(wanted, signal) {
      signal.throwIfAborted()
      const { promise: stream, resolve } = Promise.withResolvers<Duplex>()
      const call = start(wanted, resolve)
      calls.add(call)
      const close = async () => {
        calls.delete(call)
        await call.stop()
      }
      try {
        await opened(call, signal)
      } catch (error) {
        await close()
        throw usable().length === 0 ? new Refused('upload.interrupted') : error
      }
      log.info({ id: wanted.id, links: usable().map(({ id }) => id) }, 'upload goes over the links')
      return { stream: await stream, close }
    },
    kbpsOf(linkId) {
      const own = [...calls].flatMap((call) => call.stats().links.filter(({ id }) => id === linkId))
      return {
        up: own.reduce((sum, { upKbps }) => sum + upKbps, 0),
        down: own.reduce((sum, { downKbps }) => sum + downKbps, 0),
      }
    },
    useLinks() {
      for (const call of calls) call.useLinks(usable())
    },
    async close() {
      await Promise.all([...calls].map((call) => call.stop()))
    },
  }
}
