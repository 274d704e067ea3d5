/** For tests: a service on a private bus with objects and methods as the test writes them. */
import { Message, sessionBus, type Variant } from '@jellybrick/dbus-next'

/** Properties by interface. */
export type BusObject = Record<string, Record<string, Variant>>

interface Answer {
  signature?: string
  body?: unknown[]
}
/** Throws an Error whose name is that of the D-Bus error. */
export type BusMethod = (path: string, ...args: never[]) => Answer | undefined | Promise<Answer | undefined>

export interface BusService {
  readonly objects: Map<string, BusObject>
  /** Calls in their order: the member and its arguments. */
  readonly calls: [member: string, args: unknown[]][]
}

/** On the bus at this address; `methods` by the last words of the interface and the member: `Device.Wireless.RequestScan`. */
export async function offerService(
  address: string,
  service: string,
  methods: Readonly<Record<string, BusMethod>>,
): Promise<BusService> {
  const bus = sessionBus({ busAddress: address })
  const objects = new Map<string, BusObject>()
  const calls: BusService['calls'] = []
  const properties = 'org.freedesktop.DBus.Properties'

  async function answerOf(message: Message): Promise<Answer> {
    const { path = '', member = '', body } = message
    const face = message.interface ?? ''
    if (face === properties) {
      const found = objects.get(path)?.[String(body[0])]
      if (!found) throw busError('org.freedesktop.DBus.Error.UnknownObject', path)
      return { signature: 'a{sv}', body: [found] }
    }
    if (member === 'GetManagedObjects')
      return { signature: 'a{oa{sa{sv}}}', body: [Object.fromEntries(objects)] }
    const name = face === service ? member : `${face.slice(service.length + 1)}.${member}`
    const method = methods[name]
    if (!method) throw busError('org.freedesktop.DBus.Error.UnknownMethod', name)
    calls.push([member, body])
    return (await method(path, ...(body as never[]))) ?? {}
  }

  bus.addMethodHandler((message) => {
    if (message.path?.startsWith('/org/freedesktop/DBus')) return false
    answerOf(message).then(
      ({ signature = '', body = [] }) => bus.send(Message.newMethodReturn(message, signature, body)),
      (error: Error) => bus.send(Message.newError(message, error.name, error.message)),
    )
    return true
  })
  await bus.requestName(service, 0)
  return { objects, calls }
}

export const busError = (name: string, text: string): Error => Object.assign(new Error(text), { name })
