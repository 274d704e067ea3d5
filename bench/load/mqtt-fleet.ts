/** The same fleet at an MQTT 3.1.1 broker: `mqtt-fleet.ts <port>`; one more client reads everything and counts. */
import { connect, type Socket } from 'node:net'
import { answerAsFleet } from './load-fleet.ts'
import { sampleAt } from './payload.ts'

const port = Number(process.argv[2])

/** MQTT's length field (section 2.2.3 of the standard). */
function lengthField(length: number): Buffer {
  const bytes: number[] = []
  let rest = length
  do {
    const digit = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? digit | 128 : digit)
  } while (rest > 0)
  return Buffer.from(bytes)
}

const text = (value: string) => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}
const packet = (head: number, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([head]), lengthField(body.length), body])
}

function join(name: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('error', reject)
    // Without keep-alive: a client that has not sent for a while is kept.
    socket.once('connect', () =>
      socket.write(packet(0x10, text('MQTT'), Buffer.from([4, 2, 0, 0]), text(name))),
    )
    socket.once('data', () => resolve(socket))
  })
}

let received = 0
const reader = await join('reader')
reader.write(packet(0x82, Buffer.from([0, 1]), text('v1/u/#'), Buffer.from([0])))
await new Promise((resolve) => reader.once('data', resolve))
let pending: Buffer = Buffer.alloc(0)
reader.on('data', (bytes: Buffer) => {
  pending = Buffer.concat([pending, bytes])
  for (;;) {
    let [length, shift, at] = [0, 0, 1]
    for (; at < pending.length; at++) {
      length |= (pending[at]! & 127) << shift
      shift += 7
      if (pending[at]! < 128) break
    }
    const end = at + 1 + length
    if (at >= pending.length || end > pending.length) return
    if (pending[0]! >> 4 === 3) received++
    pending = pending.subarray(end)
  }
})

answerAsFleet({
  join: (device) => join(`u${device}`),
  make(device, second) {
    const status = JSON.stringify({ type: 'telemetry', samples: [sampleAt(device, second, Date.now())] })
    return packet(0x30, text(`v1/u/${device}/status`), Buffer.from(status))
  },
  send: (socket, _, message) => void socket.write(message),
  counted: () => ({ received }),
})
