// The end of one IP pipe at the server: the newest stream of the unit has an interface in the network, and no other one.
import type { Duplex } from 'node:stream'
import { createFramePipe } from '@backhaul/bonding/frame-pipe'
import { IP_PIPE_MAX_KBPS } from '@backhaul/contract/nouns/ip-pipe'
import { type EthernetTap, openEthernetTap } from '@backhaul/runtime/ethernet-tap'
import type { Log } from '@backhaul/runtime/log'

export interface PipeEnd {
  /** Takes the place of the stream before it. */
  use(stream: Duplex): void
  close(): void
}

export function createPipeEnd({ network, log }: { network: string; log: Log }): PipeEnd {
  let current: Duplex | undefined
  let isClosed = false

  async function join(stream: Duplex): Promise<void> {
    let tap: EthernetTap | undefined
    const isOver = () => isClosed || stream.destroyed || stream !== current
    const pipe = createFramePipe({ stream, kbps: IP_PIPE_MAX_KBPS, onFrame: (frame) => tap?.send(frame) })
    const leave = async () => {
      const leaving = tap
      tap = undefined
      await leaving?.close()
    }
    stream.on('close', () => void leave())
    stream.on('end', () => {
      // The unit waits until the interface is gone.
      void leave().finally(() => stream.end())
    })
    const opened = await openEthernetTap({
      bridge: network,
      // Crews of different units do not reach each other through the network of the studio.
      isolated: true,
      onFrame: (frame) => pipe.send(frame),
      onLost: (why) => stream.destroy(new Error(why)),
    })
    if (isOver()) {
      await opened.close()
      return
    }
    tap = opened
    pipe.ready()
    log.info('IP pipe connected')
    stream.on('close', () => log.info('IP pipe ended'))
  }

  return {
    use(stream) {
      current?.destroy(new Error('the unit has connected again'))
      current = stream
      join(stream).catch((error: unknown) => {
        log.warn({ err: error }, 'the IP pipe cannot join its network')
        stream.destroy(error instanceof Error ? error : new Error(String(error)))
      })
    },
    close() {
      isClosed = true
      current?.destroy(new Error('the server has ended it'))
    },
  }
}
