// Orders whose outcome a user waits for: sent once, and answered or given up within seconds.

import { randomBytes } from 'node:crypto'
import { Conflict, Unavailable } from '@backhaul/contract/define/errors'
import { wordingOfFields } from '@backhaul/contract/define/refusals'
import type { Order, Outcome } from '@backhaul/contract/gateway/gateway'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Events } from '../../world/events.ts'

/** A user waits for the answer. */
const answersWithinMs = 10_000

export type RequestDevice = (deviceId: string, name: Order['name'], args: Order['args']) => Promise<Outcome>

interface Waiting {
  deviceId: string
  timer: Timer
  resolve(outcome: Outcome): void
  reject(error: Error): void
}

interface Needs {
  clock: Clock
  events: Events
  /** False when the device is not connected. */
  order: (deviceId: string, order: Omit<Order, 'type'>) => boolean
}

/** Rejects with Conflict and the device's reason, or with Unavailable when it is not connected or does not answer. */
export function createDeviceRequests({ clock, events, order }: Needs): RequestDevice {
  const waiting = new Map<string, Waiting>()

  function take(id: string): Waiting | undefined {
    const found = waiting.get(id)
    waiting.delete(id)
    clock.clearTimeout(found?.timer)
    return found
  }

  events.on('device:outcome', ({ deviceId, message }) => {
    if (message.id === undefined || message.state === 'accepted') return
    if (waiting.get(message.id)?.deviceId !== deviceId) return
    const request = take(message.id)
    if (message.state === 'confirmed') request?.resolve(message)
    else request?.reject(new Conflict(wordingOfFields(message, 'device.refused')))
  })
  events.on('deviceDisconnected', ({ deviceId }) => {
    for (const [id, request] of [...waiting])
      if (request.deviceId === deviceId) take(id)?.reject(new Unavailable('device.disconnected'))
  })

  return (deviceId, name, args) => {
    const id = `or-${randomBytes(9).toString('base64url')}`
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const timer = clock.setTimeout(
      () => take(id)?.reject(new Unavailable('device.noAnswer')),
      answersWithinMs,
    )
    waiting.set(id, { deviceId, timer, resolve, reject })
    const isSent = order(deviceId, { id, name, args, deadlineMs: clock.nowMs() + answersWithinMs })
    if (!isSent) take(id)?.reject(new Unavailable('device.notConnected'))
    return promise
  }
}
