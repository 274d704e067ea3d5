/** A device's connection with core: dials, registers once, sends hello, and follows the close code of core. */
import { FromCore, type FromDevice, type Hello, type Welcome } from '@backhaul/contract/gateway/gateway'
import { closeCodes, GATEWAY_PROTOCOL, HELLO_WITHIN_MS } from '@backhaul/contract/gateway/shared'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { createReconnectingSocket, type SocketClosed } from '@backhaul/runtime/reconnecting-socket'
import type { DeviceToken, TokenStore } from './token-store.ts'

/** The time for which a device remains disconnected after it was not admitted, or when its identity was in use. */
const STAY_AWAY_MS = 60_000

export type DeviceIdentity = Pick<Hello, 'kind' | 'product' | 'serialNumber' | 'name' | 'swVersion'>

export interface SessionOptions {
  /** Address of the gateway, for instance ws://127.0.0.1:8080/gateway. */
  coreUrl: string
  identity: DeviceIdentity
  /** A group's registration key; needed until the device has a token. */
  registrationKey?: string | undefined
  tokens: TokenStore
  bootId: string
  reportIntervalMs: number
  slots?: Hello['slots']
  appliedRevision: () => number
  /** Why the previous version of the software runs again, until core knows. */
  failedUpgrade?: (() => Hello['failedUpgrade']) | undefined
  onWelcome: (welcome: Welcome) => void
  /** Messages after the welcome. */
  onMessage: (message: FromCore) => void
  onLost: () => void
  clock: Clock
  random?: (() => number) | undefined
  log?: Log | undefined
}

export interface Session {
  /** False, and the message is dropped, unless core has welcomed the device. */
  send(message: FromDevice): boolean
  isOpen(): boolean
  deviceId(): string | undefined
  /** Drops the connection and dials again: with other addresses the present one is dead without a sign of it. */
  redial(): void
  /** Closes permanently. */
  close(): void
}

/**
 * 1. dialling: no connection; after a loss the socket reconnects by itself, at the earliest when `awayUntilMs` is over;
 * 2. registering: connected without a token, waits for `registered`, keeps the token, then goes to 3;
 * 3. greeting: hello is sent, waits for `welcome`;
 * 4. open: core knows the device;
 * 5. closed: permanently.
 * Any loss leads back to 1. Close code unknownToken discards the token, so that 2 follows; identityInUse, notAllowed
 * and a missing registration key keep the device away for a minute.
 */
type Phase = 'dialling' | 'registering' | 'greeting' | 'open' | 'closed'

export function createSession(options: SessionOptions): Session {
  const { clock, identity, tokens, log } = options
  let phase: Phase = 'dialling'
  let own: DeviceToken | undefined
  let awayUntilMs = 0
  let answerTimer: Timer | undefined
  let endAway: (() => void) | undefined

  const socket = createReconnectingSocket({
    async dial() {
      await stayAway()
      own = await tokens.load()
      if (own) return { url: options.coreUrl, headers: { authorization: `Bearer ${own.token}` } }
      if (options.registrationKey) return { url: options.coreUrl }
      awayUntilMs = clock.monotonicMs() + STAY_AWAY_MS
      throw new Error('the device has neither an identity nor a registration key')
    },
    onOpen() {
      awaitAnswer()
      if (own) greet()
      else register()
    },
    onMessage: (text) => void receive(text),
    onClose: lost,
    clock,
    ...(options.random && { random: options.random }),
  })

  function stayAway(): Promise<void> {
    return new Promise((resolve) => {
      const waitMs = awayUntilMs - clock.monotonicMs()
      if (waitMs <= 0 || phase === 'closed') return resolve()
      const timer = clock.setTimeout(resolve, waitMs)
      endAway = () => {
        clock.clearTimeout(timer)
        resolve()
      }
    })
  }

  function awaitAnswer(): void {
    clock.clearTimeout(answerTimer)
    answerTimer = clock.setTimeout(() => socket.redial(), HELLO_WITHIN_MS)
  }

  function register(): void {
    phase = 'registering'
    const { registrationKey = '' } = options
    socket.send({ type: 'register', protocol: GATEWAY_PROTOCOL, ...identity, registrationKey })
  }

  function greet(): void {
    phase = 'greeting'
    const { bootId, reportIntervalMs, slots } = options
    const failedUpgrade = options.failedUpgrade?.()
    socket.send({
      type: 'hello',
      protocol: GATEWAY_PROTOCOL,
      ...identity,
      bootId,
      reportIntervalMs,
      ...(slots && { slots }),
      appliedRevision: options.appliedRevision(),
      ...(failedUpgrade && { failedUpgrade }),
    })
  }

  async function receive(text: string): Promise<void> {
    const message = readMessage(text)
    // Its text may hold a password.
    if (!message) return log?.debug({ length: text.length }, 'a message of core was not understood')
    if (message.type === 'refused')
      return log?.warn({ code: message.code }, `core refuses: ${message.message}`)
    if (message.type === 'registered' && phase === 'registering') {
      own = { deviceId: message.deviceId, token: message.token }
      await tokens.save(own)
      log?.info({ deviceId: own.deviceId }, 'core has registered the device')
      // The connection may have been lost while the token was written.
      if (phase === 'registering') greet()
    } else if (message.type === 'queued' && (phase === 'registering' || phase === 'greeting')) {
      awaitAnswer()
    } else if (message.type === 'welcome' && phase === 'greeting') {
      clock.clearTimeout(answerTimer)
      phase = 'open'
      options.onWelcome(message)
    } else if (phase === 'open') options.onMessage(message)
  }

  async function discardToken(): Promise<void> {
    const next = options.registrationKey ? 'registers again' : 'needs a registration key or a pairing code'
    log?.warn(`core does not know the token of the device, which ${next}`)
    await tokens.clear()
  }

  function lost({ code, reason, httpStatus }: SocketClosed): void {
    clock.clearTimeout(answerTimer)
    const wasOpen = phase === 'open'
    if (phase !== 'closed') phase = 'dialling'
    if (code === closeCodes.unknownToken || httpStatus === 401) {
      // Without a token core did not know the registration key: an immediate retry would not help.
      if (own) void discardToken()
      else awayUntilMs = clock.monotonicMs() + STAY_AWAY_MS
    }
    if (code === closeCodes.identityInUse || code === closeCodes.notAllowed)
      awayUntilMs = clock.monotonicMs() + STAY_AWAY_MS
    log?.debug({ code, reason, httpStatus }, 'the connection with core is gone')
    if (wasOpen) options.onLost()
  }

  return {
    send: (message) => phase === 'open' && socket.send(message),
    isOpen: () => phase === 'open' && socket.isOpen(),
    deviceId: () => own?.deviceId,
    redial: () => socket.redial(),
    close() {
      phase = 'closed'
      clock.clearTimeout(answerTimer)
      endAway?.()
      socket.close()
    },
  }
}

/** Messages of a newer core that this device does not know are ignored. */
function readMessage(text: string): FromCore | undefined {
  try {
    return FromCore.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
