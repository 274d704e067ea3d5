/** A herd of devices at the gateway, in a process of its own: `gateway-herd.ts <gateway url> <key> <count> <seconds>`. */
import { WebSocket } from 'ws'
import { sampleAt } from './payload.ts'

const [url = '', key = '', countText = '1', secondsText = '10'] = process.argv.slice(2)
const [count, seconds] = [Number(countText), Number(secondsText)]

const identity = (device: number) => ({
  protocol: 1,
  kind: 'unit',
  product: 'LU-600',
  serialNumber: `bench-${device}`,
  name: `BENCH-${String(device).padStart(5, '0')}`,
  swVersion: '10.1.0',
})

const actual = {
  state: 'ready',
  applications: {},
  channelId: null,
  transmissionId: null,
  delayMs: 1000,
  workingMode: 'video',
  links: [0, 1, 2, 3, 4, 5].map((port) => ({
    port,
    id: `Modem ${port}`,
    kind: 'modem',
    enabled: true,
    carrier: 'A',
  })),
  storages: [],
  camera: null,
  capabilities: {},
  appliedRevision: 0,
}

/** Registers, says hello, reports; resolves with the socket when core has welcomed it. */
function join(device: number): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    const send = (message: object) => socket.send(JSON.stringify(message))
    socket.once('error', reject)
    socket.once('close', (code) => reject(new Error(`device ${device} was closed with ${code}`)))
    socket.once('open', () => send({ type: 'register', ...identity(device), registrationKey: key }))
    socket.on('message', (bytes) => {
      const { type } = JSON.parse(String(bytes)) as { type: string }
      if (type === 'registered')
        send({
          type: 'hello',
          ...identity(device),
          bootId: `b${device}`,
          reportIntervalMs: 1000,
          appliedRevision: 0,
        })
      if (type !== 'welcome') return
      send({ type: 'report', actual })
      resolve(socket)
    })
  })
}

const sockets: WebSocket[] = []
const batch = 100
for (let first = 0; first < count; first += batch)
  sockets.push(
    ...(await Promise.all(Array.from({ length: Math.min(batch, count - first) }, (_, i) => join(first + i)))),
  )
console.log(JSON.stringify({ joined: sockets.length }))

let sent = 0
const startedAt = performance.now()
for (let second = 0; second < seconds; second++) {
  // Spread over the second, as the devices of a fleet are.
  for (let slice = 0; slice < 20; slice++) {
    for (let device = slice; device < count; device += 20) {
      sockets[device]?.send(
        JSON.stringify({ type: 'telemetry', samples: [sampleAt(device, second, Date.now())] }),
      )
      sent++
    }
    const dueMs = startedAt + second * 1000 + (slice + 1) * 50
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
  }
}
console.log(JSON.stringify({ sent, tookMs: Math.round(performance.now() - startedAt) }))
await new Promise((resolve) => setTimeout(resolve, 1000))
process.exit(0)
