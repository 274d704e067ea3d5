/** A fleet of devices at the gateway: `gateway-fleet.ts <gateway url> <registration key>`. */
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { GATEWAY_PROTOCOL } from '@backhaul/contract/gateway/shared'
import { WebSocket } from 'ws'
import { type ClientFrame, clientFrame, replaceDigits } from './client-frame.ts'
import { actual, bootOf, identityOf } from './device.ts'
import { answerAsFleet, type Status } from './load-fleet.ts'
import { alarmingSample, drivingSample, markedSample, sampleAt } from './payload.ts'

const [url = '', key = ''] = process.argv.slice(2)

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
    const identity = { protocol: GATEWAY_PROTOCOL, ...identityOf(device) }
    socket.once('error', reject)
    socket.once('close', (code) => reject(new Error(`device ${device} was closed with ${code}`)))
    socket.once('open', () => send({ type: 'register', ...identity, registrationKey: key }))
    socket.on('message', (bytes) => {
      const { type } = JSON.parse(String(bytes)) as { type: string }
      if (type === 'registered')
        send({
          type: 'hello',
          ...identity,
          bootId: bootOf(device),
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
