/** Feeds a made-up transport stream of constant rate to a UDP port: `feed.ts <port> <kbps>`. Ends when killed. */
import { createSocket } from 'node:dgram'
import { TestStream } from '@backhaul/bonding/testing/transport-stream'

const [port, kbps] = process.argv.slice(2).map(Number)
const socket = createSocket('udp4')
const stream = new TestStream()
const datagramBytes = 1316
const packetBytes = 188
let fedMs = performance.now()
let owedBytes = 0

setInterval(() => {
  const nowMs = performance.now()
  owedBytes += ((nowMs - fedMs) * (kbps ?? 0)) / 8
  fedMs = nowMs
  for (; owedBytes >= datagramBytes; owedBytes -= datagramBytes) {
    socket.send(stream.packets(datagramBytes / packetBytes), port ?? 0, '127.0.0.1')
  }
}, 5)
