// Copies of the stream that a channel receives, sent on to other channels as a unit would send it.
import { isDeepStrictEqual } from 'node:util'
import { createSender, type Sender } from '@backhaul/bonding/sender'
import type { WantedCopy } from '@backhaul/contract/gateway/servers'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Log } from '@backhaul/runtime/log'

/** Between servers there is room; the estimate of the link follows what it really carries. */
const startKbps = 20_000

export interface Copies {
  /** These and no others; one that is unchanged is not interrupted. */
  apply(wanted: readonly WantedCopy[]): void
  close(): void
}

interface Copy {
  readonly wanted: WantedCopy
  readonly sender: Sender
  readonly leave: () => void
}

export function createCopies({ bus, log }: { bus: TsBus; log: Log }): Copies {
  let copies: readonly Copy[] = []

  function open(wanted: WantedCopy): Copy {
    const { channelId, transmissionId, key, targets, bufferMs } = wanted
    const sender = createSender({
      sessionId: transmissionId,
      key: Buffer.from(key, 'base64'),
      bufferMs,
      links: targets.map(({ host, port }) => ({
        id: `${host}:${port}`,
        remoteHost: host,
        remotePort: port,
        startKbps,
      })),
    })
    log.info({ to: channelId, targets }, 'copy to another channel started')
    // From a key frame on, and at the pace of the picture.
    return { wanted, sender, leave: bus.subscribe((packets) => sender.push(packets), { fromNext: true }) }
  }

  function end({ wanted, sender, leave }: Copy): void {
    leave()
    sender.close()
    log.info({ to: wanted.channelId }, 'copy to another channel ended')
  }

  return {
    apply(wanted) {
      const kept = copies.flatMap((copy) => {
        const now = wanted.find((one) => isSameWay(one, copy.wanted))
        if (now) copy.sender.setBufferMs(now.bufferMs)
        else end(copy)
        return now ? [{ ...copy, wanted: now }] : []
      })
      const fresh = wanted.filter((one) => !kept.some((copy) => copy.wanted === one))
      copies = kept.concat(fresh.map(open))
    },
    close() {
      for (const copy of copies) end(copy)
      copies = []
    },
  }
}

/** Whether two receptions are the same; only the time for repairs may differ. */
const isSameWay = (one: WantedCopy, other: WantedCopy): boolean =>
  isDeepStrictEqual({ ...one, bufferMs: 0 }, { ...other, bufferMs: 0 })
