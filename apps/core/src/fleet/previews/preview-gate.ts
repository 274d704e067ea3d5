import type { PlainCode } from '@backhaul/contract/define/refusals'
import type { Clock } from '@backhaul/runtime/clock'
import type { Inventories } from '../../platform/inventories/inventories.ts'

/** Pictures are asked for many times a second: the database is asked once in this time for each customer. */
const rememberedMs = 2000

export type PreviewGate = (inventoryId: string) => Promise<PlainCode | undefined>

/** Why the customer's properties close the pictures of their channels; undefined when not. */
export function createPreviewGate(needs: { clock: Clock; inventories: Inventories }): PreviewGate {
  const { clock, inventories } = needs
  const asked = new Map<string, { atMs: number; answer: Promise<PlainCode | undefined> }>()
  return async (inventoryId) => {
    const known = asked.get(inventoryId)
    if (known && clock.monotonicMs() - known.atMs < rememberedMs) return await known.answer
    const answer = inventories.closed(inventoryId, 'preview')
    asked.set(inventoryId, { atMs: clock.monotonicMs(), answer })
    // What could not be asked is asked again.
    answer.catch(() => asked.delete(inventoryId))
    return await answer
  }
}
