/** The fleet as clients of a socket.io server: `socket-io-fleet.ts <url>`. */
import { io, type Socket } from 'socket.io-client'
import { answerAsFleet } from './load-fleet.ts'
import { markedSample, sampleAt } from './payload.ts'

const url = process.argv[2] ?? ''

function join(device: number): Promise<Socket> {
  const socket = io(`${url}/devices`, {
    transports: ['websocket'],
    forceNew: true,
    auth: { topic: `unit.${device}` },
  })
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', reject)
  })
}

answerAsFleet({
  join,
  make(device, second, { mark }) {
    const sample = sampleAt(device, second, Date.now())
    return mark === undefined ? sample : markedSample(sample, mark)
  },
  send: (socket, _, sample) => void socket.emit('status', sample),
})
