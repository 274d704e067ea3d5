/**
 * The peer of the push door: a plain socket.io server with a room for each topic. It passes on the messages of devices, and
 * makes changes of its own on request. `socket-io-server.ts <port>`; it serves a page with one row a topic.
 */
import { createServer } from 'node:http'
import type { PushMessage } from '@backhaul/contract/define/topic'
import type { UnitSample } from '@backhaul/contract/gateway/units'
import { Server } from 'socket.io'
import { answerLines } from '../load/load-program.ts'

const port = Number(process.argv[2])
const rows = 200

const page = `<!doctype html><title>socket.io</title><table></table><script src="/socket.io/socket.io.js"></script><script>
const cells = new Map()
const topics = Array.from({ length: ${rows} }, (_, at) => 'unit.' + at)
for (const topic of topics) {
  const row = document.querySelector('table').insertRow()
  row.insertCell().textContent = topic
  cells.set(topic, row.insertCell())
}
const socket = io({ transports: ['websocket'] })
socket.on('connect', () => socket.emit('follow', topics, () => { document.title = 'ready' }))
socket.on('change', ({ topic, sample }) => {
  cells.get(topic).textContent = Math.max(...sample.links.map((link) => link.rttMs)) + ' ms'
})
</script>`

const http = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(page)
})
const server = new Server(http, { perMessageDeflate: false, httpCompression: false })
server.on('connection', (socket) => {
  socket.on('follow', async (topics: string[], done: () => void) => {
    await socket.join(topics)
    done()
  })
})
server.of('/devices').on('connection', (socket) => {
  const { topic } = socket.handshake.auth as { topic: string }
  socket.on('status', (sample: UnitSample) => void server.to(topic).emit('change', { topic, sample }))
})
await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))

interface Question {
  sendSeconds?: number
  topics?: number
  /** The messages of one change. */
  example?: PushMessage[]
  /** Collect the changes of 100 ms and send them as one, to clients that follow everything. */
  isCollecting?: boolean
}

/** Each topic changes once a second, spread over the second as in the fleet. */
answerLines(async ({ sendSeconds = 0, topics = 0, example = [], isCollecting = false }: Question) => {
  const slices = 20
  const collected: PushMessage[][] = []
  const startedAt = performance.now()
  for (let slice = 0; slice < sendSeconds * slices; slice++) {
    for (let at = slice % slices; at < topics; at += slices) {
      const topic = `unit.${at}`
      const messages = example.map((message) => ({ ...message, topic, ts: Date.now(), seq: slice }))
      if (isCollecting) collected.push(messages)
      else server.to(topic).emit('change', messages)
    }
    if (isCollecting && slice % 2 === 1) server.to('unit.0').emit('changes', collected.splice(0))
    const dueMs = startedAt + ((slice + 1) * 1000) / slices
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
  }
  return { tookMs: performance.now() - startedAt }
})
