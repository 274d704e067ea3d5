// Feeds a bus to a child's standard input. A child that does not keep up loses whole groups of pictures, not single packets.
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { TsBus } from './ts-bus.ts'

export interface ChildFeedOptions {
  bus: Pick<TsBus, 'subscribe'>
  child: Pick<SupervisedChild, 'write' | 'backlogBytes'>
  fromNext?: boolean
  /** Packets are gathered this long before they are written; 0 writes each piece as it comes. */
  gatherMs?: number
  /** At each loss, with how long the child has been behind. */
  onBehind?: (forMs: number) => void
}

/** Returns the function that ends the feed. */
export function feedChild({ bus, child, fromNext, gatherMs = 0, onBehind }: ChildFeedOptions): () => void {
  let gathered: Buffer[] = []
  let behindSinceMs: number | undefined
  let timer: NodeJS.Timeout | undefined

  function write(packets: Buffer): void {
    if (child.write(packets)) return
    behindSinceMs ??= performance.now()
    onBehind?.(performance.now() - behindSinceMs)
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const packets = gathered
    gathered = []
    if (packets.length > 0) write(packets.length === 1 ? packets[0]! : Buffer.concat(packets))
  }

  const leave = bus.subscribe(
    (packets, startsAtKeyFrame) => {
      if (behindSinceMs !== undefined && !(startsAtKeyFrame && child.backlogBytes() === 0)) {
        onBehind?.(performance.now() - behindSinceMs)
        return
      }
      behindSinceMs = undefined
      if (gatherMs === 0) return write(packets)
      gathered.push(packets)
      timer ??= setTimeout(flush, gatherMs)
    },
    fromNext === undefined ? {} : { fromNext },
  )
  return () => {
    leave()
    flush()
  }
}
