// News that a feature sends upward: features that stand later in the order listen, none is called by an earlier one.
import type { Log } from '@backhaul/runtime/log'

/** Every kind of news and what it carries. */
export interface News {
  /** A sign-in ended by sign-out, expiry or an administrator: its sockets close. */
  signInEnded: { signInId: string; userId: string }
  /** A person's roles, customers or groups changed: what his sockets may read is decided anew. */
  userScopeChanged: { userId: string }
  /** Units or channels came into or left a group. */
  groupChanged: { groupId: string }
}

export interface Events {
  emit<Kind extends keyof News>(kind: Kind, news: News[Kind]): void
  /** Answers the function that stops listening. */
  on<Kind extends keyof News>(kind: Kind, listener: (news: News[Kind]) => void): () => void
}

/** A listener that throws harms neither the sender nor the other listeners. */
export function createEvents(log: Log): Events {
  const listeners = new Map<keyof News, Set<(news: never) => void>>()
  return {
    emit(kind, news) {
      for (const listener of listeners.get(kind) ?? []) {
        try {
          ;(listener as (given: typeof news) => void)(news)
        } catch (error) {
          log.error({ err: error, kind }, 'a listener failed')
        }
      }
    },
    on(kind, listener) {
      const ofKind = listeners.get(kind) ?? new Set()
      listeners.set(kind, ofKind.add(listener))
      return () => void ofKind.delete(listener)
    },
  }
}
