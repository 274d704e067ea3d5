// The gateway door: units and servers dial in, say who they are, and exchange the contract's messages with core.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Refusal } from '@backhaul/contract/define/errors'
import type { FromDevice, Hello, Register } from '@backhaul/contract/gateway/gateway'
import {
  closeCodes,
  type DeviceKind,
  HELLO_WITHIN_MS,
  MAX_FRAME_BYTES,
} from '@backhaul/contract/gateway/shared'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { Counter, Gauge, type Registry } from 'prom-client'
import { type WebSocket, WebSocketServer } from 'ws'
import { hashSecret } from '../../database/secrets.ts'
import type { AddressOf } from '../source-address.ts'
import { GatewaySession } from './gateway-session.ts'
import { maySend, readMessage } from './message-reader.ts'
import { RegistrationLimit } from './registration-limit.ts'

export interface KnownDevice {
  id: string
  kind: DeviceKind
}

/** What a device's messages mean is not the door's business. */
export interface GatewayHost {
  /** The device that holds the token with this SHA-256. */
  deviceOf(tokenHash: string): KnownDevice | undefined
  /** Throws a Refusal when the key admits nobody. */
  register(
    message: Register,
    from: { address: string; isLoopback: boolean },
  ): Promise<KnownDevice & { token: string }>
  /** The device is there: it has been greeted after this returns. */
  opened(session: GatewaySession, hello: Hello): void
  received(session: GatewaySession, message: FromDevice): void
  closed(session: GatewaySession): void
  /** A second machine used the identity of a device that is alive. */
  twinRefused(deviceId: string, address: string): void
}

export interface GatewayOptions {
  addressOf: AddressOf
  host: GatewayHost
  clock: Clock
  log: Log
  metrics: Registry
}

export interface Gateway {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  sessionOf(deviceId: string): GatewaySession | undefined
  close(): void
}

/** How long the older of two sockets has to answer a ping before the newer one takes over. */
const twinAnswerMs = 3000
const keepAlivePeriodMs = 15_000
const sweepPeriodMs = 60_000

export function createGateway({ host, addressOf, clock, log, metrics }: GatewayOptions): Gateway {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  })
  const sessions = new Map<string, GatewaySession>()
  const sockets = new Set<GatewaySession>()
  const counters = count(metrics, sessions)
  const registrations = new RegistrationLimit(() => clock.nowMs())
  const keepAlive = clock.setInterval(() => {
    for (const session of sockets) session.ping()
  }, keepAlivePeriodMs)
  const sweep = clock.setInterval(() => registrations.sweep(), sweepPeriodMs)

  function reject(session: GatewaySession, reason: keyof typeof closeCodes, message: string): void {
    if (!session.isOpen) return
    counters.rejected.inc({ reason })
    log.info({ device: session.device?.id, address: session.address, reason, message }, 'device refused')
    session.refuse(closeCodes[reason], message)
  }

  async function register(session: GatewaySession, message: Register): Promise<void> {
    const { address } = session
    if (!(await registrations.enter(address)))
      return reject(session, 'notAllowed', 'Too many failed registrations, try again in a minute')
    let hasFailed = true
    try {
      const { token, ...device } = await host.register(message, session)
      session.device = device
      session.tokenHash = hashSecret(token)
      session.send({ type: 'registered', deviceId: device.id, token })
      session.phase = 'known'
      hasFailed = false
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      reject(session, 'notAllowed', error.message)
    } finally {
      registrations.leave(address, hasFailed)
    }
  }

  async function hello(session: GatewaySession, message: Hello): Promise<void> {
    const device = session.device as KnownDevice
    if (message.kind !== device.kind)
      return reject(session, 'notAllowed', `kind: this identity is a ${device.kind}`)
    session.bootId = message.bootId
    const older = sessions.get(device.id)
    if (older?.isOpen && older.bootId !== message.bootId) {
      session.phase = 'checking'
      if (await older.answers(twinAnswerMs)) {
        host.twinRefused(device.id, session.address)
        return reject(session, 'identityInUse', 'Another machine uses this identity')
      }
      // A third may have come while this one waited.
      if (sessions.get(device.id) !== older || !session.isOpen)
        return reject(session, 'identityInUse', 'Another machine uses this identity')
    }
    if (!host.deviceOf(session.tokenHash)) return reject(session, 'unknownToken', 'Unknown device token')
    if (older) retire(older)
    sessions.set(device.id, session)
    session.phase = 'open'
    host.opened(session, message)
  }

  /** The same device on a new socket: the old one has nothing more to say, and its end is no news. */
  function retire(older: GatewaySession): void {
    older.phase = 'retired'
    sessions.delete((older.device as KnownDevice).id)
    older.terminate()
  }

  function receive(session: GatewaySession, text: string): void | Promise<void> {
    if (!session.limit.take(clock.nowMs())) return reject(session, 'flood', 'Too many messages')
    const message = readMessage(text)
    if (typeof message === 'string') return reject(session, 'malformed', message)
    counters.messages.inc({ type: message.type })
    const { phase } = session
    if (phase === 'open') {
      if (message.type === 'hello' || message.type === 'register')
        return reject(session, 'malformed', `${message.type} comes first`)
      if (!maySend((session.device as KnownDevice).kind, message.type))
        return reject(session, 'notAllowed', `A ${session.device?.kind} may not send ${message.type}`)
      if (isAboutAnother(session, message)) counters.rejected.inc({ reason: 'unknownUnit' })
      else host.received(session, message)
      return
    }
    if (message.type === 'register' && phase === 'unknown') {
      session.phase = 'registering'
      return register(session, message)
    }
    if (message.type === 'hello' && phase === 'known') return hello(session, message)
    if (phase === 'retired') return
    reject(session, 'malformed', phase === 'unknown' ? 'Register first' : 'Say hello first')
  }

  function open(socket: WebSocket, request: IncomingMessage): void {
    const session = new GatewaySession(socket, addressOf(request), clock)
    sockets.add(session)
    const silence = clock.setTimeout(() => {
      if (session.phase !== 'open') reject(session, 'silent', 'No hello in time')
    }, HELLO_WITHIN_MS)
    socket.on('message', (data, isBinary) => {
      session.heard()
      if (!session.isOpen) return
      if (isBinary) return reject(session, 'malformed', 'Messages are text')
      try {
        receive(session, String(data))?.catch((error) => failed(session, error))
      } catch (error) {
        failed(session, error)
      }
    })
    socket.on('pong', () => session.heard())
    socket.on('error', (error) => {
      const isTooLarge = (error as { code?: string }).code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
      counters.rejected.inc({ reason: isTooLarge ? 'tooLarge' : 'malformed' })
    })
    socket.on('close', () => {
      clock.clearTimeout(silence)
      sockets.delete(session)
      if (session.phase !== 'open') return
      sessions.delete((session.device as KnownDevice).id)
      host.closed(session)
    })
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (bearer === undefined) return
    session.tokenHash = hashSecret(bearer)
    session.device = host.deviceOf(session.tokenHash)
    if (session.device) session.phase = 'known'
    else reject(session, 'unknownToken', 'Unknown device token')
  }

  /** A defect of ours with one message must not take the device, or the others, with it. */
  function failed(session: GatewaySession, error: unknown): void {
    counters.rejected.inc({ reason: 'failed' })
    log.error({ err: error, device: session.device?.id }, 'a device message failed')
    if (session.phase !== 'open') session.terminate()
  }

  return {
    upgrade(request, socket, head) {
      ;(socket as Socket).setNoDelay(true)
      server.handleUpgrade(request, socket, head, (ws) => open(ws, request))
    },
    sessionOf: (deviceId) => sessions.get(deviceId),
    close() {
      clock.clearInterval(keepAlive)
      clock.clearInterval(sweep)
      for (const session of sockets) session.close(closeCodes.coreStops, 'core stops')
    },
  }
}

/** A device speaks for itself alone (ST-LIVE-10). */
const isAboutAnother = ({ device }: GatewaySession, message: FromDevice): boolean =>
  'unitId' in message && message.unitId !== undefined && message.unitId !== device?.id

function count(metrics: Registry, sessions: ReadonlyMap<string, GatewaySession>) {
  const registers = [metrics]
  new Gauge({
    name: 'backhaul_devices_online',
    help: 'Devices connected to the gateway',
    labelNames: ['kind'],
    registers,
    collect() {
      const online = { unit: 0, server: 0 }
      for (const { device } of sessions.values()) if (device) online[device.kind]++
      this.set({ kind: 'unit' }, online.unit)
      this.set({ kind: 'server' }, online.server)
    },
  })
  return {
    messages: new Counter({
      name: 'backhaul_gateway_messages_total',
      help: 'Messages of devices that satisfy the contract',
      labelNames: ['type'],
      registers,
    }),
    rejected: new Counter({
      name: 'backhaul_gateway_rejected_total',
      help: 'Messages and sockets of devices that were refused, by reason',
      labelNames: ['reason'],
      registers,
    }),
  }
}
