// The interface of a push topic, and the data about its reader.
import type { Role } from '@backhaul/contract/define/roles'
import type { Scope } from '../../database/scope.ts'

/** The reader, for the decision on a topic. */
export interface PushReaderRights {
  userId: string
  roles: readonly Role[]
  signInId: string
  scope: Scope
}

/** One object that can be followed. */
export interface PushTopic {
  readonly topic: string
  readonly seq: number
  readableBy(reader: PushReaderRights): boolean
  /** JSON messages joined by commas that bring a reader from revision `from` (0: a snapshot) to `seq`; '' when none. */
  messagesSince(from: number): string
}

export interface PushSource {
  /** Changes when core restarts: revisions of another epoch mean nothing. */
  readonly epoch: string
  /** Undefined when there is no such topic or it is outside the reader's scope. */
  find(topic: string, reader: PushReaderRights): PushTopic | undefined
}
