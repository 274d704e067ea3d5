// A thread that receives bonded transmissions: repairs and decrypts them, and passes on the streams.
import { parentPort } from 'node:worker_threads'
import { createReceiver, type Receiver } from '@backhaul/bonding/receiver'
import type { FromReceivers, ToReceivers } from './receiver-messages.ts'

const STATS_MS = 250

const control = parentPort!
/** By their ids, with the number of the session. */
const receivers = new Map<number, { receiver: Receiver; number: number }>()
let gathered = new Map<number, Uint8Array[]>()
const send = (message: FromReceivers, transfer: ArrayBuffer[] = []) => control.postMessage(message, transfer)

/** All receivers release what is due in the same turn: it leaves in one message, since each wakes the other thread. */
function gather(id: number, payload: Uint8Array): void {
  if (gathered.size === 0) setImmediate(passOn)
  const payloads = gathered.get(id)
  if (payloads) payloads.push(payload)
  else gathered.set(id, [payload])
}

function passOn(): void {
  const pieces = [...gathered].map(([id, payloads]) => ({
    id,
    number: receivers.get(id)?.number ?? 0,
    bytes: joined(payloads),
  }))
  gathered = new Map()
  send(
    { type: 'data', pieces },
    pieces.map(({ bytes }) => bytes.buffer),
  )
}

function joined(payloads: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(payloads.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const payload of payloads) {
    bytes.set(payload, at)
    at += payload.length
  }
  return bytes
}

async function open({ id, options }: Extract<ToReceivers, { type: 'open' }>): Promise<void> {
  try {
    const receiver = await createReceiver(options)
    receiver.onData((payload) => gather(id, payload))
    receivers.set(id, { receiver, number: 0 })
    send({ type: 'opened', id, port: receiver.port, stats: receiver.stats() })
  } catch (error) {
    send({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) })
  }
}

function setSession({ id, session, number }: Extract<ToReceivers, { type: 'session' }>): void {
  const one = receivers.get(id)
  if (!one) return
  gathered.delete(id)
  one.receiver.setSession(session)
  one.number = number
}

async function close(id: number): Promise<void> {
  const closing = receivers.get(id)
  receivers.delete(id)
  gathered.delete(id)
  await closing?.receiver.close()
  send({ type: 'closed', id })
}

control.on('message', (message: ToReceivers) => {
  switch (message.type) {
    case 'open':
      void open(message)
      break
    case 'session':
      setSession(message)
      break
    case 'buffer':
      receivers.get(message.id)?.receiver.setBufferMs(message.bufferMs)
      break
    case 'close':
      void close(message.id)
  }
})
setInterval(() => {
  send({
    type: 'stats',
    all: [...receivers].map(([id, { receiver, number }]) => ({ id, number, stats: receiver.stats() })),
  })
}, STATS_MS)
