/** A fleet of devices at the gateway: `gateway-fleet.ts <gateway url> <registration key>`. */
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { WebSocket } from 'ws'
import { type ClientFrame, clientFrame, replaceDigits } from './client-frame.ts'
import { answerAsFleet, type Status } from './load-fleet.ts'
import { alarmingSample, drivingSample, markedSample, sampleAt } from './payload.ts'

const [url = '', key = ''] = process.argv.slice(2)

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

/** Registers, sends hello, reports; resolves with the connection when core has welcomed it. */
function join(device: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let connection: Socket
    const createConnection = (options: TcpNetConnectOpts) => {
      connection = connect(options)
      return connection
    }
    const socket = new WebSocket(url, { createConnection: createConnection as typeof connect })
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
      resolve(connection)
    })
  })
}

const noTime = 1_000_000_000_000

/** Without the time, which is put in when it is sent. */
function frameOf(device: number, second: number, { mark, alarming, driving }: Status): ClientFrame {
  const usual = sampleAt(device, second, noTime)
  const placed = driving ? drivingSample(usual, device, second) : usual
  const sample = alarming ? alarmingSample(placed) : placed
  const samples = [mark === undefined ? sample : markedSample(sample, mark)]
  return clientFrame(JSON.stringify({ type: 'telemetry', samples }), String(noTime))
}

answerAsFleet({
  join,
  make: frameOf,
  send(connection, _, frame) {
    replaceDigits(frame, String(Date.now()))
    connection.write(frame.bytes)
  },
})
