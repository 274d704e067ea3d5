import { english } from '@backhaul/contract/define/refusals'
import type { PushMessage, PushWelcome } from '@backhaul/contract/define/topic'
import { PUSH_PATH, SIGN_IN_ENDED } from '@backhaul/contract/define/topic'
import { waitsMs } from '@backhaul/contract/define/waits'
import { SUBSCRIBE_BATCH_SIZE } from '@backhaul/contract/nouns/client'
import { coreAnswers } from './core-answers.ts'
import { createPushSession } from './push-session.ts'
import { gaveUpReason, reconnectDelayMs } from './reconnect.ts'

/**
 * 1. closed: no user is signed in, nothing is wanted;
 * 2. connecting: the first connection of the page is being made;
 * 3. open: core has welcomed us, changes arrive, `behindS` seconds late while core has more to do than it can;
 * 4. lost: the connection broke at `sinceMs`, try number `attempt` comes at `nextMs`;
 * 5. gaveUp: all tries are used up; only the user starts over.
 */
export type LinkState =
  | { readonly kind: 'closed' | 'connecting' }
  | { readonly kind: 'open'; readonly behindS: number }
  | { readonly kind: 'lost'; readonly sinceMs: number; readonly attempt: number; readonly nextMs: number }
  | { readonly kind: 'gaveUp'; readonly sinceMs: number; readonly reason: typeof gaveUpReason }

const reloadedForKey = 'backhaul.reloadedFor'

/** Values of wsLibrary that this tab has reloaded for. */
const reloadedFor = (): string[] => JSON.parse(sessionStorage.getItem(reloadedForKey) ?? '[]') as string[]

interface PushListeners {
  link: Set<() => void>
  resumed: Set<() => void>
  signInEnded: Set<() => void>
}

function createPush() {
  const listeners: PushListeners = { link: new Set(), resumed: new Set(), signInEnded: new Set() }
  let link: LinkState = { kind: 'closed' }
  let socket: WebSocket | undefined
  let wanted = false
  let attempt = 0
  let lostSinceMs: number | undefined
  let lastFrameMs = 0
  let batchSize = SUBSCRIBE_BATCH_SIZE
  let knownLibrary: string | undefined
  let offsetMs = 0
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let quietTimer: ReturnType<typeof setTimeout> | undefined
  let probeTimer: ReturnType<typeof setInterval> | undefined
  let isProbedInVain = false

  const session = createPushSession({
    send: (request) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(request)),
    batchSize: () => batchSize,
    onWelcome: welcomed,
    onBehind: (behindS) => setLink({ kind: 'open', behindS }),
    onRefused: (topics) => console.warn('push refused', topics),
    soon: (run) => queueMicrotask(run),
  })

  function setLink(next: LinkState): void {
    link = next
    for (const listener of listeners.link) listener()
  }

  function welcomed(welcome: PushWelcome): void {
    offsetMs = welcome.serverTime - Date.now()
    noticeLibrary(welcome.wsLibrary)
    const again = lostSinceMs !== undefined
    attempt = 0
    isProbedInVain = false
    lostSinceMs = undefined
    setLink({ kind: 'open', behindS: 0 })
    if (again) for (const listener of listeners.resumed) listener()
  }

  /** A new value reloads the page, only when another was known and once per value (GAP-PUSH-07). */
  function noticeLibrary(value: string): void {
    const before = knownLibrary
    knownLibrary = value
    if (before === undefined || before === value) return
    // Two cores of different releases would send a page back and forth for ever.
    const done = reloadedFor()
    if (done.includes(value)) return
    sessionStorage.setItem(reloadedForKey, JSON.stringify([...done, value]))
    location.reload()
  }

  function waitNoMore(): void {
    clearTimeout(retryTimer)
    clearInterval(probeTimer)
  }

  /**
   * Brings the next try forward when core answers before it. Where calls come through and this socket does not, once is
   * enough until core was seen to be away.
   */
  async function probe(): Promise<void> {
    const waiting = link
    const isThere = await coreAnswers()
    if (link !== waiting || socket !== undefined) return
    if (isThere && !isProbedInVain) open()
    isProbedInVain = isThere
  }

  function open(): void {
    waitNoMore()
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const mine = new WebSocket(`${scheme}://${location.host}${PUSH_PATH}`)
    socket = mine
    mine.onmessage = (event) => {
      if (socket !== mine) return
      lastFrameMs = Date.now()
      watchQuiet(mine)
      session.frame(JSON.parse(String(event.data)) as unknown[])
    }
    mine.onclose = ({ code }) => {
      if (socket !== mine) return
      lost()
      if (code === SIGN_IN_ENDED) for (const listener of listeners.signInEnded) listener()
    }
    watchQuiet(mine)
  }

  /**
   * Some networks drop a connection without closing it: after silence a ping is sent, and without an answer the connection
   * is opened again.
   */
  function watchQuiet(mine: WebSocket): void {
    clearTimeout(quietTimer)
    quietTimer = setTimeout(() => {
      if (mine.readyState === WebSocket.OPEN && !session.ping()) return
      quietTimer = setTimeout(() => {
        mine.close()
        if (socket === mine) lost()
      }, waitsMs.probe)
    }, waitsMs.ping)
  }

  function lost(): void {
    clearTimeout(quietTimer)
    socket = undefined
    session.closed()
    if (!wanted) {
      setLink({ kind: 'closed' })
      return
    }
    lostSinceMs ??= Date.now()
    attempt += 1
    const waitMs = reconnectDelayMs(attempt, Math.random())
    if (waitMs === undefined) {
      setLink({ kind: 'gaveUp', sinceMs: lostSinceMs, reason: gaveUpReason })
      // The error event of giving up (PU-CONN-07), for error monitors of the page.
      reportError(new Error(english('system.websocketError'), { cause: gaveUpReason }))
      return
    }
    setLink({ kind: 'lost', sinceMs: lostSinceMs, attempt, nextMs: Date.now() + waitMs })
    retryTimer = setTimeout(open, waitMs)
    probeTimer = setInterval(() => void probe(), waitsMs.probe)
  }

  function drop(): void {
    const mine = socket
    socket = undefined
    clearTimeout(quietTimer)
    mine?.close()
  }

  /** The browser knows of a pulled cable before the socket does. */
  function followNetwork(): void {
    addEventListener('offline', () => {
      if (!wanted || !socket) return
      drop()
      lost()
    })
    addEventListener('online', () => {
      if (link.kind === 'lost') open()
    })
  }

  return {
    /** The page's one connection; called again after a sign-in. */
    start(configuration: { subscribeBatchSize: number; wsLibrary: string }): void {
      batchSize = configuration.subscribeBatchSize
      noticeLibrary(configuration.wsLibrary)
      if (wanted) return
      wanted = true
      followNetwork()
      setLink({ kind: 'connecting' })
      open()
    },
    stop(): void {
      wanted = false
      waitNoMore()
      drop()
      session.closed()
      setLink({ kind: 'closed' })
    },
    retryNow(): void {
      attempt = 0
      waitNoMore()
      drop()
      if (lostSinceMs !== undefined)
        setLink({ kind: 'lost', sinceMs: lostSinceMs, attempt: 1, nextMs: Date.now() })
      open()
    },
    subscribe: session.subscribe,
    isOlderThanHeld: session.isOlderThanHeld,
    link: () => link,
    onLink(listener: () => void): () => void {
      listeners.link.add(listener)
      return () => listeners.link.delete(listener)
    },
    /** Called after a broken connection is restored (PU-CONN-06). */
    onResumed(listener: () => void): () => void {
      listeners.resumed.add(listener)
      return () => listeners.resumed.delete(listener)
    },
    /** Called when core ends the sign-in of this page, for instance from another browser of the user. */
    onSignInEnded(listener: () => void): void {
      listeners.signInEnded.add(listener)
    },
    /** When the last frame came, in ms of this machine; 0 before the first. */
    lastFrameMs: () => lastFrameMs,
    /** Lead of core's clock over this machine's, in ms. */
    clockOffsetMs: () => offsetMs,
  }
}

export type { PushMessage }

/** The page has one connection for all callers. */
export const push = createPush()
