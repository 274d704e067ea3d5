/** Counts what arrives on a UDP port: `count.ts <port>`. Writes a line of figures for each line on stdin. */
import { createSocket } from 'node:dgram'
import { createInterface } from 'node:readline'
import { ContinuityCheck } from '@backhaul/bonding/testing/transport-stream'

export type Count = { packets: number; bytes: number; errors: number; longestPauseMs: number }

const continuity = new ContinuityCheck()
let lastMs: number | null = null
let longestPauseMs = 0

const socket = createSocket('udp4').on('message', (datagram) => {
  const nowMs = performance.now()
  if (lastMs !== null) longestPauseMs = Math.max(longestPauseMs, nowMs - lastMs)
  lastMs = nowMs
  continuity.push(datagram)
})
socket.bind(Number(process.argv[2]), '127.0.0.1', () => {
  socket.setRecvBufferSize(4 << 20)
  console.log('ready')
})
createInterface({ input: process.stdin }).on('line', () => {
  const { packets, bytes, errors } = continuity
  console.log(JSON.stringify({ packets, bytes, errors, longestPauseMs } satisfies Count))
  longestPauseMs = 0
})
