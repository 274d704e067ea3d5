// The bookkeeping of one reader of the push door: which topics, which revision of each, what a frame means.
import type { PushBehind, PushMessage, PushRequest, PushWelcome } from '@backhaul/contract/define/topic'
import { parseRevision, revisionToken } from '@backhaul/contract/define/topic'

type Listener = (message: PushMessage) => void

interface Subscription {
  listeners: Set<Listener>
  /** The revision held; undefined before the first snapshot, and again from a hole until the next one. */
  held: { epoch: string; seq: number } | undefined
}

export interface PushSession {
  subscribe(topic: string, listener: Listener, since?: string): () => void
  /** A socket opened and core identified itself: everything is requested again, from the revisions held. */
  welcomed(welcome: PushWelcome): void
  /** The socket is gone; nothing is sent until the next welcome. */
  closed(): void
  frame(frame: readonly unknown[]): void
  /** Whether this revision, which a read returned, is older than the one held of the topic. */
  isOlderThanHeld(topic: string, revision: string): boolean
  /** Requests a fresh snapshot of one topic: the sign of life of a quiet connection. False when there is no topic. */
  ping(): boolean
}

interface SessionEdges {
  send: (request: PushRequest) => void
  /** Topics in one request (GAP-PUSH-10). */
  batchSize: () => number
  onWelcome: (welcome: PushWelcome) => void
  onRefused: (topics: readonly string[]) => void
  onBehind: (seconds: number) => void
  /** Runs a collected send once the current work is done. */
  soon: (run: () => void) => void
}

export function createPushSession(edges: SessionEdges): PushSession {
  const subscriptions = new Map<string, Subscription>()
  const toAdd = new Set<string>()
  const toDrop = new Set<string>()
  let epoch: string | undefined
  let scheduled = false

  function later(): void {
    if (scheduled || epoch === undefined) return
    scheduled = true
    edges.soon(() => {
      scheduled = false
      flush()
    })
  }

  function flush(): void {
    if (epoch === undefined) return
    for (const topics of batches([...toDrop])) edges.send({ action: 'unsubscribe', topics })
    for (const topics of batches([...toAdd])) edges.send({ action: 'subscribe', topics, ...sinceOf(topics) })
    toAdd.clear()
    toDrop.clear()
  }

  function* batches(topics: string[]): Iterable<string[]> {
    const size = Math.max(1, edges.batchSize())
    for (let at = 0; at < topics.length; at += size) yield topics.slice(at, at + size)
  }

  function sinceOf(topics: readonly string[]): { since?: Record<string, string> } {
    const since: Record<string, string> = {}
    for (const topic of topics) {
      const held = subscriptions.get(topic)?.held
      if (held) since[topic] = revisionToken(held.epoch, held.seq)
    }
    return Object.keys(since).length === 0 ? {} : { since }
  }

  function message(one: PushMessage): void {
    const subscription = subscriptions.get(one.topic)
    if (!subscription || epoch === undefined) return
    const held = subscription.held
    const isSnapshot = one.from === 0
    if (!isSnapshot && (held === undefined || held.epoch !== epoch || one.from > held.seq)) {
      // A hole: later news cannot be trusted until a snapshot comes, which is requested once.
      if (held !== undefined) {
        subscription.held = undefined
        toAdd.add(one.topic)
        later()
      }
      return
    }
    if (isSnapshot || held === undefined) subscription.held = { epoch, seq: one.seq }
    else held.seq = Math.max(held.seq, one.seq)
    for (const listener of subscription.listeners) listener(one)
  }

  return {
    subscribe(topic, listener, since) {
      const known = subscriptions.get(topic)
      const held = since === undefined ? undefined : parseRevision(since)
      const subscription = known ?? { listeners: new Set(), held }
      // One more reader of a known topic has seen nothing yet: all of them get the snapshot again.
      if (known) known.held = undefined
      subscriptions.set(topic, subscription)
      subscription.listeners.add(listener)
      toDrop.delete(topic)
      toAdd.add(topic)
      later()
      return () => {
        subscription.listeners.delete(listener)
        if (subscription.listeners.size > 0 || subscriptions.get(topic) !== subscription) return
        subscriptions.delete(topic)
        toAdd.delete(topic)
        toDrop.add(topic)
        later()
      }
    },
    welcomed(welcome) {
      epoch = welcome.epoch
      toDrop.clear()
      for (const topic of subscriptions.keys()) toAdd.add(topic)
      edges.onWelcome(welcome)
      flush()
    },
    closed() {
      epoch = undefined
      toAdd.clear()
      toDrop.clear()
    },
    frame(frame) {
      for (const one of frame as readonly (
        | PushMessage
        | PushWelcome
        | PushBehind
        | { kind: 'refused'; topics: string[] }
      )[]) {
        if ('topic' in one) message(one)
        else if (one.kind === 'welcome') this.welcomed(one as PushWelcome)
        else if (one.kind === 'behind') edges.onBehind((one as PushBehind).seconds)
        else if (one.kind === 'refused') edges.onRefused((one as { topics: string[] }).topics)
      }
    },
    isOlderThanHeld(topic, revision) {
      const [held, read] = [subscriptions.get(topic)?.held, parseRevision(revision)]
      return held !== undefined && read?.epoch === held.epoch && read.seq < held.seq
    },
    ping() {
      const topic = subscriptions.keys().next().value
      if (topic === undefined || epoch === undefined) return false
      edges.send({ action: 'subscribe', topics: [topic] })
      return true
    },
  }
}
