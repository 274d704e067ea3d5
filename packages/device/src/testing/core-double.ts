/** For tests: a WebSocket server that speaks core's side of the gateway and keeps what it receives. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type FromCore, FromDevice, type Hello } from '@backhaul/contract/gateway/gateway'
import { GATEWAY_PATH, MAX_FRAME_BYTES } from '@backhaul/contract/gateway/shared'
import { type WebSocket, WebSocketServer } from 'ws'

type MessageOf<Type extends FromDevice['type']> = Extract<FromDevice, { type: Type }>

export interface CoreDouble {
  url: string
  /** The authorization header of each dial. */
  dials: (string | undefined)[]
  /** Devices that have sent hello and are connected, by their id: the serial number. */
  devices: Map<string, { hello: Hello; send(message: FromCore): void }>
  /** The next message of this type; those of other types before it are dropped. */
  next<Type extends FromDevice['type']>(type: Type): Promise<MessageOf<Type>>
  /** To the device that connected last. */
  send(message: FromCore): void
  /** Whether register and hello are answered. */
  answers: boolean
  close(code: number): void
  stop(): Promise<void>
}

/** Every message of a device must satisfy the contract; one that does not fails the test as an unhandled error. */
export async function startCoreDouble(nowMs: () => number): Promise<CoreDouble> {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    path: GATEWAY_PATH,
    maxPayload: MAX_FRAME_BYTES,
  })
  await once(server, 'listening')
  let peer: WebSocket | undefined
  const received: FromDevice[] = []
  let wake = () => {}
  const double: CoreDouble = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}${GATEWAY_PATH}`,
    dials: [],
    devices: new Map(),
    answers: true,
    async next(type) {
      for (;;) {
        const found = received.findIndex((message) => message.type === type)
        const [message] = found < 0 ? [] : received.splice(0, found + 1).slice(-1)
        if (message) return message as never
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    send: (message) => peer?.send(JSON.stringify(message)),
    close: (code) => peer?.close(code),
    stop: () =>
      new Promise((resolve) => {
        for (const client of server.clients) client.terminate()
        server.close(() => resolve())
      }),
  }
  server.on('connection', (socket, request) => {
    peer = socket
    double.dials.push(request.headers.authorization)
    const send = (message: FromCore) => socket.send(JSON.stringify(message))
    let deviceId = ''
    socket.on('message', (data) => {
      const message = FromDevice.parse(JSON.parse(data.toString()))
      received.push(message)
      if (message.type === 'register' || message.type === 'hello') deviceId = message.serialNumber
      if (message.type === 'hello') double.devices.set(deviceId, { hello: message, send })
      if (double.answers && message.type === 'register')
        send({ type: 'registered', deviceId, token: `token-of-${deviceId}` })
      if (double.answers && message.type === 'hello') send({ type: 'welcome', deviceId, serverTime: nowMs() })
      wake()
    })
    socket.on('close', () => double.devices.delete(deviceId))
  })
  return double
}
