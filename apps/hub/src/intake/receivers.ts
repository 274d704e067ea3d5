// The receivers of bonded transmissions: the first few by the media thread itself, further ones by threads of their own, since
// decrypting and repairing sixteen of them is more than one processor can do together with everything else.
import { Worker } from 'node:worker_threads'
import { createReceiver, type Receiver, type ReceiverOptions } from '@backhaul/bonding/receiver'
import type { ReceiverStats } from '@backhaul/bonding/receiver-flow'
import type { FromReceivers, ReceiverOrder, ToReceivers } from './receiver-messages.ts'

const MOST_HERE = 4
const MOST_IN_A_THREAD = 8

export type OpenReceiver = (options: ReceiverOptions) => Promise<Receiver>

export interface Receivers {
  /** Opens a receiver like createReceiver; its figures are up to a quarter of a second old. */
  readonly open: OpenReceiver
  stop(): Promise<void>
}

interface Thread {
  readonly open: OpenReceiver
  count(): number
  stop(): Promise<unknown>
}

/** `mostHere` are received by the thread that calls it. */
export function createReceivers(mostHere = MOST_HERE): Receivers {
  const threads: Thread[] = []
  let here = 0

  async function openHere(options: ReceiverOptions): Promise<Receiver> {
    here++
    const leave = () => {
      here--
    }
    const receiver = await createReceiver(options).catch((error) => {
      leave()
      throw error
    })
    return {
      ...receiver,
      close() {
        leave()
        return receiver.close()
      },
    }
  }

  function threadWithRoom(): Thread {
    const found = threads.find((thread) => thread.count() < MOST_IN_A_THREAD)
    if (found) return found
    const started = startThread()
    threads.push(started)
    return started
  }

  return {
    open: (options) => (here < mostHere ? openHere(options) : threadWithRoom().open(options)),
    async stop() {
      await Promise.all(threads.map((thread) => thread.stop()))
    },
  }
}

interface Remote {
  opened: PromiseWithResolvers<void>
  closed: PromiseWithResolvers<void>
  port: number
  /** The number of its session. */
  number: number
  stats: ReceiverStats | undefined
  listeners: Set<(payload: Uint8Array) => void>
}

/** A thread that fails ends the one that started it, which is started again with all its channels. */
function startThread(): Thread {
  const worker = new Worker(new URL('./receiver-thread.ts', import.meta.url))
  const remotes = new Map<number, Remote>()
  let ids = 0
  const post = (message: ToReceivers) => worker.postMessage(message)
  worker.on('error', (error) => {
    throw error
  })

  worker.on('message', (message: FromReceivers) => {
    switch (message.type) {
      case 'data':
        for (const { id, number, bytes } of message.pieces)
          for (const listen of ofSession(id, number)?.listeners ?? []) listen(bytes)
        break
      case 'stats':
        for (const { id, number, stats } of message.all) {
          const remote = ofSession(id, number)
          if (remote) remote.stats = stats
        }
        break
      case 'opened':
        noteOpened(message)
        break
      case 'failed':
        remotes.get(message.id)?.opened.reject(new Error(message.message))
        remotes.delete(message.id)
        break
      case 'closed':
        remotes.get(message.id)?.closed.resolve()
        remotes.delete(message.id)
    }
  })

  function ofSession(id: number, number: number): Remote | undefined {
    const remote = remotes.get(id)
    return remote?.number === number ? remote : undefined
  }

  function noteOpened({ id, port, stats }: Extract<FromReceivers, { type: 'opened' }>): void {
    const remote = remotes.get(id)
    if (!remote) return
    remote.port = port
    remote.stats = stats
    remote.opened.resolve()
  }

  return {
    count: () => remotes.size,
    stop: () => worker.terminate(),
    async open(options) {
      const id = ids++
      const remote: Remote = {
        opened: Promise.withResolvers(),
        closed: Promise.withResolvers(),
        port: 0,
        number: 0,
        stats: undefined,
        listeners: new Set(),
      }
      remotes.set(id, remote)
      post({ type: 'open', id, options })
      await remote.opened.promise
      return receiverOf(remote, (message) => post({ ...message, id }))
    },
  }
}

function receiverOf(remote: Remote, post: (order: ReceiverOrder) => void): Receiver {
  // The figures of a receiver that has received nothing.
  const fresh = remote.stats!
  return {
    port: remote.port,
    onData(listener) {
      remote.listeners.add(listener)
      return () => remote.listeners.delete(listener)
    },
    stats: () => remote.stats ?? fresh,
    setBufferMs: (bufferMs) => post({ type: 'buffer', bufferMs }),
    setSession(session) {
      remote.stats = fresh
      post({ type: 'session', session, number: ++remote.number })
    },
    close() {
      remote.listeners.clear()
      post({ type: 'close' })
      return remote.closed.promise
    },
  }
}
