// The machine's system bus. A bus that ended reports no error and its calls get no reply, so each call has its own time,
// and after any failure that is not an answer the next call connects again.
import type { EventEmitter } from 'node:events'
import { because, type Reason } from '@backhaul/contract/define/refusals'
import { Refused } from '@backhaul/device/refused'
import { DBusError, Message, type MessageBus, MessageFlag, systemBus, Variant } from '@jellybrick/dbus-next'

const answerWithinMs = 5000

/** The object that a call goes to. */
export interface Target {
  service: string
  path: string
  interface: string
}

export interface Bus {
  /**
   * The values of the answer, variants as such. Rejects with BusRefusal when the service refuses the call or is not there,
   * and with another error when nothing answers.
   */
  call(
    target: Target,
    member: string,
    signature?: string,
    body?: unknown[],
    limitMs?: number,
  ): Promise<unknown[]>
  close(): void
}

/** An error answered by the service: its own words, and the D-Bus name of the error. */
class BusRefusal extends Error {
  readonly type: string
  constructor(type: string, text: string) {
    super(text || type)
    this.name = 'BusRefusal'
    this.type = type
  }
}

interface Connection {
  bus: MessageBus
  /** Rejects when the connection fails. */
  lost: Promise<never>
}

/**
 * By the address in `DBUS_SYSTEM_BUS_ADDRESS`, or the usual one; connects with the first call. A service that the machine's
 * owner has stopped is not started by a call, unless it is one that runs only while it is called.
 */
export function openBus(connect: () => MessageBus = systemBus, startsServices = false): Bus {
  const flags = startsServices ? {} : { flags: MessageFlag.NO_AUTO_START }
  let connection: Connection | undefined

  function connected(): Connection {
    if (connection) return connection
    const bus = connect()
    // An error of the socket would end the process if nothing listened to it.
    const events: EventEmitter = bus as unknown as EventEmitter
    const lost = new Promise<never>((_, reject) => events.on('error', reject))
    const fresh = { bus, lost }
    lost.catch(() => drop(fresh))
    connection = fresh
    return fresh
  }

  function drop(dropped: Connection | undefined): void {
    if (connection === dropped) connection = undefined
    dropped?.bus.disconnect()
  }

  return {
    async call({ service, ...target }, member, signature = '', body = [], limitMs = answerWithinMs) {
      const current = connected()
      const message = new Message({ destination: service, ...target, member, signature, body, ...flags })
      try {
        const answer = await within(limitMs, [current.bus.call(message), current.lost])
        return answer?.body ?? []
      } catch (error) {
        if (error instanceof DBusError) throw new BusRefusal(error.type, error.text)
        drop(current)
        throw error
      }
    },
    close: () => drop(connection),
  }
}

async function within<T>(limitMs: number, answers: readonly Promise<T>[]): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer on the bus within ${limitMs} ms`)), limitMs)
  })
  try {
    return await Promise.race([...answers, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Variants without their wrapping, at every depth; bytes are kept as they are. */
export function plain(value: unknown): unknown {
  if (value instanceof Variant) return plain(value.value)
  if (Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]))
}

/** The service is not on the bus, or has no such object any more. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof BusRefusal &&
  /\.(ServiceUnknown|NameHasNoOwner|UnknownObject|UnknownMethod|UnknownInterface|Disconnected|NoServer)$/.test(
    error.type,
  )

/** The service has the call, and its device does not support it. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof BusRefusal && error.type.endsWith('.Unsupported')

/** For the operator: the words of the service, such as those of a missing permission. */
export function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error
  const reason: Reason =
    error instanceof BusRefusal
      ? because('network.failed', { error: error.message.slice(0, 200) })
      : 'network.silent'
  return new Refused(reason)
}

export type Properties = Readonly<Record<string, unknown>>

/** All properties of an object under one interface. */
export async function propertiesOf(bus: Bus, target: Target): Promise<Properties> {
  const properties = { ...target, interface: 'org.freedesktop.DBus.Properties' }
  const [all] = await bus.call(properties, 'GetAll', 's', [target.interface])
  return plain(all) as Properties
}
