/** Orders of core: each id is carried out at most once, and never after its deadline. */
import type { Order, Outcome } from '@backhaul/contract/gateway/gateway'
import type { Clock } from '@backhaul/runtime/clock'

/** Ids remembered; core repeats an order only while its command is open, so few are enough. */
const remembered = 64

export interface OrderBook {
  receive(order: Order): void
  /** Core's clock minus ours, from the newest welcome. */
  setClockOffset(offsetMs: number): void
}

export interface OrderBookOptions {
  /** Resolves when the order is done; rejects with the reason why it cannot be. */
  carryOut: (order: Order) => void | Promise<void>
  send: (outcome: Outcome) => void
  clock: Clock
}

/** An order that comes again, for instance after a reconnect, is answered with what became of it so far. */
export function createOrderBook({ carryOut, send, clock }: OrderBookOptions): OrderBook {
  const outcomes = new Map<string, Outcome>()
  let clockOffsetMs = 0

  function tell(outcome: Outcome & { id: string }): void {
    outcomes.set(outcome.id, outcome)
    const oldest = outcomes.keys().next().value
    if (outcomes.size > remembered && oldest !== undefined) outcomes.delete(oldest)
    send(outcome)
  }

  return {
    setClockOffset(offsetMs) {
      clockOffsetMs = offsetMs
    },
    receive(order) {
      const { id } = order
      const known = outcomes.get(id)
      if (known) return send(known)
      if (clock.monotonicMs() + clockOffsetMs > order.deadlineMs)
        return tell({ type: 'outcome', id, state: 'refused', reason: 'The order came after its deadline' })
      tell({ type: 'outcome', id, state: 'accepted' })
      Promise.try(carryOut, order).then(
        () => tell({ type: 'outcome', id, state: 'confirmed' }),
        (error: unknown) => {
          const reason = (error instanceof Error ? error.message : String(error)).slice(0, 255)
          tell({ type: 'outcome', id, state: 'refused', reason })
        },
      )
    },
  }
}
