// Orders to servers: sent immediately or not at all, and answered by the server before the call returns.

import { Conflict } from '@backhaul/contract/define/errors'
import { wordingOfFields } from '@backhaul/contract/define/refusals'
import type { Order, Outcome } from '@backhaul/contract/gateway/gateway'
import type { Clock } from '@backhaul/runtime/clock'
import type { Events } from '../../world/events.ts'
import type { Devices } from '../devices/devices.ts'

/** A connected server answers an order immediately. */
const ANSWERS_WITHIN_MS = 10_000

export interface ServerOrders {
  /** Resolves when the server has accepted the order; throws Conflict when it is not connected, refuses or does not answer. */
  give(serverId: string, order: Omit<Order, 'type'>): Promise<void>
}

interface Needs {
  clock: Clock
  events: Events
  devices: Devices
}

export function createServerOrders({ clock, events, devices }: Needs): ServerOrders {
  const open = new Map<string, (outcome: Outcome | undefined) => void>()

  events.on('device:outcome', ({ message }) => {
    if (message.id !== undefined) open.get(message.id)?.(message)
  })

  return {
    async give(serverId, order) {
      const { promise, resolve } = Promise.withResolvers<Outcome | undefined>()
      const timer = clock.setTimeout(() => resolve(undefined), ANSWERS_WITHIN_MS)
      open.set(order.id, resolve)
      try {
        if (!devices.order(serverId, order)) throw new Conflict('server.offline')
        const outcome = await promise
        if (outcome === undefined) throw new Conflict('server.noAnswer')
        if (outcome.state === 'refused') throw new Conflict(wordingOfFields(outcome, 'server.refused'))
      } finally {
        clock.clearTimeout(timer)
        open.delete(order.id)
      }
    },
  }
}
