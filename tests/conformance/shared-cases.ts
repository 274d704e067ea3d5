/** Cases that units and servers have alike. */
import { fileOrders } from '@backhaul/contract/gateway/servers'
import type { OrderName } from '@backhaul/contract/gateway/shared'
import { unitNetworkOrders } from '@backhaul/contract/gateway/unit-networks'
import { unitFileOrders } from '@backhaul/contract/gateway/units'
import { until } from '../stage/until.ts'
import type { ScriptedCore } from './scripted-core.ts'
import type { Absence, Cases, Look } from './verdicts.ts'

/** A busy machine is no fault. */
export const patienceMs = 180_000

export interface UnderTest {
  readonly core: ScriptedCore
}

export async function confirmed(
  { core }: UnderTest,
  name: OrderName,
  args?: Record<string, unknown>,
): Promise<void> {
  const { state, reason } = await core.order(name, args)
  if (state !== 'confirmed') throw new Error(`${name} was ${state}: ${reason}`)
}

/** An order for devices of the other kind. */
export const refused = (
  name: OrderName,
  reason: string,
  code: 'unit.cannot' | 'server.cannot',
): Absence<UnderTest> => ({
  reason,
  async check({ core }) {
    const { state, cause } = await core.order(name)
    if (state !== 'refused' || cause?.code !== code) throw new Error(`it was ${state}`)
    return 'refused'
  },
})

/** Cases for the orders of the tables and of `others`, all of which must be refused. */
const allRefused = (
  tables: readonly Partial<Record<OrderName, unknown>>[],
  others: readonly OrderName[],
  reason: string,
  code: 'unit.cannot' | 'server.cannot',
): Cases<UnderTest> => {
  const names = tables.flatMap((table) => Object.keys(table) as OrderName[])
  return Object.fromEntries(
    [...others, ...names].map((name) => [`order ${name}`, refused(name, reason, code)]),
  )
}

/** At a unit. */
export const ordersForServers = allRefused(
  [fileOrders],
  ['reset_instance', 'put_overlay'],
  'an order for servers',
  'unit.cannot',
)

/** At a server. */
export const ordersForUnits = allRefused(
  [unitFileOrders, unitNetworkOrders],
  ['reboot', 'shutdown'],
  'an order for units',
  'server.cannot',
)

/** A whole log, as text. */
export async function logOf(
  device: UnderTest,
  logId: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  let text = ''
  let isWhole = false
  const stop = device.core.listen((message) => {
    if (message.type !== 'logPart' || message.logId !== logId) return
    text += message.text
    isWhole ||= message.isLast
  })
  try {
    await confirmed(device, 'send_logs', { ...args, logId })
    await until('the whole log', () => isWhole, patienceMs)
    return text
  } finally {
    stop()
  }
}

export const sendsLog =
  (isRight: (text: string) => boolean, args: Record<string, unknown> = {}): Look<UnderTest> =>
  async (device) => {
    const text = await logOf(device, 'log-1', args)
    if (!isRight(text)) throw new Error(`the log is ${text.slice(0, 500)}`)
    return `${text.length} characters of its log`
  }

/** A log that is stopped does not end, and another one can be sent. */
export const stopsLog =
  (args: Record<string, unknown> = {}): Look<UnderTest> =>
  async (device) => {
    let isWhole = false
    const stop = device.core.listen((message) => {
      if (message.type === 'logPart' && message.logId === 'log-2') isWhole ||= message.isLast
    })
    try {
      // A short log is sent within 200 ms by the clock of the device, which runs faster in the simulator.
      await device.core.together(() =>
        Promise.all([
          device.core.order('send_logs', { ...args, logId: 'log-2' }),
          confirmed(device, 'stop_logs', { logId: 'log-2' }),
        ]),
      )
      await logOf(device, 'log-3', args)
    } finally {
      stop()
    }
    if (isWhole) throw new Error('it was sent to its end')
    return 'the log is sent no further'
  }

/** When core no longer knows its token, it registers with its key, and continues under the next one. */
export async function joinsAgain(device: UnderTest): Promise<string> {
  const { core } = device
  await confirmed(device, 'delete_certificate')
  const registrations = () => core.counts.get('register') ?? 0
  const before = registrations()
  core.voidToken()
  await until(
    'the device to be back',
    () => core.bootId() !== undefined && registrations() > before,
    patienceMs,
  )
  if (registrations() !== before + 1) throw new Error(`it registered ${registrations() - before} times`)
  return 'it registered again'
}

/** By an order of this name. */
export const restartsBy =
  (name: OrderName): Look<UnderTest> =>
  async (device) => {
    const before = device.core.bootId()
    await confirmed(device, name)
    if (device.core.bootId() === before) throw new Error('it did not start again')
    return 'it started again, and confirmed it'
  }

const came =
  (type: string): Look<UnderTest> =>
  async ({ core }) => {
    const count = core.counts.get(type) ?? 0
    if (count === 0) throw new Error('none came')
    if (core.faults.length > 0) throw new Error(core.faults.join('\n'))
    return `${count} came, each as the contract has it`
  }

/** Counted at the end of a run. */
export const messages = (...types: readonly string[]): Cases<UnderTest> =>
  Object.fromEntries(types.map((type) => [`message ${type}`, came(type)]))
