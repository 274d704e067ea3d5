/** As much of the protocol of a NATS server as its benchmark needs: https://docs.nats.io/reference/reference-protocols/nats-protocol */
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'

const greeting = 'CONNECT {"verbose":false,"pedantic":false}\r\n'

/** Follows all topics over a WebSocket, as a browser does; `onBytes` gets what the server sends. */
export async function followNats(url: string, topics: readonly string[], onBytes: (bytes: Buffer) => void) {
  const socket = new WebSocket(url)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const ready = Promise.withResolvers<void>()
  socket.on('message', (data) => {
    const bytes = data as Buffer
    if (bytes.includes('PING\r\n')) socket.send('PONG\r\n')
    if (bytes.includes('PONG\r\n')) ready.resolve()
    onBytes(bytes)
  })
  const subscriptions = topics.map((topic, at) => `SUB ${topic} ${at}\r\n`).join('')
  socket.send(`${greeting}${subscriptions}PING\r\n`)
  await ready.promise
}

/** Counts the messages in what a server sends: each begins with its topic. */
export function countMessages(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf('MSG unit.'); at >= 0; at = bytes.indexOf('MSG unit.', at + 9)) count++
  return count
}

export async function publisherOf(port: number): Promise<(topic: string, text: string) => void> {
  const socket: Socket = connect(port, '127.0.0.1')
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.on('data', (bytes: Buffer) => {
    if (bytes.includes('PING\r\n')) socket.write('PONG\r\n')
  })
  socket.write(greeting)
  return (topic, text) => void socket.write(`PUB ${topic} ${Buffer.byteLength(text)}\r\n${text}\r\n`)
}
