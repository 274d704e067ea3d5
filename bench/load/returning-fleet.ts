/**
 * Devices that dial core again when it is lost, with the pauses of the real ones, and then send what they have measured
 * meanwhile: `returning-fleet.ts <gateway url> <registration key>`. Each sends a status a second once all have joined. They
 * speak through bare sockets, since thousands of dials at the same moment are to load core and not this process.
 */
import { connect, type Socket } from 'node:net'
import { GATEWAY_PROTOCOL, HELLO_WITHIN_MS } from '@backhaul/contract/gateway/shared'
import { SAMPLES_PER_MESSAGE, type UnitSample } from '@backhaul/contract/gateway/units'
import { redialDelayMs, stableAfterMs } from '@backhaul/runtime/reconnecting-socket'
import { clientFrame } from './client-frame.ts'
import { actual, bootOf, identityOf } from './device.ts'
import { answerLines } from './load-program.ts'
import { sampleAt } from './payload.ts'
import { serverFrames } from './server-frames.ts'

const [url = '', registrationKey = ''] = process.argv.slice(2)
const { hostname, port, pathname } = new URL(url)
const reportIntervalMs = 1000
const joinAtOnce = 100
const slices = 20

interface Device {
  readonly number: number
  token: string | undefined
  /** Once core has welcomed it. */
  socket: Socket | undefined
  /** Dials since it was last connected for a while. */
  failures: number
  /** Measured while it was not connected. */
  waiting: UnitSample[]
}

function upgradeOf({ token }: Device): string {
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`
  return (
    `GET ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
    `sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${authorization}\r\n`
  )
}

const send = (socket: Socket, message: object) => socket.write(clientFrame(JSON.stringify(message), '').bytes)

function sendSamples(socket: Socket, samples: readonly UnitSample[]): void {
  send(socket, { type: 'telemetry', samples })
}

function dial(device: Device, onWelcome: () => void): void {
  const identity = { protocol: GATEWAY_PROTOCOL, ...identityOf(device.number) }
  const socket = connect(Number(port), hostname).setNoDelay(true)
  let welcomedMs: number | undefined
  const hello = () =>
    send(socket, {
      type: 'hello',
      ...identity,
      bootId: bootOf(device.number),
      reportIntervalMs,
      appliedRevision: 0,
    })
  const frames = serverFrames({
    opened: () => (device.token ? hello() : send(socket, { type: 'register', ...identity, registrationKey })),
    received(text) {
      const message = JSON.parse(text) as { type: string; token?: string }
      if (message.type === 'registered') {
        device.token = message.token
        hello()
      }
      if (message.type !== 'welcome') return
      welcomedMs = performance.now()
      socket.setTimeout(0)
      send(socket, { type: 'report', actual })
      if (device.waiting.length > 0) sendSamples(socket, device.waiting.slice(-SAMPLES_PER_MESSAGE))
      device.waiting = []
      device.socket = socket
      onWelcome()
    },
  })
  socket.setTimeout(HELLO_WITHIN_MS, () => socket.destroy())
  socket.once('connect', () => socket.write(upgradeOf(device)))
  socket.on('data', frames)
  socket.on('error', () => {})
  socket.once('close', () => {
    device.socket = undefined
    const isStable = welcomedMs !== undefined && performance.now() - welcomedMs >= stableAfterMs
    device.failures = isStable ? 1 : device.failures + 1
    setTimeout(() => dial(device, onWelcome), redialDelayMs(device.failures, Math.random()))
  })
}

function join(number: number): Promise<Device> {
  return new Promise((resolve) => {
    const device: Device = { number, token: undefined, socket: undefined, failures: 0, waiting: [] }
    dial(device, () => resolve(device))
  })
}

/** One status of each a second, spread over it. */
function report(): void {
  let slice = 0
  setInterval(() => {
    const second = Math.floor(slice / slices)
    for (let at = slice % slices; at < devices.length; at += slices) {
      const device = devices[at] as Device
      const sample = sampleAt(at, second, Date.now())
      if (device.socket) sendSamples(device.socket, [sample])
      else device.waiting.push(sample)
    }
    slice++
  }, reportIntervalMs / slices)
}

// Core refuses each of them a few times while it starts: where from would cost more than the dial.
Error.stackTraceLimit = 0

const devices: Device[] = []

async function grow(count: number): Promise<void> {
  while (devices.length < count) {
    const first = devices.length
    const some = Array.from({ length: Math.min(joinAtOnce, count - first) }, (_, at) => join(first + at))
    devices.push(...(await Promise.all(some)))
  }
  report()
}

/** Lets devices join, or answers how many core has welcomed and not lost. */
answerLines(async ({ join: count }: { join?: number }) => {
  if (count !== undefined) await grow(count)
  return { connected: devices.filter(({ socket }) => socket !== undefined).length }
})
