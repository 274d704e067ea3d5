/** Orders of core: each id is carried out at most once, and never after its deadline. */
import type { Order, Outcome } from '@backhaul/contract/gateway/gateway'
import type { Clock } from '@backhaul/runtime/clock'
import { cutReason, Refused, wordingOfError } from './refused.ts'
import type { RestartNote } from './restart-note.ts'

/** Ids remembered; core repeats an order only while its command is open, so few are enough. */
const remembered = 64

/** Orders that may end the process before they are done. */
const restarts: ReadonlySet<Order['name']> = new Set<Order['name']>(['reboot', 'shutdown', 'reset_instance'])

export interface Orders {
  receive(order: Order): void
  /** Core's clock at the welcome; an order that has restarted the device is confirmed. */
  welcomed(serverTime: number): void
}

export interface OrdersOptions {
  /** Resolves when the order is done; rejects with the reason why it cannot be. */
  carryOut: (order: Order) => void | Promise<void>
  send: (outcome: Outcome) => void
  clock: Clock
  restartNote?: RestartNote | undefined
}

/** An order that comes again, for instance after a reconnect, is answered with its outcome so far. */
export function createOrders({ carryOut, send, clock, restartNote }: OrdersOptions): Orders {
  const outcomes = new Map<string, Outcome>()
  /** Core's clock minus monotonic time, from the newest welcome. */
  let clockOffsetMs = 0
  const restartedBy = restartNote?.load()
  if (restartedBy !== undefined)
    outcomes.set(restartedBy, { type: 'outcome', id: restartedBy, state: 'confirmed' })
  let unreported = outcomes.get(restartedBy ?? '')

  function record(outcome: Outcome & { id: string }): void {
    outcomes.set(outcome.id, outcome)
    const oldest = outcomes.keys().next().value
    if (outcomes.size > remembered && oldest !== undefined) outcomes.delete(oldest)
    send(outcome)
  }

  const refuse = (id: string, error: unknown): void =>
    record({ type: 'outcome', id, state: 'refused', ...cutReason(wordingOfError(error)) })

  return {
    welcomed(serverTime) {
      clockOffsetMs = serverTime - clock.monotonicMs()
      if (unreported) send(unreported)
      unreported = undefined
    },
    receive(order) {
      const { id } = order
      const known = outcomes.get(id)
      if (known) return send(known)
      if (clock.monotonicMs() + clockOffsetMs > order.deadlineMs)
        return refuse(id, new Refused('order.tooLate'))
      const isRestart = restarts.has(order.name)
      if (isRestart) restartNote?.save(id)
      record({ type: 'outcome', id, state: 'accepted' })
      Promise.try(carryOut, order).then(
        () => record({ type: 'outcome', id, state: 'confirmed' }),
        (error: unknown) => {
          if (isRestart) restartNote?.clear()
          refuse(id, error)
        },
      )
    },
  }
}
