/** Ports that packets are only counted at: a line with `add` opens this many, and is answered with their numbers and counts. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { answerLines } from './load-program.ts'

const ports: number[] = []
const packets: number[] = []

answerLines(async ({ add = 0 }: { add?: number }) => {
  for (let more = 0; more < add; more++) {
    const at = packets.push(0) - 1
    const socket = createSocket('udp4')
    socket.on('message', () => void packets[at]!++)
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    ports.push(socket.address().port)
  }
  return { ports, packets }
})
