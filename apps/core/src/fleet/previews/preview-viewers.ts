// The viewers of pictures: each is disconnected when they may no longer open the picture.
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Caller } from '../../doors/api/caller.ts'
import type { Events } from '../../world/events.ts'

export interface Viewer {
  caller: Caller
  /** Undefined for a wall, which checks each of its channels itself. */
  channelId?: string
  /** They open the picture again if they may; the others are not affected. */
  end(): void
}

export interface Viewers {
  add(viewer: Viewer): void
  delete(viewer: Viewer): void
  /** False for one that has ended. */
  has(viewer: Viewer): boolean
  stop(): void
}

/** Channels leave groups, shares end, customers close their pictures. */
const checkPeriodMs = 2000

interface Needs {
  clock: Clock
  log: Log
  events: Events
  maySee(caller: Caller, channelId: string): Promise<boolean>
}

export function createViewers({ clock, log, events, maySee }: Needs): Viewers {
  const viewers = new Set<Viewer>()
  let timer: Timer | undefined

  function forget(viewer: Viewer): boolean {
    const wasThere = viewers.delete(viewer)
    if (viewers.size > 0) return wasThere
    clock.clearInterval(timer)
    timer = undefined
    return wasThere
  }

  function end(viewer: Viewer): void {
    if (forget(viewer)) viewer.end()
  }

  function endWhere(isMeant: (caller: Caller) => boolean): void {
    for (const viewer of [...viewers]) if (isMeant(viewer.caller)) end(viewer)
  }
  events.on('signInEnded', ({ signInId }) => endWhere((caller) => caller.signInId === signInId))
  events.on('userScopeChanged', ({ userId }) => endWhere((caller) => caller.userId === userId))

  async function recheck(): Promise<void> {
    for (const viewer of [...viewers]) {
      const { caller, channelId } = viewer
      if (channelId !== undefined && !(await maySee(caller, channelId))) end(viewer)
    }
  }

  const failed = (error: unknown) => log.error(error, 'previews: checking the rights of viewers failed')

  return {
    add(viewer) {
      viewers.add(viewer)
      timer ??= clock.setInterval(() => void recheck().catch(failed), checkPeriodMs)
    },
    delete: forget,
    has: (viewer) => viewers.has(viewer),
    stop: () => endWhere(() => true),
  }
}
