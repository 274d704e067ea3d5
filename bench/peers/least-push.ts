/**
 * The least that push costs with Node: changes of 100 ms are joined, framed once, and the frame is written to the socket of
 * each reader; nothing is checked, chosen or remembered. `least-push.ts <port>`; its readers are WebSocket clients that follow
 * everything.
 */
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import type { PushMessage } from '@backhaul/contract/define/topic'
import { WebSocketServer } from 'ws'
import { answerLines } from '../load/load-program.ts'

const http = createServer()
const server = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const wires = new Set<Duplex>()
http.on('upgrade', (request, wire, head) => {
  server.handleUpgrade(request, wire, head, (socket) => {
    wires.add(wire)
    socket.once('close', () => wires.delete(wire))
  })
})
await new Promise<void>((resolve) => http.listen(Number(process.argv[2]), '127.0.0.1', resolve))

const finalText = 0x81
const with16Bits = 126

/** A text of at most 64 KB as one message of a server (RFC 6455, 5.2). */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.from([finalText, with16Bits, 0, 0])
  head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, body])
}

interface Question {
  sendSeconds?: number
  topics?: number
  /** The messages of one change. */
  example?: PushMessage[]
}

/** Each topic changes once a second, spread over the second as in the fleet. */
answerLines(async ({ sendSeconds = 0, topics = 0, example = [] }: Question) => {
  const slices = 10
  const startedAt = performance.now()
  for (let slice = 0; slice < sendSeconds * slices; slice++) {
    const texts: string[] = []
    for (let at = slice % slices; at < topics; at += slices)
      for (const message of example)
        texts.push(JSON.stringify({ ...message, topic: `unit.${at}`, ts: Date.now(), seq: slice }))
    const frame = frameOf(`[${texts.join(',')}]`)
    for (const wire of wires) wire.write(frame)
    const dueMs = startedAt + ((slice + 1) * 1000) / slices
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
  }
  return { tookMs: performance.now() - startedAt }
})
