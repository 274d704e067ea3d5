// The IP pipe of the unit: a network of the crew and one of the server become one Ethernet, through a stream of the tunnel.
import type { Duplex } from 'node:stream'
import { createFramePipe } from '@backhaul/bonding/frame-pipe'
import type { Tunnel } from '@backhaul/bonding/tunnel'
import { because, type Reason } from '@backhaul/contract/define/refusals'
import type { WantedIpPipe } from '@backhaul/contract/gateway/units'
import { IP_PIPE_MAX_KBPS } from '@backhaul/contract/nouns/ip-pipe'
import { Refused } from '@backhaul/device/refused'
import { type EthernetTap, openEthernetTap } from '@backhaul/runtime/ethernet-tap'
import type { OpenTunnel, TunnelPurpose } from '../tunnels/call.ts'

/** The longest time that the server may take to report that it has left its network too. */
const closeAfterMs = 2000

/** `bridge` is the bridge of this machine that the crew's machines are in. */
export const ipPipe = (bridge: string): TunnelPurpose<WantedIpPipe> => ({
  name: 'IP pipe',
  silent: 'ipPipe.serverSilent',
  open: (_, tunnel, onLost) => openIpPipe(bridge, tunnel, onLost),
})

async function openIpPipe(
  bridge: string,
  tunnel: Tunnel,
  onLost: (why: Reason) => void,
): Promise<OpenTunnel> {
  const stream = tunnel.open('ip-pipe')
  const { promise: ready, resolve: onReady, reject: fail } = Promise.withResolvers<void>()
  // Its failure is awaited below, and may come before.
  ready.catch(() => {})
  let tap: EthernetTap | undefined
  let isClosing = false
  let isOpen = false

  function lose(why: Reason): void {
    fail(new Refused(why))
    if (isOpen && !isClosing) onLost(why)
  }

  const pipe = createFramePipe({
    stream,
    kbps: IP_PIPE_MAX_KBPS,
    onReady,
    onFrame: (frame) => tap?.send(frame),
  })
  stream.on('error', ({ message }) => lose(because('ipPipe.serverFailed', { error: message })))
  stream.on('close', () => lose('ipPipe.serverSilent'))
  stream.on('end', () => stream.end())
  try {
    tap = await openEthernetTap({
      bridge,
      onFrame: (frame) => pipe.send(frame),
      onLost: (error) => lose(because('ipPipe.networkFailed', { network: bridge, error })),
    }).catch((error: Error) => {
      throw new Refused(because('ipPipe.networkFailed', { network: bridge, error: error.message }))
    })
    await ready
  } catch (error) {
    stream.destroy()
    await tap?.close()
    throw error
  }
  isOpen = true
  return {
    async close() {
      isClosing = true
      await closeGracefully(stream)
      await tap?.close()
    },
  }
}

/** Resolves when the other end has left too, or does not report it in time. */
async function closeGracefully(stream: Duplex): Promise<void> {
  if (stream.destroyed) return
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  stream.on('close', resolve)
  const timer = setTimeout(resolve, closeAfterMs)
  stream.end()
  await gone
  clearTimeout(timer)
  stream.destroy()
}
