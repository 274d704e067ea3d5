/**
 * Many readers of live changes in one process: `push-readers.ts core|least|socket.io|nats <url> <cookie>`. On a request to join,
 * each reader follows all topics; an empty request returns how many changes have reached the readers.
 */
import { PUSH_PATH, type PushMessage } from '@backhaul/contract/define/topic'
import { io } from 'socket.io-client'
import { WebSocket } from 'ws'
import { answerLines } from './load-program.ts'
import { countMessages, followNats } from './nats.ts'

const [kind = '', url = '', cookie = ''] = process.argv.slice(2)
const topicsPerRequest = 50

let changes = 0
let bytes = 0
/** The messages of one change, so that a peer can send the same. */
let example: PushMessage[] = []

async function readCore(topics: readonly string[]): Promise<void> {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + PUSH_PATH, { headers: { cookie } })
  let snapshots = 0
  const ready = Promise.withResolvers<void>()
  socket.once('error', ready.reject)
  socket.on('message', (data) => {
    bytes += (data as Buffer).length
    const messages = JSON.parse(String(data)) as PushMessage[]
    for (const [at, message] of messages.entries()) {
      if (message.topic === undefined) continue
      // One change may be sent in several messages of different kinds, one after the other.
      const before = messages[at - 1]
      if (before?.topic === message.topic && before.seq === message.seq) continue
      if (message.from === 0) {
        if (++snapshots === topics.length) ready.resolve()
        continue
      }
      changes++
      example = messages.filter(({ topic, seq }) => topic === message.topic && seq === message.seq)
    }
  })
  await new Promise<void>((resolve) => socket.once('open', resolve))
  // The least program sends everything to all.
  if (topics.length === 0) return
  for (let at = 0; at < topics.length; at += topicsPerRequest)
    socket.send(JSON.stringify({ action: 'subscribe', topics: topics.slice(at, at + topicsPerRequest) }))
  await ready.promise
}

async function readSocketIo(topics: readonly string[]): Promise<void> {
  const socket = io(url, { transports: ['websocket'], forceNew: true })
  socket.on('change', () => void changes++)
  socket.on('changes', (collected: unknown[]) => {
    changes += collected.length
  })
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  await socket.emitWithAck('follow', topics)
}

const readNats = (topics: readonly string[]): Promise<void> =>
  followNats(url, topics, (received) => {
    changes += countMessages(received)
  })

answerLines(async ({ sockets, topics }: { sockets?: number; topics?: string[] }) => {
  const read = kind === 'core' || kind === 'least' ? readCore : kind === 'nats' ? readNats : readSocketIo
  for (let at = 0; at < (sockets ?? 0); at++) await read(topics ?? [])
  return { changes, bytes, example }
})
