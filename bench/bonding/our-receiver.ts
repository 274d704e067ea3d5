/** Our bonded receiver as a process: `our-receiver.ts <host> <port> <buffer ms> <output port> [--keyed]`. */
import { createSocket } from 'node:dgram'
import { createReceiver } from '@backhaul/bonding/receiver'
import { benchKey, benchSession } from './session.ts'

const [host = '', port, bufferMs, outputPort] = process.argv.slice(2)
const output = createSocket('udp4')
// As ristreceiver does: the address is not looked up for each datagram.
await new Promise<void>((resolve) => output.connect(Number(outputPort), '127.0.0.1', resolve))
const receiver = await createReceiver({
  bindHost: host,
  port: Number(port),
  bufferMs: Number(bufferMs),
  sessionId: benchSession,
  key: process.argv.includes('--keyed') ? benchKey : undefined,
})
receiver.onData((payload) => output.send(payload))
