// The gateway door: units and servers dial in, identify themselves, and exchange the contract's messages with core.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Refusal } from '@backhaul/contract/define/errors'
import { english } from '@backhaul/contract/define/refusals'
import type { FromDevice, Hello, Register } from '@backhaul/contract/gateway/gateway'
import {
  closeCodes,
  HELLO_WITHIN_MS,
  MAX_FRAME_BYTES,
  QUEUED_EVERY_MS,
} from '@backhaul/contract/gateway/shared'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Registry } from 'prom-client'
import { hashSecret } from '../../database/secrets.ts'
import type { Attempt, FailureLimit } from '../failure-limit.ts'
import type { LoopDelay } from '../loop-delay.ts'
import type { People } from '../people.ts'
import type { AddressOf } from '../source-address.ts'
import { AdmissionLine } from './admission-line.ts'
import { DeviceQueue, type Parsed } from './device-queue.ts'
import { acceptUpgrade, type DeviceSocket } from './device-socket.ts'
import { countGateway } from './gateway-metrics.ts'
import { GatewaySession, type KnownDevice, type SessionHost } from './gateway-session.ts'
import { Intake } from './intake.ts'
import { maySend, readMessage } from './message-reader.ts'

/** Handles devices and their messages, of which the door knows only the form. */
export interface GatewayHost {
  /** The device that holds the token with this SHA-256. */
  deviceOf(tokenHash: string): KnownDevice | undefined
  /** Throws a Refusal for an invalid key; undefined when the attempt may not proceed, be the key right or wrong. */
  register(
    message: Register,
    from: { address: string; isLoopback: boolean },
    attempt: Pick<Attempt, 'mayProceed' | 'isNoGuess'>,
  ): Promise<(KnownDevice & { token: string }) | undefined>
  /** The device is connected: it is greeted after this returns. */
  opened(session: GatewaySession, hello: Hello): void
  received(session: GatewaySession, message: FromDevice): void
  closed(session: GatewaySession): void
  /** A second machine used the identity of a device that is alive. */
  twinRefused(deviceId: string, address: string): void
}

export interface GatewayOptions {
  addressOf: AddressOf
  host: GatewayHost
  /** Counts registrations with a wrong key or code. */
  failures: FailureLimit
  /** They have precedence. */
  people: People
  loopDelay: LoopDelay
  /** The time that core works on messages of devices in one turn of the event loop. */
  intakeTurnMs: number
  clock: Clock
  log: Log
  metrics: Registry
}

export interface Gateway {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  sessionOf(deviceId: string): GatewaySession | undefined
  /** The number of messages of devices that core has read and not yet handled. */
  readonly waiting: number
  /** The time for which the oldest of them has been waiting. */
  readonly behindMs: number
  close(): void
}

/** The time that the older of two sockets has to answer a ping before the newer one replaces it. */
const twinAnswerMs = 3000
const keepAlivePeriodMs = 1000

export function createGateway(options: GatewayOptions): Gateway {
  const { host, addressOf, failures, loopDelay, people, clock, log, metrics } = options
  const sessions = new Map<string, GatewaySession>()
  const sockets = new Set<GatewaySession>()
  /** Upgrades that wait for their turn. */
  const dialling = new Set<Duplex>()
  const admission = new AdmissionLine()
  const intake = new Intake({
    clock,
    turnMs: options.intakeTurnMs,
    isSomebodyWaiting: () => people.areWaiting,
    onSuperseded(superseded) {
      for (const type of superseded.dropped) counters.superseded.inc({ type })
      counters.lostSamples.inc(superseded.lostSamples)
    },
  })
  const counters = countGateway(metrics, { sessions, sockets, intake, admission })
  const keepAlive = clock.setInterval(() => {
    for (const session of sockets) session.keepAlive()
  }, keepAlivePeriodMs)
  const patience = clock.setInterval(() => {
    for (const session of sockets) if (isWaiting(session)) session.send({ type: 'queued' })
  }, QUEUED_EVERY_MS)

  function reject(session: GatewaySession, reason: keyof typeof closeCodes, message: string): void {
    if (!session.isOpen) return
    counters.rejected.inc({ reason })
    log.info({ device: session.device?.id, address: session.address, reason, message }, 'device refused')
    session.refuse(closeCodes[reason], message)
  }

  /** It has sent register or hello, and core has to answer. */
  const isWaiting = ({ phase, queue }: GatewaySession): boolean =>
    phase === 'registering' || ((phase === 'unknown' || phase === 'known') && queue.waiting.length > 0)

  /** From now on the device's next message is due; the time that core needs for its own answers does not count. */
  function awaitWord(session: GatewaySession): void {
    clock.clearTimeout(session.silence)
    session.silence = clock.setTimeout(() => {
      // Messages sent while core was late are unread in its socket until this turn of the event loop is over.
      setImmediate(() => {
        const owes = session.phase === 'unknown' || session.phase === 'known'
        if (owes && !isWaiting(session)) reject(session, 'silent', 'No hello in time')
        else if (owes) awaitWord(session)
      })
    }, HELLO_WITHIN_MS)
  }

  async function register(session: GatewaySession, message: Register): Promise<void> {
    await admission.enter()
    try {
      // One that has waited too long has disconnected, and will connect again.
      if (session.isOpen) await registerNow(session, message)
    } finally {
      admission.leave()
    }
  }

  async function registerNow(session: GatewaySession, message: Register): Promise<void> {
    const attempt = await failures.enter(session.address)
    if (!attempt) return rejectGuesses(session)
    let hasFailed = true
    try {
      const registered = await host.register(message, session, attempt)
      if (!registered) {
        hasFailed = false
        return rejectGuesses(session)
      }
      const { token, ...device } = registered
      session.device = device
      session.tokenHash = hashSecret(token)
      session.send({ type: 'registered', deviceId: device.id, token })
      session.phase = 'known'
      awaitWord(session)
      hasFailed = false
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      reject(session, 'notAllowed', error.message)
    } finally {
      await attempt.end(hasFailed)
    }
  }

  const rejectGuesses = (session: GatewaySession) =>
    reject(session, 'notAllowed', 'Too many failed registrations, try again in a minute')

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
      // A third may have connected while this one waited.
      if (sessions.get(device.id) !== older || !session.isOpen)
        return reject(session, 'identityInUse', 'Another machine uses this identity')
    }
    if (!host.deviceOf(session.tokenHash))
      return reject(session, 'unknownToken', english('device.unknownToken'))
    // Messages on the old socket come first, its close included.
    if (older) intake.finish(older.queue)
    if (older && sessions.get(device.id) === older) retire(older)
    sessions.set(device.id, session)
    session.phase = 'open'
    clock.clearTimeout(session.silence)
    session.silence = undefined
    session.together(() => host.opened(session, message))
  }

  /** The same device on a new socket: the old one is ignored, and its close is not a disconnection. */
  function retire(older: GatewaySession): void {
    older.phase = 'retired'
    sessions.delete((older.device as KnownDevice).id)
    older.terminate()
  }

  function take(session: GatewaySession, given: Buffer | Parsed): void {
    try {
      receive(session, given)?.catch((error) => failed(session, error))
    } catch (error) {
      failed(session, error)
    }
  }

  function receive(session: GatewaySession, given: Buffer | Parsed): void | Promise<void> {
    if (session.isRefused) return
    const message = readMessage(given)
    if (typeof message === 'string') return reject(session, 'malformed', message)
    counters.countMessage(message.type)
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
    // It closed while its first message was waiting.
    if (!session.isOpen) return
    if (message.type === 'register' && phase === 'unknown') {
      session.phase = 'registering'
      return register(session, message)
    }
    if (message.type === 'hello' && phase === 'known') return hello(session, message)
    if (phase === 'retired') return
    reject(session, 'malformed', phase === 'unknown' ? 'Register first' : 'Say hello first')
  }

  const sessionHost: SessionHost = {
    clock,
    get unreadMs() {
      return loopDelay.totalMs
    },
    arrived(session, bytes, isBinary) {
      if (isBinary) return reject(session, 'malformed', 'Messages are text')
      if (!session.mayGoOn()) return reject(session, 'flood', 'Too many messages')
      intake.put(session.queue, bytes)
    },
    take,
    broken: (_, isTooLarge) => counters.rejected.inc({ reason: isTooLarge ? 'tooLarge' : 'malformed' }),
    closed(session) {
      clock.clearTimeout(session.silence)
      sockets.delete(session)
      // The end is handled after the earlier messages.
      intake.put(session.queue, () => ended(session))
    },
  }

  function open(socket: DeviceSocket, request: IncomingMessage): void {
    const session = new GatewaySession(socket, addressOf(request), sessionHost)
    sockets.add(session)
    awaitWord(session)
    socket.open(session)
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (bearer === undefined) return
    session.tokenHash = hashSecret(bearer)
    session.device = host.deviceOf(session.tokenHash)
    if (session.device) session.phase = 'known'
    else reject(session, 'unknownToken', english('device.unknownToken'))
  }

  function ended(session: GatewaySession): void {
    if (session.phase !== 'open') return
    session.phase = 'retired'
    sessions.delete((session.device as KnownDevice).id)
    host.closed(session)
  }

  /** A defect of core with one message must not affect the device, or others. */
  function failed(session: GatewaySession, error: unknown): void {
    counters.rejected.inc({ reason: 'failed' })
    log.error({ err: error, device: session.device?.id }, 'handling a device message failed')
    if (session.phase !== 'open') session.terminate()
  }

  return {
    upgrade(request, socket, head) {
      ;(socket as Socket).setNoDelay(true)
      const end = () => socket.destroy()
      socket.on('error', end)
      dialling.add(socket)
      intake.dial(new DeviceQueue({ take() {}, pause() {}, resume() {} }), () => {
        dialling.delete(socket)
        if (socket.destroyed) return
        socket.off('error', end)
        const accepted = acceptUpgrade(request, socket as Socket, head, MAX_FRAME_BYTES)
        if (accepted) open(accepted, request)
      })
    },
    sessionOf: (deviceId) => sessions.get(deviceId),
    get waiting() {
      return intake.size
    },
    get behindMs() {
      return intake.behindMs
    },
    close() {
      for (const timer of [keepAlive, patience]) clock.clearInterval(timer)
      intake.close()
      for (const socket of dialling) socket.destroy()
      for (const session of sockets) session.close(closeCodes.coreStops, 'core stops')
    },
  }
}

/** A device may report only for itself (ST-LIVE-10). */
const isAboutAnother = ({ device }: GatewaySession, message: FromDevice): boolean =>
  'unitId' in message && message.unitId !== undefined && message.unitId !== device?.id
