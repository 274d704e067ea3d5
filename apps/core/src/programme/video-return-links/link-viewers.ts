// The pages that watch by share links: each is disconnected when its link expires, is ended or deleted.
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'

export interface LinkViewer {
  linkId: string
  end(): void
}

export interface LinkViewers {
  add(viewer: LinkViewer): void
  delete(viewer: LinkViewer): void
  /** The number of viewers by the link. */
  of(linkId: string): number
  endOf(linkId: string): void
  stop(): void
}

/** Links expire, and another core may end them. */
const checkPeriodMs = 1000

interface Needs {
  clock: Clock
  log: Log
  isOpen(linkId: string): Promise<boolean>
}

export function createLinkViewers({ clock, log, isOpen }: Needs): LinkViewers {
  const viewers = new Set<LinkViewer>()
  let timer: Timer | undefined

  function forget(viewer: LinkViewer): void {
    viewers.delete(viewer)
    if (viewers.size > 0) return
    clock.clearInterval(timer)
    timer = undefined
  }

  function endWhere(isMeant: (viewer: LinkViewer) => boolean): void {
    for (const viewer of [...viewers]) {
      if (!isMeant(viewer)) continue
      forget(viewer)
      viewer.end()
    }
  }
  const endOf = (id: string) => endWhere(({ linkId }) => linkId === id)

  async function recheck(): Promise<void> {
    for (const linkId of new Set([...viewers].map((viewer) => viewer.linkId))) {
      if (!(await isOpen(linkId))) endOf(linkId)
    }
  }

  return {
    add(viewer) {
      viewers.add(viewer)
      timer ??= clock.setInterval(() => {
        recheck().catch((error) => log.error(error, 'checking the share links of viewers failed'))
      }, checkPeriodMs)
    },
    delete: forget,
    of: (id) => [...viewers].filter(({ linkId }) => linkId === id).length,
    endOf,
    stop: () => endWhere(() => true),
  }
}
