import type { PlainCode } from '@backhaul/contract/define/refusals'
import type { Clock } from '@backhaul/runtime/clock'
import type { Inventories } from '../../platform/inventories/inventories.ts'

/** Pictures are requested many times a second: the database is queried once in this time for each customer. */
const rememberedMs = 2000

export type PreviewGate = (inventoryId: string) => Promise<PlainCode | undefined>

/** Why the customer's properties close the pictures of their channels; undefined when not. */
export function createPreviewGate(needs: { clock: Clock; inventories: Inventories }): PreviewGate {
  const { clock, inventories } = needs
  const answers = new Map<string, { atMs: number; answer: Promise<PlainCode | undefined> }>()
  return async (inventoryId) => {
    const known = answers.get(inventoryId)
    if (known && clock.monotonicMs() - known.atMs < rememberedMs) return await known.answer
    const answer = inventories.closed(inventoryId, 'preview')
    answers.set(inventoryId, { atMs: clock.monotonicMs(), answer })
    // A failed query is repeated.
    answer.catch(() => answers.delete(inventoryId))
    return await answer
  }
}
