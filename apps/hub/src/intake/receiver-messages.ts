import type { ReceiverOptions } from '@backhaul/bonding/receiver'
import type { ReceiverSession, ReceiverStats } from '@backhaul/bonding/receiver-flow'

/** A message to a thread that receives. */
export type ToReceivers =
  | { type: 'open'; id: number; options: ReceiverOptions }
  | (ReceiverOrder & { id: number })

/** Sessions of a receiver are numbered: what is still on its way of an earlier one is not taken for the next. */
export type ReceiverOrder =
  | { type: 'session'; session: ReceiverSession; number: number }
  | { type: 'buffer'; bufferMs: number }
  | { type: 'close' }

export type FromReceivers =
  | { type: 'opened'; id: number; port: number; stats: ReceiverStats }
  | { type: 'failed'; id: number; message: string }
  /** The data received for each since the last message. */
  | { type: 'data'; pieces: readonly { id: number; number: number; bytes: Uint8Array<ArrayBuffer> }[] }
  | { type: 'stats'; all: readonly { id: number; number: number; stats: ReceiverStats }[] }
  | { type: 'closed'; id: number }
